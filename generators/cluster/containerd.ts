/** How containerd gets onto a node and what it is told. */
export interface Containerd {
  readonly source: 'distribution' | 'archive';
  /** With `archive`: versions, and the checksums (SHA-256, hex) that were reviewed; else empty. */
  readonly archive: {
    readonly version: string;
    readonly url: string;
    readonly sha256: string;
    readonly runcUrl: string;
    readonly runcSha256: string;
  };
  /** The image of the pause container, or empty: the one that kubeadm of this version wants. Always filled with `kubeadm`. */
  readonly pauseImage: string;
  readonly registries: readonly Registry[];
  /** Scalar settings of containerd's CRI plugin that are set beside ours. */
  readonly cri: Readonly<Record<string, string | number | boolean>>;
}

export interface Registry {
  /** Like `docker.io` or `registry.example.org:5000`. */
  readonly host: string;
  /** URLs that are asked before the registry itself. */
  readonly mirrors: readonly string[];
  /** A certificate authority in PEM, or empty: those of the system. */
  readonly ca: string;
  readonly user: string;
  /** Variable that holds the password, or empty. */
  readonly passwordVariable: string;
}
