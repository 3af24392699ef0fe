import type { Cluster } from '../../cluster/cluster.ts';
import type { Fill } from '../../engine.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { hasPlaybookFolder } from '../../catalog/kubespray/features.ts';
import { minorOf } from '../../catalog/kubespray/releases.ts';

/** A playbook of kubespray that our own call. */
export type EntryPoint =
  | 'cluster'
  | 'facts'
  | 'scale'
  | 'remove-node'
  | 'recover-control-plane'
  | 'upgrade-cluster'
  | 'reset';

/** Each, with its aim. */
export const entryPoints: Readonly<Record<EntryPoint, string>> = {
  cluster: 'Install Kubernetes, and add control planes and etcd members',
  facts: 'Gather what kubespray has to know of every host',
  scale: 'Add workers',
  'remove-node': 'Remove nodes',
  'recover-control-plane': 'Replace broken control planes and etcd members',
  'upgrade-cluster': 'Upgrade Kubernetes',
  reset: 'Reset the hosts',
};

/** Where a version has the playbook, below its checkout. */
export const pathOf = (entry: EntryPoint, version: string): string =>
  entry === 'facts' && hasPlaybookFolder(minorOf(version)) ? 'playbooks/facts.yml' : `${entry}.yml`;

/** One playbook of the bundle for each, that imports kubespray's. */
export const wrappers = ({ kubespray }: Cluster, fill: Fill): readonly RenderedFile[] =>
  (Object.entries(entryPoints) as [EntryPoint, string][]).map(([entry, what]) => ({
    path: `kubespray/${entry}.yml`,
    mode: '0644',
    text: fill('kubespray/wrapper.yml.hbs', {
      what,
      place: `lookup('env', 'PLAYSMITH_KUBESPRAY') | default(${byHand(kubespray.tree)}, true)`,
      path: pathOf(entry, kubespray.version),
    }),
  }));

/** The checkout as an expression; the reader lets no quote into it. */
const byHand = (tree: string): string =>
  tree.startsWith('~/') ? `lookup('env', 'HOME') ~ '${tree.slice(1)}'` : `'${tree}'`;
