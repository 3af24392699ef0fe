import type { Cluster } from './cluster/cluster.ts';
import type { Fill } from './engine.ts';
import type { Parameter } from './phases/phase.ts';
import { phaseChart, topologyChart } from './topology/mermaid.ts';
import { topologyOf } from './topology/topology.ts';
import { mainPlaybook, operationOf, playbooks, type Playbook } from './playbooks.ts';

/** The page that a reviewer, or a person with nothing but Ansible, opens first. */
export function readme(cluster: Cluster, fill: Fill): string {
  const all = playbooks(cluster).map((playbook) => ({ ...playbook, hosts: shortened(playbook.hosts) }));
  const asked = all.filter(({ run }) => run === 'asked');
  const main = mainPlaybook(cluster);
  const phases = all.filter(({ run }) => run === 'instantiate').map(({ file }) => file.replace(/\.yml$/, ''));
  return fill('readme/README.md.hbs', {
    cluster: cluster.name,
    summary: summary(cluster),
    topology: cluster.osa === undefined ? topologyChart(topologyOf(cluster)) : [],
    order: phases.length > 1 ? phaseChart(phases) : [],
    main,
    playbooks: all.filter(({ run, file }) => run === 'instantiate' || file === `${main}.yml`),
    operations: all
      .filter(({ run, file }) => run === 'operation' && file !== `${main}.yml`)
      .map(({ file, what }) => ({ file, what, targets: targetsOf(cluster, file) })),
    asked: asked.map((playbook) => ({ ...playbook, command: command(playbook) })),
    parameters: told(all),
    tagged: all.filter(({ tags }) => tags.length > 0),
    secrets: cluster.secrets.map(({ variable, path }) => ({ variable, path })),
  });
}

/** Each variable once, whichever playbooks take it. */
const told = (all: readonly Pick<Playbook, 'parameters'>[]): readonly Parameter[] => [
  ...new Map(all.flatMap(({ parameters }) => parameters).map((each) => [each.variable, each])).values(),
];

const targetsOf = (cluster: Cluster, file: string): string =>
  ({ none: 'none', one: 'one node', several: 'nodes' })[
    operationOf(cluster, file.replace(/\.yml$/, ''))?.targets.count ?? 'none'
  ];

/** How it is asked for, with everything that it must be told. */
const command = ({ file, parameters }: Pick<Playbook, 'file' | 'parameters'>): string =>
  [
    `npx task run ${file.replace(/\.yml$/, '')}`,
    ...parameters
      .filter(({ required }) => required)
      // A command that destroys something is never ready to be pasted.
      .map(
        ({ variable, example }) =>
          `--set ${variable}=${variable.endsWith('_confirm') ? '<name of the cluster>' : example}`,
      ),
  ].join(' ');

/** Long lists stand in the inventory. */
const shortened = (names: readonly string[]): string =>
  names.length <= shown
    ? names.join(', ')
    : `${names.slice(0, shown - 1).join(', ')} and ${names.length - shown + 1} more`;

const shown = 8;

function summary({ endpoint, machines, osa, fleet }: Cluster): string {
  if (fleet !== undefined)
    return `A mesh of Receptor nodes, by which ${fleet.clusters.length} clusters are run: ${fleet.nodes.map(({ name, role, site }) => `${name} (${site === '' ? role : `${role}, ${site}`})`).join(', ')}.`;
  if (osa !== undefined)
    return `Magnum's Cluster API driver ${osa.versions.driver} for OpenStack-Ansible ${osa.release}; the control plane runs on ${osa.controlPlane.hosts.map(({ name }) => name).join(', ')}. What belongs into ${osa.configurationDirectory} lies in [files/osa/tree](files/osa/tree).`;
  const { address, prefix, port, placement, balancers } = endpoint;
  const names = shortened(balancers.map(({ name }) => name));
  const way = {
    stacked: `Clients reach the Kubernetes API at ${address}/${prefix}, port ${port}; the control plane itself holds that address (${names}).`,
    dedicated: `Clients reach the Kubernetes API at ${address}/${prefix}, port ${port}; load balancers of its own hold that address (${names}).`,
    external: `Clients reach the Kubernetes API at ${address}, port ${port}, through a load balancer that is not part of this bundle.`,
    none: `Clients reach the Kubernetes API at ${address}, port ${port}, on its one API server.`,
  } as const;
  return `${machines.length === 1 ? '1 machine' : `${machines.length} machines`}. ${way[placement]}`;
}
