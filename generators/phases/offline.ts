import type { Cluster } from '../cluster/cluster.ts';

/** True when everything comes from the artifacts on the Ansible server, and nothing from any other network. */
export const isOffline = ({ offline }: Cluster): boolean => offline.artifacts !== '';

export interface ArtifactsView {
  /** Folder on the Ansible server, without a slash at its end. */
  readonly folder: string;
  readonly sha256: string;
}

/** What `partials/kubernetes/artifacts.hbs` is told. */
export const artifactsView = ({ offline }: Cluster): ArtifactsView => ({
  folder: offline.artifacts.replace(/(?<=.)\/+$/, ''),
  sha256: offline.sha256,
});
