import { defaults } from '../../defaults.ts';
import { problemAt, type Finding, type Path } from '../../../source/finding.ts';
import { canonicalHost } from '../../../source/networks.ts';
import { hole, type Facts, type MachineFact } from '../facts.ts';
import { repetitions } from './repeated.ts';

/** Every machine has a name, an address and a way to it of its own. */
export const names = ({ nodes, hosts, draft }: Facts): readonly Finding[] => {
  const machines = [...nodes, ...hosts];
  return [
    ...repetitions(machines, ({ written }) => written.name).map(([machine, first]) =>
      problemAt(
        [...machine.path, 'name'],
        `${machine.name} is the name of ${placeOf(first)} already`,
        'a name that no other machine has',
      ),
    ),
    ...repetitions(machines, ({ address }) => address?.address).map(([machine, first]) =>
      problemAt(
        [...machine.path, 'address'],
        `${machine.address?.address ?? ''} is the address of ${first.name} already`,
        'an address that no other machine has',
      ),
    ),
    ...repetitions(machines, (machine) => dialOf(machine, draft))
      .filter(([machine, first]) => [machine, first].some(({ written }) => written.ssh?.host !== undefined))
      .map(([machine, first]) =>
        problemAt(
          placeOfDial(machine, first),
          `${machine.name} and ${first.name} are reached at the same place, so they would be one machine`,
          'its own host or port',
        ),
      ),
  ];
};

/** Where the Ansible server dials; undefined: not known. Two machines with one address are told as that. */
function dialOf({ written }: MachineFact, { ssh: shared }: Facts['draft']): string | undefined {
  const { ssh, address } = written;
  const isUnknown =
    hole(written, 'ssh') || (['host', 'port', 'proxyJump'] as const).some((key) => hole(ssh, key));
  const host = ssh?.host ?? address;
  return host === undefined || isUnknown
    ? undefined
    : [
        canonicalHost(host),
        ssh?.port ?? shared?.port ?? defaults.sshPort,
        ssh?.proxyJump ?? shared?.proxyJump ?? noJump,
      ].join(' ');
}

const noJump = 'none';

/** At the one of the two that says another host than its address. */
const placeOfDial = (machine: MachineFact, first: MachineFact): Path => [
  ...(machine.written.ssh?.host === undefined ? first : machine).path,
  'ssh',
  'host',
];

const placeOf = ({ path }: MachineFact): string => `${String(path[0])}[${String(path[1])}]`;
