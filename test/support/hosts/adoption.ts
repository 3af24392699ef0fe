import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parseDocument } from 'yaml';
import { labArtifacts, type Lab } from '../../../lab/index.ts';
import { flannelPluginImage } from '../../../lab/kubernetes/recipe.ts';
import { labReleases } from '../../../lab/kubernetes/releases.ts';
import type { Project } from '../project.ts';
import { there } from '../there.ts';
import { kubectl } from './kubernetes.ts';
import { definitionOf, must, on } from './lab.ts';

/** flannel by somebody's own hand. */
export async function flannelManifest(): Promise<string> {
  const text = await readFile(join(import.meta.dirname, 'flannel.yaml'), 'utf8');
  const { flannel } = there(labReleases.at(-1));
  return text
    .replaceAll('FLANNEL_IMAGE', `ghcr.io/flannel-io/flannel:v${flannel}`)
    .replaceAll('PLUGIN_IMAGE', flannelPluginImage);
}

/** Pods but those of flannel, CoreDNS and our own checks, with how often their containers were started, and nodes. */
export async function podsAndNodes(lab: Lab): Promise<Readonly<Record<string, string>>> {
  const pods = await kubectl(lab, 'cp1', 'get', 'pods', '--all-namespaces', '-o', `jsonpath=${podPath}`);
  const members = await kubectl(lab, 'cp1', 'get', 'nodes', '-o', `jsonpath=${nodePath}`);
  const rows = `${pods}\n${members}`.trim().split('\n');
  return Object.fromEntries(
    rows
      .filter((row) => !/^(?:kube-flannel\/|kube-system\/(?:coredns|playsmith-verify)-)/.test(row))
      .map((row) => row.split(' ') as [string, string]),
  );
}

const podPath = String.raw`{range .items[*]}{.metadata.namespace}/{.metadata.name} {.metadata.uid}/{.status.containerStatuses[*].restartCount}{"\n"}{end}`;
const nodePath = String.raw`{range .items[*]}node/{.metadata.name} {.metadata.uid}{"\n"}{end}`;

/** A workload that an adoption is to leave alone. */
export async function startEcho(lab: Lab): Promise<void> {
  await kubectl(lab, 'cp1', 'create', 'deployment', 'echo', '--image=docker.io/lab/echo:1', '--replicas=2');
  await kubectl(lab, 'cp1', 'rollout', 'status', 'deployment/echo', '--timeout=180s');
}

/** What `import cluster` writes down of the running cluster, of which nothing is left over. */
export async function importedBy(here: Project, lab: Lab, name: string): Promise<string> {
  const { folder } = must(await labArtifacts(() => undefined));
  process.env['PATH'] = `${join(folder, 'binaries')}:${process.env['PATH'] ?? ''}`;
  await writeFile(join(here.folder, 'admin.conf'), await on(lab, 'cp1', 'cat', '/etc/kubernetes/admin.conf'));
  const words = ['--kubeconfig', 'admin.conf', '--file', 'imported.yml', '--name', name, '--user', 'ops'];
  const { said } = await here.done('import', 'cluster', ...words);
  expect(said).not.toMatch(/which kubeadm does not know of|is not taken over/);
  return readFile(join(here.folder, 'imported.yml'), 'utf8');
}

/** What the API does not say, as a person adds it to what was imported: how hosts are reached, where programs come from, and what else is `set`. */
export function definitionOfImport(lab: Lab, imported: string, set: readonly Setting[] = []): string {
  const document = parseDocument(imported);
  const own = parseDocument(definitionOf(lab)).toJS() as {
    readonly nodes: readonly { readonly name: string; readonly ssh: unknown }[];
  } & Readonly<Record<string, unknown>>;
  for (const key of ['ansibleServer', 'ssh', 'containerd', 'offline']) document.set(key, own[key]);
  for (const { at, value } of set) document.setIn(at, value);
  const { nodes: read } = document.toJS() as { readonly nodes: readonly { readonly name: string }[] };
  for (const [index, node] of read.entries())
    document.setIn(['nodes', index, 'ssh'], own.nodes.find((each) => each.name === node.name)?.ssh);
  return document.toString();
}

export interface Setting {
  readonly at: readonly (string | number)[];
  readonly value: unknown;
}

/** A definition with another node, which the lab has. */
export function withNode(lab: Lab, definition: string, name: string): string {
  const document = parseDocument(definition);
  const own = parseDocument(definitionOf(lab)).toJS() as {
    readonly nodes: readonly { readonly name: string }[];
  };
  document.addIn(
    ['nodes'],
    own.nodes.find((node) => node.name === name),
  );
  return document.toString();
}
