import type { OsaTemplate } from '../../../cluster/cluster.ts';

/** A file that a role downloads, and the variables by which it comes from elsewhere. */
export interface OfflineFile {
  readonly url: string;
  /** SHA-256 for amd64; empty: what `sums` says, else none is known. */
  readonly sha256: string;
  /** URL of the publisher's sums, in the same folder as the file; empty: it has none. The mirror has them too, as roles ask for them. */
  readonly sums: string;
  /** The variable that says where it is. */
  readonly variable: string;
  /** What of the URL the variable holds: all of it, or what it begins with. */
  readonly base: string;
  /** What says which version the role asks for, where it would compute one itself. */
  readonly version: Readonly<Record<string, string>>;
}

/** A Helm chart that a role takes from its publisher's repository. */
export interface OfflineChart {
  readonly repository: string;
  readonly name: string;
  readonly version: string;
  /** The variables that say where the repository is, and which version is wanted. */
  readonly variable: string;
  readonly versionVariable: string;
}

/** What the roles of one release download for the control plane, and for the hosts of Magnum. */
export interface Downloads {
  readonly files: readonly OfflineFile[];
  readonly charts: readonly OfflineChart[];
  /** Variable → image. Without a tag where another variable has it. */
  readonly named: Readonly<Record<string, string>>;
  /** Images with tags that the variables of `named` stand for where these have none. */
  readonly tagged: readonly string[];
  /** Images in the manifests of Cluster API and its provider; `clusterctl` takes them from one repository. */
  readonly clusterApi: readonly string[];
  /** Other variables without which something else would be asked for. */
  readonly more: Readonly<Record<string, string>>;
}

/** What decides which images the clusters of a template pull. */
export type TemplateImages = Pick<OsaTemplate, 'kubernetes' | 'networkDriver' | 'labels'>;

/** What one version of the driver has its workload clusters pull, and where it looks for it. */
export interface DriverImages {
  readonly always: readonly string[];
  readonly ofTemplate: (template: TemplateImages, driver: string) => readonly string[];
  /** Beginnings of images, and what stands behind the registry in their place; before those that all versions share. */
  readonly rules: readonly (readonly [from: string, to: string])[];
}
