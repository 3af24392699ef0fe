import { expect, it } from 'vitest';
import { announce } from '../../lab/index.ts';

it('what a lab with virtual machines changes is said before it does', () => {
  expect(announce({ kind: 'packages', packages: ['e2fsprogs', 'qemu-system-x86'] })).toBe(
    'install with apt-get: e2fsprogs qemu-system-x86',
  );
  expect(announce({ kind: 'disks', suites: ['bookworm', 'trixie'], folder: '/c/virtual' })).toBe(
    'build disks of virtual machines (Debian bookworm and trixie) under /c/virtual, 1 GB each',
  );
});
