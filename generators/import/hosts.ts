import { failed, type Result } from '../result.ts';
import { parseAddress } from '../source/networks.ts';
import type { Problems } from '../source/problem.ts';
import {
  conclude,
  type ImportedDefinition,
  type RefusedImport,
  type ConclusionSettings,
} from './conclude.ts';

import { asKubeadm, asTheBuilder } from './layout.ts';
import { machinesPart, type FoundMachine } from './machines.ts';
import { isSafeForMachine, numberName, unlike } from './names.ts';
import { joinParts, part, type ImportPart, type Wishes } from './part.ts';
import { expandAddresses, expandRange } from './ranges.ts';
import { placesOf, wrongAt, type TextPlace, type Text } from '../source/foreign/node.ts';
import { isControlPlane } from '../cluster/roles.ts';

/**
 * A definition of addresses as kubespray's inventory builder took them: `10.0.0.1`, `10.0.0.11-10.0.0.15`,
 * `10.0.0.[11:15]`, `node1,10.0.0.1` and `node1,10.0.0.1,203.0.113.1`, where the last one is where it is reached.
 */
export function importHosts(
  texts: readonly Text[],
  setting: ConclusionSettings,
): Result<ImportedDefinition, RefusedImport> {
  const read = texts.flatMap(wordsOf).map(expandHosts);
  const problems = read.flatMap((each) => each.problems);
  if (problems.length > 0) return failed({ problems, draft: '' });
  const hosts = read.flatMap((each) => each.hosts);
  return conclude(partsOf(hosts, setting.wishes), { ...setting, sources: ['addresses'], name: '' });
}

interface HostAddress {
  readonly name: string;
  readonly address: string;
  readonly way: string;
  readonly place: TextPlace;
}

interface HostWord {
  readonly text: string;
  readonly place: TextPlace;
}

/** Words of a command line, or lines of a file; `#` begins a comment. */
function wordsOf(source: Text): HostWord[] {
  const placeOf = placesOf(source);
  return [...source.text.matchAll(/#[^\n]*|[^\s#]+/g)]
    .filter(({ 0: text }) => !text.startsWith('#'))
    .map(({ 0: text, index }) => ({ text, place: placeOf(index, index + text.length) }));
}

function expandHosts({ text, place }: HostWord): {
  readonly hosts: readonly HostAddress[];
  readonly problems: Problems;
} {
  const parts = text.split(',');
  const [first = ''] = parts;
  const isNamed = parts.length > 1 && parseAddress(first) === undefined && !/^[\d.]+[[-]/.test(first);
  const [name, address = '', way = address] = isNamed ? parts : ['', ...parts];
  const [from = '', to, ...beyond] = address.split('-');
  const addresses = to === undefined ? expandRange(address) : expandAddresses(from, to);
  const most = isNamed ? 3 : 2;
  const refuse = (wrong: string, right: string) => ({ hosts: [], problems: [wrongAt(place, wrong, right)] });
  if (parts.length > most)
    return refuse(
      `${parts.length} values joined by commas: an address and the way to it are two`,
      'machines with spaces between them: 10.0.0.1 10.0.0.2',
    );
  if (beyond.length > 0) return refuse(`${address} has more than two ends`, '10.0.0.11-10.0.0.15');
  if (!addresses.ok) return refuse(addresses.failure.wrong, addresses.failure.right);
  if (addresses.value.length > 1 && way !== address)
    return refuse(
      `${way} cannot be the way to each of ${addresses.value.length} machines`,
      'each machine with the way to it: node1,10.0.0.11,203.0.113.11',
    );
  const wrong = addresses.value.find((each) => parseAddress(each) === undefined);
  if (wrong !== undefined)
    return refuse(
      `${JSON.stringify(wrong)} is no address`,
      '10.0.0.11, 10.0.0.11-10.0.0.15, 10.0.0.[11:15] or node1,10.0.0.11',
    );
  if (isNamed && !isSafeForMachine(name ?? ''))
    return refuse(`${JSON.stringify(name)} is not a name that is safe everywhere`, 'node1,10.0.0.11');
  return {
    hosts: addresses.value.map((each) => ({
      name: name ?? '',
      address: each,
      way: addresses.value.length === 1 ? way : each,
      place,
    })),
    problems: [],
  };
}

/** Each address once; names count on, whatever other names there are. */
function partsOf(all: readonly HostAddress[], wishes: Wishes): readonly ImportPart[] {
  const hosts = [...new Map(all.toReversed().map((host) => [host.address, host])).values()].reverse();
  const taken = new Set(hosts.map(({ name }) => name));
  const layout = wishes.kubernetes === '' ? asTheBuilder : asKubeadm;
  const machines = hosts.map((host, index): FoundMachine => {
    const name = host.name === '' ? unlike(numberName('node', index, hosts.length), taken) : host.name;
    taken.add(name);
    return {
      list: 'nodes',
      name,
      address: parseAddress(host.address)?.address ?? host.address,
      roles: layout(index, hosts.length),
      ssh: { host: host.way },
      more: {},
      notes: [],
      place: host.place,
    };
  });
  return [
    machinesPart(machines, wishes),
    part({ assumptions: [rule[wishes.kubernetes === '' ? 'builder' : 'kubeadm']] }),
    endpoint(machines, wishes),
    joinParts(
      all.length === hosts.length
        ? []
        : [part({ assumptions: ['an address that is named twice is one machine'] })],
    ),
  ];
}

const rule = {
  builder:
    "roles are those that kubespray's inventory builder gave: etcd on the first three, control plane on the first two, all are workers",
  kubeadm: 'the first three machines are control planes, the others workers',
};

function endpoint(machines: readonly FoundMachine[], wishes: Wishes): ImportPart {
  const controlPlanes = machines.filter(isControlPlane);
  const [first] = controlPlanes;
  if (controlPlanes.length < 2 || wishes.vip !== '' || !first) return part({});
  return part({
    problems: [
      wrongAt(
        first.place,
        `${controlPlanes.length} of these ${machines.length} machines are control planes and need one address for all of them`,
        '--vip 192.0.2.80/24',
      ),
    ],
  });
}
