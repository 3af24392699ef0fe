import type { Cluster } from '../cluster.ts';
import { entryPoints, pathOf, wrappers, type EntryPoint } from '../kubespray/entry-points.ts';
import { groupNames } from '../kubespray/groups.ts';
import { kubesprayInventory } from '../kubespray/inventory.ts';
import { kubesprayPhase } from '../kubespray/phase.ts';
import { keptFolder, kubesprayVariables } from '../kubespray/variables.ts';
import { rendered, type Phase } from './phase.ts';

const own = kubesprayPhase({
  name: 'kubespray-cluster',
  what: 'Install Kubernetes on all nodes by cluster.yml of kubespray, which also takes in control planes',
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
    rendered('files/kubespray/run.py', fill('kubespray/run.py.hbs', { settings: settings(cluster) })),
  ],
};

/** What the program that calls kubespray has to know, as JSON. */
function settings(cluster: Cluster): string {
  const { tree, venv, version } = cluster.kubespray;
  const entries = (Object.keys(entryPoints) as EntryPoint[]).map(
    (entry) => [entry, pathOf(entry, version)] as const,
  );
  return JSON.stringify({
    tree,
    venv,
    kept: keptFolder(cluster),
    controlPlane: groupNames(version).controlPlane,
    entries: Object.fromEntries(entries),
  });
}
