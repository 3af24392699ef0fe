import { describe, expect, it } from 'vitest';
import { debootstrapArgv, recipe, recipeHash } from '../../../lab/images/recipe.ts';

describe('the recipe of an image', () => {
  const base = recipe('bookworm', 'script');

  it('has one name as long as nothing in it changes', () => {
    expect(recipeHash(base)).toMatch(/^[0-9a-f]{12}$/);
    expect(recipeHash(recipe('bookworm', 'script'))).toBe(recipeHash(base));
  });

  it.each([
    ['the Debian', recipe('trixie', 'script')],
    ['the script', recipe('bookworm', 'other')],
    ['a package', { ...base, include: [...base.include, 'vim'] }],
    ['an offline package', { ...base, offline: [...base.offline, 'vim'] }],
  ])('has another name with %s changed', (_what, other) => {
    expect(recipeHash(other)).not.toBe(recipeHash(base));
  });

  it('puts Ansible into an Ansible server of Debian 13 at once, and only on offer into Debian 12', () => {
    expect(recipe('trixie', '', 'ansible').include).toContain('ansible-core');
    expect(recipe('trixie', '').include).not.toContain('ansible-core');
    expect(base.include).not.toContain('ansible-core');
    expect(base.offline).toContain('ansible-core');
  });

  it('has a kernel, an agent and the NFS server of a kernel for virtual machines alone', () => {
    const virtual = recipe('trixie', '', 'virtual');
    expect(virtual.include).toEqual(expect.arrayContaining(['linux-image-cloud-amd64', 'qemu-guest-agent']));
    expect(virtual.offline).toContain('nfs-kernel-server');
    expect([...base.include, ...base.offline].join(' ')).not.toMatch(/linux-image|guest-agent|nfs-kernel/);
  });

  it('names the suite, the tar file and the mirror last', () => {
    const files = { target: '/t.tar', packages: '/p', script: '/s.sh', mirror: 'http://mirror' };
    expect(debootstrapArgv(base, files).slice(-3)).toEqual(['bookworm', '/t.tar', 'http://mirror']);
  });
});
