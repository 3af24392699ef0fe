import { externalHostsOf, storageServersOf } from '../../derived.ts';
import { problemAt, warning, type Finding, type Path } from '../../../source/finding.ts';
import { nearest } from '../../../source/nearest.ts';
import { hasGap } from '../../gaps.ts';
import type { Facts } from '../facts.ts';
import { repetitions } from './repeated.ts';

/** Names of hosts lead to hosts, and no host stands there for nothing. */
export function hosts(facts: Facts): readonly Finding[] {
  const { placement, hosts: all, draft } = facts;
  if (!placement || hasGap(draft, 'hosts.*.name')) return [];
  const wanted = placement.kind === 'dedicated' ? placement.hosts : [];
  const used = new Set([...wanted, ...usedElsewhere(facts)]);
  return [
    ...references(wanted, { at: at(), task: asBalancer }, facts),
    ...(new Set(wanted).size === 1 ? [alone] : []),
    ...all
      .filter(({ name }) => !used.has(name))
      .map(({ path, name }) =>
        warning(
          [...path, 'name'],
          `nothing refers to ${name}`,
          'use its name where it is needed, or remove the host',
        ),
      ),
  ];
}

/** Hosts that do something else than balance the API. */
const usedElsewhere = ({ draft }: Facts): readonly (string | undefined)[] => [
  ...storageServersOf(draft).map(({ written }) => written.host),
  ...externalHostsOf(draft),
];

const at = (...keys: (string | number)[]): (string | number)[] => [
  'controlPlaneEndpoint',
  'loadBalancer',
  'placement',
  'hosts',
  ...keys,
];

/** What is wrong with a node's name where a host's belongs. */
interface HostDuty {
  readonly isNode: string;
  readonly instead: string;
}

const asBalancer: HostDuty = {
  isNode: 'and a dedicated load balancer does nothing else',
  instead: 'the name of a machine from `hosts`, or `placement: stacked`',
};

/** Each name of a list leads to a host of its own. */
export const references = (
  names: readonly string[],
  { at, task }: { readonly at: Path; readonly task: HostDuty },
  { hosts: all, nodes }: Facts,
): Finding[] => [
  ...names.flatMap((name, index) => reference({ name, at: [...at, index] }, { all, nodes, task })),
  ...repetitions(
    names.map((name, index) => ({ name, index })),
    ({ name }) => name,
  ).map(([{ name, index }]) => problemAt([...at, index], `${name} is listed twice`, 'each host once')),
];

function reference(
  { name, at: place }: { readonly name: string; readonly at: Path },
  {
    all,
    nodes,
    task,
  }: { readonly all: Facts['hosts']; readonly nodes: Facts['nodes']; readonly task: HostDuty },
): Finding[] {
  if (all.some((host) => host.name === name)) return [];
  if (nodes.some((node) => node.name === name))
    return [problemAt(place, `${name} is a node, ${task.isNode}`, task.instead)];
  const known = all.map((host) => host.name);
  return [
    problemAt(
      place,
      `there is no host ${name}`,
      nearest(name, known) ??
        (known.length > 0 ? `one of ${known.join(', ')}` : `- { name: ${name}, address: … } below \`hosts\``),
    ),
  ];
}

const alone = warning(at(), 'one load balancer: if it fails, nothing takes over', 'two hosts');
