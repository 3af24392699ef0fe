import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

/** What a lab needs beyond containers. */
export interface LabDemands {
  /** Kubernetes has to be built. */
  readonly builds: boolean;
  /** There are virtual machines among the hosts. */
  readonly virtual: boolean;
}

/** The Debian packages whose programs the lab needs and this machine lacks, sorted. */
export const missingPackages = ({ builds, virtual }: LabDemands, isThere = isInstalled): readonly string[] =>
  [
    ...new Set(
      [...needs, ...(builds ? buildNeeds : []), ...(virtual ? virtualNeeds : [])]
        .filter(({ file }) => !isThere(file))
        .map((need) => need.package),
    ),
  ].sort();

export function isInstalled(file: string): boolean {
  if (file.startsWith('/')) return existsSync(file);
  const folders = (process.env['PATH'] ?? '').split(delimiter).concat('/usr/sbin', '/sbin');
  return folders.some((folder) => folder !== '' && existsSync(join(folder, file)));
}

/** A program by its name, or a file by its absolute path. */
interface PackageFile {
  readonly file: string;
  readonly package: string;
}

const needs: readonly PackageFile[] = [
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
  { file: '/usr/share/keyrings/debian-archive-keyring.gpg', package: 'debian-archive-keyring' },
  { file: 'ssh-keygen', package: 'openssh-client' },
];

const virtualNeeds: readonly PackageFile[] = [
  { file: 'qemu-system-x86_64', package: 'qemu-system-x86' },
  { file: 'mkfs.ext4', package: 'e2fsprogs' },
  { file: 'debugfs', package: 'e2fsprogs' },
];

/** runc and pause are made of C. */
const buildNeeds: readonly PackageFile[] = [
  { file: 'gcc', package: 'gcc' },
  { file: '/usr/include/stdio.h', package: 'libc6-dev' },
  { file: '/usr/include/seccomp.h', package: 'libseccomp-dev' },
  { file: 'pkg-config', package: 'pkg-config' },
];
