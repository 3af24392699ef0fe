import type { Cluster } from '../../cluster/cluster.ts';
import { entryPoints, pathOf, wrappers, type EntryPoint } from './entry-points.ts';
import { groupNames } from './groups.ts';
import { kubesprayInventory } from './inventory.ts';
import { kubesprayPhase } from './phase.ts';
import { kubesprayFolder, kubesprayVariables } from './variables.ts';
import { renderedFile, type Phase } from '../phase.ts';

const own = kubesprayPhase({
  name: 'kubespray-cluster',
  what: "Install Kubernetes on all nodes with kubespray's cluster.yml, which also adds control planes",
  run: 'instantiate',
});

/** Installs Kubernetes with kubespray; brings everything that kubespray is told, for the other phases as well. */
export const kubesprayCluster: Phase = {
  ...own,
  render: (cluster, fill) => [
    ...own.render(cluster, fill),
    ...kubesprayInventory(cluster),
    ...kubesprayVariables(cluster),
    ...wrappers(cluster, fill),
    renderedFile('files/kubespray/run.py', fill('kubespray/run.py.hbs', { settings: settings(cluster) })),
    ...agentPrograms.map((path) => {
      const text = fill(`agent/${path}`, {}).trimEnd();
      return renderedFile(`files/kubespray/${path}`, fill('kubespray/agent-program.py.hbs', { text }));
    }),
  ],
};

/** Files of `agent/` that bundles hold as well: what strikes secrets out of events and logs, judges a checkout, and puts a failure into words. */
export const agentPrograms = [
  'playsmith/forms.py',
  'playsmith/dumps.py',
  'playsmith/scrubbing.py',
  'playsmith/checkout.py',
  'playsmith/history/story.py',
] as const;

/** What the program that calls kubespray has to know, as JSON. */
function settings(cluster: Cluster): string {
  const { tree, venv, version } = cluster.kubespray;
  const entries = (Object.keys(entryPoints) as EntryPoint[]).map(
    (entry) => [entry, pathOf(entry, version)] as const,
  );
  return JSON.stringify({
    ...{ tree, venv, version, source: sourceOf(cluster) },
    kept: kubesprayFolder(cluster),
    controlPlane: groupNames(version).controlPlane,
    entries: Object.fromEntries(entries),
  });
}

/** What `checkout.py` compares a checkout with. */
export function sourceOf({ kubespray: { source } }: Cluster): Readonly<Record<string, string>> {
  return source.kind === 'archive'
    ? { archive: source.path, sha256: source.sha256 }
    : { commit: source.commit, tree: source.tree };
}
