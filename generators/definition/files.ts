import type { Result } from '../result.ts';
import { cnfSourcesOf } from './cnf/sources.ts';
import { storageServersOf } from './derived.ts';
import { pluginManifestKey } from './network/plugin-manifest.ts';
import type { Draft } from './schema/schema.ts';

/** What the files hold that a definition names, by their paths as written there; the failure says why one cannot be read. */
export type Files = ReadonlyMap<string, Result<string, string>>;

export const noFiles: Files = new Map();

/** Every file beside a definition whose text becomes part of the cluster, as it is written there, each once. */
export const filesOf = (draft: Draft): readonly string[] => [
  ...new Set(places.flatMap((each) => each(draft)).filter((path) => path !== undefined)),
];

const places: readonly ((draft: Draft) => readonly (string | undefined)[])[] = [
  (draft) => storageServersOf(draft).flatMap(({ written }) => written.manifests ?? []),
  ({ externalLoadBalancer }) => externalLoadBalancer?.manifests ?? [],
  ({ externalLoadBalancer }) => [externalLoadBalancer?.script?.path],
  (draft) => [pluginManifestKey(draft)],
  ({ installer }) => installer?.kubeadm?.externalCloudProvider?.manifests ?? [],
  (draft) => cnfSourcesOf(draft).map(({ key }) => key),
];

/** The text of a file that `filesOf` named; the caller has handed it in. */
export function fileText(files: Files, path: string): Result<string, string> {
  return files.get(path) ?? { ok: false, failure: 'it was not read' };
}
