import type { Cluster } from './cluster/cluster.ts';
import type { Fill } from './engine.ts';
import { kindOf } from './kinds/kinds.ts';
import type { Parameter } from './phases/phase.ts';
import { shortened } from './phases/shortened.ts';
import { phaseChart, topologyChart } from './topology/mermaid.ts';
import { mainPlaybook, operationOf, playbooks, type Playbook } from './playbooks.ts';

/** The page that a reviewer, or a person with nothing but Ansible, opens first. */
export function readme(cluster: Cluster, fill: Fill): string {
  const kind = kindOf(cluster);
  const all = playbooks(cluster).map((playbook) => ({ ...playbook, hosts: shortened(playbook.hosts) }));
  const asked = all.filter(({ run }) => run === 'asked');
  const main = mainPlaybook(cluster);
  const phases = all.filter(({ run }) => run === 'instantiate').map(({ file }) => file.replace(/\.yml$/, ''));
  return fill('readme/README.md.hbs', {
    cluster: cluster.name,
    summary: kind.introduction(cluster),
    topology: kind.topology ? topologyChart(kind.topology(cluster)) : [],
    order: phases.length > 1 ? phaseChart(phases) : [],
    main,
    hasSite: main !== 'site',
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
