import { describe, expect, test } from 'vitest';
import { magnumSource } from '../../../generators/catalog/openstack-ansible/offline/packages.ts';
import { mirrorFile } from '../../../generators/phases/openstack-ansible/mirror.ts';
import { render } from '../../../generators/render.ts';
import { readYaml } from '../../../generators/yaml.ts';
import { templates } from '../../support/definitions/templates.ts';
import { clusterOf, osaOf, said, treeOf } from './support.ts';
import { withWorkload } from './workload-support.ts';

const mirror = 'https://mirror.example.org/osa';
const text = (more = '', release = '2026.1'): string =>
  `${withWorkload({ '"2025.2"': `"${release}"` })}offline:
  registry: registry.example.org/osa
  files: ${mirror}/
  git: https://git.example.org/mirror
  directory: /srv/mirror
${more}functionalTest: { imageUrl: ${mirror}/kube.qcow2 }
`;
const cargo = `  cargo: ${mirror}/crates/\n`;
const all = `${cargo}  python: ${mirror}/python\n  packages: ${mirror}/debian/packages\n`;

const listOf = (definition: string) =>
  readYaml(mirrorFile('cloud-a', osaOf(definition)).text) as Readonly<Record<string, unknown>>;
const playbookOf = (definition: string): string =>
  render(clusterOf(definition), templates).find(({ path }) => path === 'osa-mirror.yml')?.text ?? '';

describe('packages of a site without a network', () => {
  test('what lies below the files is made below their directory, by tasks of its own', () => {
    expect(listOf(text(all))).toMatchObject({
      crates: {
        repository: 'https://github.com/vexxhost/magnum-cluster-api',
        version: 'v0.36.6',
        directory: '/srv/mirror/crates',
        url: `${mirror}/crates`,
      },
      python: { directory: '/srv/mirror/python', magnum_source: magnumSource },
      packages: { directory: '/srv/mirror/debian/packages', backports: ['cargo', 'rustc'] },
    });
    const playbook = playbookOf(text(all));
    for (const name of ['crates', 'python_packages', 'system_packages'])
      expect(playbook).toContain(`playsmith.host.osa_${name}:`);
  });

  test('what lies elsewhere is filled by somebody else', () => {
    const elsewhere = all.replaceAll(mirror, 'https://other.example.org');
    for (const given of [text(elsewhere), text(elsewhere.replaceAll('other', 'mirror'))]) {
      const list = listOf(given);
      for (const key of ['crates', 'python', 'packages']) expect(list).not.toHaveProperty(key);
      expect(playbookOf(given)).not.toMatch(/osa_(?:crates|python_packages|system_packages)/);
    }
  });

  test('a driver without Rust needs no crates, and its releases nothing of the backports', () => {
    const list = listOf(text(all.replace(cargo, ''), '2025.2'));
    expect(list).not.toHaveProperty('crates');
    expect(list).toMatchObject({
      python: { ansible: expect.arrayContaining(['docker-image-py']) as unknown },
      packages: { backports: [] },
    });
  });

  test("Magnum's own source and the constraints of its release come from mirrors, unless OpenStack-Ansible names others", () => {
    const url = `{{ requirements_git_url | default('${mirror}/releases.openstack.org/constraints/upper/' ~ requirements_git_install_branch) }}`;
    for (const [release, proxies] of [
      ['2025.2', 'mcapi_vexxhost_proxy_upper_constraints_url'],
      ['2026.1', 'magnum_capi_vexxhost_proxy_upper_constraints_url'],
    ] as const) {
      const osa = osaOf(
        text(cargo, release).replace('offline:', 'proxy: { hosts: compute_hosts }\noffline:'),
      );
      const tree = treeOf(osa);
      expect(tree.get('group_vars/magnum_all/main.yml')).toMatchObject({
        magnum_git_repo: 'https://git.example.org/mirror/openstack/magnum',
        magnum_upper_constraints_url: url,
      });
      expect(tree.get('user_variables_mcapi.yml')).toMatchObject({ [proxies]: url });
      expect(osa.offline.repositories.find(({ source }) => source === magnumSource)).toMatchObject({
        target: 'https://git.example.org/mirror/openstack/magnum',
        pins: [],
      });
    }
  });

  test.each([
    [
      'the files themselves',
      `  python: ${mirror}/\n`,
      'it needs a folder of its own below `files`',
      'python',
    ],
    ['a way out', `  python: ${mirror}/../python\n`, 'it needs a folder of its own below `files`', 'python'],
    [
      'the folder of another',
      `  python: ${mirror}/crates\n`,
      'its folder and that of `cargo` are the same, or one is in the other',
      'python',
    ],
    [
      'a folder in that of another',
      `  python: ${mirror}/python\n  packages: ${mirror}/python/debian\n`,
      'its folder and that of `python` are the same, or one is in the other',
      'packages',
    ],
    [
      'a publisher',
      '  python: https://pypi.org/simple\n',
      'pypi.org is on the internet',
      'a mirror of yours',
    ],
  ])('%s is a fault', (_name, more, wrong, right) => {
    const told = said(text(cargo + more)).filter((each) => each.includes(wrong));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(right);
  });
});
