import type { Cluster } from './cluster/cluster.ts';
import type { Fill } from './engine.ts';
import { isControlPlane } from './cluster/roles.ts';
import { kindOf } from './kinds/kinds.ts';
import { scopeInventory, scopeOf } from './operations/scope.ts';
import { confirmingOption, isConfirmation } from './phases/confirmation.ts';
import type { Parameter } from './phases/phase.ts';
import { shorten } from './phases/shortened.ts';
import { topologyChart } from './topology/mermaid.ts';
import { rulesOf } from './topology/rules.ts';
import { readYaml, writeYamlToRead } from './yaml.ts';
import { mainPlaybook, operationOf, parametersOf, playbooks, type Playbook } from './playbooks.ts';

/** The page that a reviewer, or a person with nothing but Ansible, opens first. */
export function readme(cluster: Cluster, fill: Fill): string {
  const kind = kindOf(cluster);
  const all = playbooks(cluster).map((playbook) => ({ ...playbook, hosts: shorten(playbook.hosts) }));
  const asked = all.filter(({ run }) => run === 'asked');
  const main = mainPlaybook(cluster);
  return fill('readme/README.md.hbs', {
    cluster: cluster.name,
    summary: kind.introduction(cluster),
    topology: kind.topology ? topologyChart(kind.topology(cluster)) : [],
    rules: kind.topology ? rulesOf(cluster, kind.topology(cluster)) : [],
    ...sampleLeaving(cluster),
    main,
    hasSite: main !== 'site',
    playbooks: all.filter(({ run, file }) => run === 'instantiate' || file === `${main}.yml`),
    operations: all
      .filter(({ run, file }) => run === 'operation' && file !== `${main}.yml`)
      .map(({ file, what }) => ({ file, what, targets: targetsOf(cluster, file) })),
    asked: asked.map((playbook) => ({ ...playbook, command: command(playbook) })),
    parameters: distinctParameters(all),
    tags: all.flatMap(({ file, tags }) =>
      tags.filter(({ name }) => `${name}.yml` !== file).map((tag) => ({ ...tag, file })),
    ),
    secrets: cluster.secrets.map(({ variable, path }) => ({ variable, path })),
  });
}

/** What the page shows of a node that leaves by hand. */
interface LeavingSample {
  /** Lines of its scope; empty: no node can leave. */
  readonly sample: readonly string[];
  /** The control plane that it asks; empty where no other one could be asked. */
  readonly kubectlHost: string;
  readonly leavingConfirm: string;
}

const noSample: LeavingSample = { sample: [], kubectlHost: '', leavingConfirm: '' };

/** A scope by which the last node that can leaves, as somebody writes it who has nothing but Ansible. */
function sampleLeaving(cluster: Cluster): LeavingSample {
  const operation = operationOf(cluster, 'scale-in');
  const nodes = cluster.machines.filter(({ roles }) => roles.includes('worker'));
  const target = nodes.findLast(({ roles }) => !roles.includes('control-plane')) ?? nodes.at(-1);
  if (operation === undefined || target === undefined) return noSample;
  const scope = scopeOf(cluster, { operation, targets: [target.name] });
  if (!scope.ok) return noSample;
  const inventory = readYaml(scopeInventory(cluster.name, scope.value).text);
  const confirmations = parametersOf(cluster, operation.name).filter(isConfirmation);
  return {
    sample: writeYamlToRead(inventory).trimEnd().split('\n'),
    kubectlHost: cluster.machines.filter(isControlPlane).length > 1 ? scope.value.kubectl_host.join() : '',
    leavingConfirm: confirmations.map(({ variable }) => `${variable}=${target.name}`).join(' '),
  };
}

/** Each variable once, whichever playbooks take it. */
const distinctParameters = (all: readonly Pick<Playbook, 'parameters'>[]): readonly Parameter[] => [
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
      .map((each) =>
        isConfirmation(each) ? confirmingOption(each) : `--set ${each.variable}=${each.example}`,
      ),
  ].join(' ');
