import { fault, warning, type Finding } from '../finding.ts';
import { nearest } from '../nearest.ts';
import { hole, type Facts } from './facts.ts';
import { repeated } from './repeated.ts';

/** Names of hosts lead to hosts, and no host stands there for nothing. */
export function hosts(facts: Facts): readonly Finding[] {
  const { placement, hosts: all, draft } = facts;
  if (!placement || hole(draft, 'hosts') || draft.hosts?.some((host) => host?.name === undefined)) return [];
  const wanted = placement.kind === 'dedicated' ? placement.hosts : [];
  const used = new Set(wanted);
  return [
    ...wanted.flatMap((name, index) => reference(name, index, facts)),
    ...repeated(
      wanted.map((name, index) => ({ name, index })),
      ({ name }) => name,
    ).map(([{ name, index }]) => fault(at(index), `${name} stands here twice`, 'each host once')),
    ...(used.size === 1 ? [alone] : []),
    ...all
      .filter(({ name }) => !used.has(name))
      .map(({ path, name }) =>
        warning(
          [...path, 'name'],
          `nothing refers to ${name}`,
          'its name where it is needed, or the host left out',
        ),
      ),
  ];
}

const at = (...keys: (string | number)[]): (string | number)[] => [
  'controlPlaneEndpoint',
  'loadBalancer',
  'placement',
  'hosts',
  ...keys,
];

function reference(name: string, index: number, { hosts: all, nodes }: Facts): Finding[] {
  if (all.some((host) => host.name === name)) return [];
  if (nodes.some((node) => node.name === name))
    return [
      fault(
        at(index),
        `${name} is a node, and a dedicated load balancer does nothing else`,
        'the name of a machine from `hosts`, or `placement: stacked`',
      ),
    ];
  const known = all.map((host) => host.name);
  return [
    fault(
      at(index),
      `there is no host ${name}`,
      nearest(name, known) ??
        (known.length > 0 ? `one of ${known.join(', ')}` : `- { name: ${name}, address: … } below \`hosts\``),
    ),
  ];
}

const alone = warning(at(), 'one load balancer: when it is lost, nobody takes over', 'two hosts');
