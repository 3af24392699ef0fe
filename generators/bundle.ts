import type { Cluster } from './cluster/cluster.ts';
import { compactJson } from './compact-json.ts';
import { definitionDigest } from './definition-digest.ts';
import { sha256 } from './digest.ts';
import { playbooks, type Playbook } from './playbooks.ts';
import { byPath, type RenderedFile } from './rendered-file.ts';

/** Everything that an Ansible server receives for one cluster, named by its content. */
export interface Bundle {
  readonly cluster: string;
  /** SHA-256 in hexadecimal over path, mode and text of every file but the manifest. */
  readonly digest: string;
  /** Sorted by path; `manifest.json` is the last. */
  readonly files: readonly RenderedFile[];
}

/** `manifest.json`, by which the server checks what arrived and the next render finds what it has to remove. */
export interface Manifest {
  readonly apiVersion: 'playsmith/v1';
  readonly kind: 'Bundle';
  readonly cluster: string;
  readonly digest: string;
  /** SHA-256 of the resolved definition. */
  readonly definition: string;
  readonly playbooks: readonly Playbook[];
  readonly files: readonly { readonly path: string; readonly mode: string; readonly sha256: string }[];
}

/** Rendered files → bundle: the same files in any order give the same digest. */
export function pack(cluster: Cluster, files: readonly RenderedFile[]): Bundle {
  const sorted = [...files].sort(byPath);
  const digest = digestOf(sorted);
  const manifest: Manifest = {
    apiVersion: 'playsmith/v1',
    kind: 'Bundle',
    cluster: cluster.name,
    digest,
    definition: definitionDigest(cluster),
    playbooks: playbooks(cluster),
    files: sorted.map(({ path, mode, text }) => ({ path, mode, sha256: sha256(text) })),
  };
  return { cluster: cluster.name, digest, files: [...sorted, manifestFile(manifest)] };
}

const digestOf = (files: readonly RenderedFile[]): string =>
  sha256(files.map(({ path, mode, text }) => JSON.stringify([path, mode, text])).join('\n'));

const manifestFile = (manifest: Manifest): RenderedFile => ({
  path: 'manifest.json',
  mode: '0644',
  text: `${compactJson(manifest)}\n`,
});
