import type { StorageServer } from './cluster.ts';

/** Packages of a server, and the module of the kernel that it needs. */
export const kinds = {
  kernel: { unit: 'nfs-server', packages: ['nfs-kernel-server'], module: 'nfsd' },
  ganesha: { unit: 'nfs-ganesha', packages: ['nfs-ganesha', 'nfs-ganesha-vfs'], module: '' },
} as const;

/** The packages that make file systems. */
export const toolsOf = ({ volumes }: StorageServer): readonly string[] => [
  ...new Set(volumes.map(({ fileSystem }) => (fileSystem === 'xfs' ? 'xfsprogs' : 'e2fsprogs')).sort()),
];
