import type { Cluster, Role } from '../../cluster/cluster.ts';
import type { Fill } from '../../engine.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { drillsOf } from '../../resolve/drills.ts';
import { program, renderedFile, type Parameter, type Phase } from '../phase.ts';
import { hostInUrl } from '../../source/networks.ts';

/** A drill that makes a fault, measures what clients feel, and takes it back. */
export interface Disturbance {
  readonly drill: 'vip' | 'control-plane' | 'worker';
  readonly what: string;
  readonly hosts: string;
  readonly applies: Phase['applies'];
  readonly parameters: readonly Parameter[];
  /** Faults that are made one after the other. */
  readonly rounds: readonly Round[];
  /** Services that have to run on the hosts that may be disturbed, and to begin with them again. */
  readonly services: readonly string[];
  /** Seconds for which the fault lasts at least, so that what follows from it is seen. */
  readonly least: number;
}

export interface Round {
  /** As fault.sh knows it; also its key in the result. */
  readonly fault: string;
  /** What is so while it lasts. */
  readonly what: string;
  /** Names of the plays: what is looked at, what is required, what is done. */
  readonly seeing: string;
  readonly requiring: string;
  readonly title: string;
}

/** The name of the cluster, which a drill with a fault wants typed; `phase` is that of the drill. */
export const confirmation = (phase: string): Parameter => ({
  variable: `${phase.replaceAll('-', '_')}_confirm`,
  what: 'the name of the cluster, whose clients may feel it',
  required: true,
  pattern: '[a-z0-9]([a-z0-9-]*[a-z0-9])?',
  example: 'edge-a',
});

/** The node that a drill is about. */
export const nodeParameter = (variable: string, what: string, example: string): Parameter => ({
  ...{ variable, what, example },
  required: false,
  pattern: '[a-z0-9]([a-z0-9.-]*[a-z0-9])?',
});

/** The phase of a drill; its playbook is a template of its name. */
export const drillPhase = (disturbance: Disturbance): Phase => {
  const { drill, what, hosts, applies, parameters } = disturbance;
  const name = `drill-${drill}`;
  return {
    ...{ name, what, hosts },
    applies: (cluster) => hasDrills(cluster) && applies(cluster),
    tags: [{ name, what: 'everything' }],
    run: 'asked',
    parameters: [confirmation(name), ...parameters],
    render: (cluster, fill) => files(name, viewOf(name, cluster, disturbance), fill),
  };
};

/** A drill injects faults as root: it is in a bundle only where the definition asks for drills. */
export const hasDrills = ({ drills }: Cluster): boolean => drills !== undefined;

const files = (
  phase: string,
  view: Readonly<Record<string, unknown>>,
  fill: Fill,
): readonly RenderedFile[] => [
  renderedFile(`${phase}.yml`, fill(`drill/${phase}.yml.hbs`, view)),
  program('files/drill/fault.sh', fill('drill/fault.sh.hbs', view)),
  ...['guard.py', 'see.py', 'witness.py'].map((file) =>
    renderedFile(`files/drill/${file}`, fill(`drill/${file}.hbs`, view)),
  ),
];

function viewOf(
  phase: string,
  cluster: Cluster,
  { drill, rounds, services, least }: Disturbance,
): Readonly<Record<string, unknown>> {
  const { limits, atMost } = drillsOf(cluster);
  const most = atMost - margin;
  return {
    ...{ phase, drill, rounds, atMost, most },
    ...guardView(cluster),
    cluster: cluster.name,
    limit: limits[drill],
    url: readiness(cluster),
    least: Math.min(least, most),
    // As long as everything may take: the fault, the way back, and the questions in between.
    asking: atMost + 420,
    see: { address: drill === 'vip' ? cluster.endpoint.address : '', services },
  };
}

/** What the program knows that says whether a cluster is whole. */
export const guardView = (cluster: Cluster): Readonly<Record<string, unknown>> => {
  const { machines, network } = cluster;
  const having = (role: Role): Cluster['machines'] => machines.filter(({ roles }) => roles.includes(role));
  return {
    heads: JSON.stringify(
      Object.fromEntries(having('control-plane').map(({ name, address }) => [name, address])),
    ),
    workers: JSON.stringify(having('worker').map(({ name }) => name)),
    window: JSON.stringify(drillsOf(cluster).window),
    port: network.apiServerPort,
  };
};

/** What clients ask. */
const readiness = ({ endpoint: { address, port } }: Cluster): string =>
  `https://${hostInUrl(address)}:${port}/readyz`;

/** Seconds in which the run takes the fault back itself, before the host does. */
const margin = 20;
