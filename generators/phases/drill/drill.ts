import type { Cluster } from '../../cluster/cluster.ts';
import { drillsOf } from '../../resolve/drills.ts';
import { renderedFile, type Parameter, type Phase } from '../phase.ts';
import { hostInUrl } from '../../source/networks.ts';

/** A drill that makes a fault, measures what clients feel, and reverts it. */
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
  /** As `drill_fault` knows it; also its key in the result. */
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
    render: (cluster, fill) => [
      renderedFile(`${name}.yml`, fill(`drill/${name}.yml.hbs`, viewOf(name, cluster, disturbance))),
    ],
  };
};

/** A drill injects faults as root: it is in a bundle only where the definition asks for drills. */
export const hasDrills = ({ drills }: Cluster): boolean => drills !== undefined;

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

/** What a guard is told: the window, and whether anybody here can say that the cluster is whole. */
export const guardView = (cluster: Cluster): Readonly<Record<string, unknown>> => ({
  window: drillsOf(cluster).window,
  whole: cluster.kubernetes.installer === 'kubeadm',
  port: cluster.network.apiServerPort,
});

/** What clients ask. */
const readiness = ({ endpoint: { address, port } }: Cluster): string =>
  `https://${hostInUrl(address)}:${port}/readyz`;

/** Seconds in which the run reverts the fault itself, before the host does. */
const margin = 20;
