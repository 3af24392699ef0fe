/** A folder as `npx task artifacts` makes it, of the lab's own Kubernetes. */
export interface LabArtifacts {
  readonly folder: string;
  /** Pins the folder in a definition: `offline.sha256`. */
  readonly sha256: string;
  readonly version: string;
  /** Goes into a definition as `containerd.archive`. */
  readonly containerd: {
    readonly version: string;
    readonly sha256: string;
    readonly runc: { readonly version: string; readonly sha256: string };
  };
}
