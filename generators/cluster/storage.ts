import type { Settings } from './kubernetes.ts';

/** NFS servers beside the cluster, and what Kubernetes is told of them. */
export interface Storage {
  /** In the order of the definition; none: no storage. */
  readonly servers: readonly StorageServer[];
  readonly persistentVolumes: readonly PersistentVolume[];
}

export interface StorageServer {
  /** Name of its machine. */
  readonly host: string;
  /** Where clients mount from. */
  readonly address: string;
  readonly server: 'kernel' | 'ganesha';
  /** Sorted by `mountTo`, so that what is mounted inside another comes after it. */
  readonly volumes: readonly Volume[];
  readonly exports: readonly Export[];
}

export interface Volume {
  /** How the device is found: by its path, by its serial number, or by the id of the Cinder volume that it is. */
  readonly by: 'device' | 'serial' | 'cinder';
  readonly device: string;
  readonly mountTo: string;
  readonly fileSystem: 'ext4' | 'xfs';
  /** What may be formatted although it holds something: exactly this device with exactly this on it; or empty texts. */
  readonly forceFormat: { readonly device: string; readonly signature: string };
}

export interface Export {
  readonly path: string;
  /** Where the volume that holds it is mounted. */
  readonly mountTo: string;
  /** Networks, addresses and names of hosts. */
  readonly clients: readonly string[];
  readonly options: ExportOptions;
  readonly owner: {
    readonly user: number;
    readonly group: number;
    /** Four octal digits. */
    readonly mode: string;
    /** `new`: only a folder that is not there yet gets it; `always`: the definition says so. */
    readonly when: 'new' | 'always';
  };
}

export interface ExportOptions {
  readonly access: 'rw' | 'ro';
  readonly squash: 'root_squash' | 'no_root_squash' | 'all_squash';
  readonly ports: 'secure' | 'insecure';
  readonly writes: 'sync' | 'async';
  readonly subtree: 'no_subtree_check' | 'subtree_check';
  /** Who squashed users are; -1: nobody. */
  readonly anonymousUser: number;
  readonly anonymousGroup: number;
}

export interface PersistentVolume {
  readonly name: string;
  /** The folder of the export that it leads to. */
  readonly path: string;
  /** Name of the machine that serves it. */
  readonly host: string;
  /** A `v1` PersistentVolume whose NFS server is filled in; plain JSON data. */
  readonly manifest: Settings;
}
