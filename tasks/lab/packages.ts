import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

/** The Debian packages whose programs the lab needs and this machine lacks, sorted. */
export const missingPackages = (isThere = isInstalled): readonly string[] =>
  [...new Set(needs.filter(({ file }) => !isThere(file)).map((need) => need.package))].sort();

export function isInstalled(file: string): boolean {
  if (file.startsWith('/')) return existsSync(file);
  const folders = (process.env['PATH'] ?? '').split(delimiter).concat('/usr/sbin', '/sbin');
  return folders.some((folder) => folder !== '' && existsSync(join(folder, file)));
}

/** A program by its name, or a file by its absolute path. */
const needs: readonly { readonly file: string; readonly package: string }[] = [
  { file: 'podman', package: 'podman' },
  { file: 'runc', package: 'runc' },
  { file: '/usr/lib/podman/netavark', package: 'netavark' },
  { file: 'iptables', package: 'iptables' },
  { file: 'nft', package: 'nftables' },
  { file: 'tc', package: 'iproute2' },
  { file: 'nsenter', package: 'util-linux' },
  { file: 'flock', package: 'util-linux' },
  { file: 'losetup', package: 'mount' },
  { file: 'mmdebstrap', package: 'mmdebstrap' },
  { file: 'dpkg-scanpackages', package: 'dpkg-dev' },
  { file: 'patch', package: 'patch' },
  { file: '/usr/share/keyrings/debian-archive-keyring.gpg', package: 'debian-archive-keyring' },
  { file: 'ssh-keygen', package: 'openssh-client' },
];
