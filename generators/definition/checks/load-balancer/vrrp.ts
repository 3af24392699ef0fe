import { externalAddressOf, externalHostsOf, familyOf, priorityOf, vrrpVersionFor } from '../../derived.ts';
import { problemAt, keyWarning, type Finding, type Path } from '../../../source/finding.ts';
import type { Family } from '../../../source/networks.ts';
import { milliseconds } from '../../schema/judges.ts';
import { hasGap } from '../../gaps.ts';
import { hole, type Facts, type MachineFact } from '../facts.ts';
import { repetitions } from '../node/repeated.ts';

/** What keepalived is told fits the version of VRRP, and one machine at a time is the most preferred. */
export const vrrp = (facts: Facts): readonly Finding[] => [
  ...priorities(facts),
  ...vrrpSettings(facts)
    .filter(({ written }) => !hasGap(written, 'vrrpVersion', 'failover'))
    .flatMap((keepalived) => [...versions(keepalived), ...intervals(keepalived)]),
];

/** The settings of one virtual address, and where they stand. */
interface VrrpSettings {
  readonly at: Path;
  readonly written: NonNullable<NonNullable<Facts['draft']['externalLoadBalancer']>['keepalived']>;
  readonly family: Family;
}

const vrrpSettings = ({ draft }: Facts): readonly VrrpSettings[] => {
  const ofEndpoint = draft.controlPlaneEndpoint?.loadBalancer?.keepalived;
  const ofExternal = draft.externalLoadBalancer?.keepalived;
  const family = familyOf(draft);
  return [
    ...(ofEndpoint
      ? [{ at: ['controlPlaneEndpoint', 'loadBalancer', 'keepalived'], written: ofEndpoint, family }]
      : []),
    ...(ofExternal
      ? [
          {
            at: ['externalLoadBalancer', 'keepalived'],
            written: ofExternal,
            family: externalAddressOf(draft)?.family ?? family,
          },
        ]
      : []),
  ];
};

/** Who holds which address is told apart, since each address has preferences of its own. */
function priorities(facts: Facts): Finding[] {
  const { balancers, nodes, hosts } = facts;
  if (!balancers || hole(facts.draft, 'externalLoadBalancer')) return [];
  const names = new Set(externalHostsOf(facts.draft));
  const external = hosts.filter(({ name }) => names.has(name));
  const holders = new Set([...balancers, ...external]);
  return [
    ...equal(balancers),
    ...equal(external),
    ...[...nodes, ...hosts]
      .filter((machine) => machine.written.vrrpPriority !== undefined && !holders.has(machine))
      .map(({ path, name }) =>
        keyWarning(
          [...path, 'vrrpPriority'],
          `this has no effect: ${name} never holds the virtual address`,
          'remove the key',
        ),
      ),
  ];
}

function equal(balancers: readonly MachineFact[]): Finding[] {
  const taken = new Set(balancers.map(effective));
  return repetitions(balancers, (machine) => effective(machine)?.toString()).map(([machine, first]) =>
    problemAt(
      [...machine.path, machine.written.vrrpPriority === undefined ? 'address' : 'vrrpPriority'],
      `${machine.name} and ${first.name} have the same VRRP priority ${String(effective(machine))}, so neither is preferred`,
      `vrrpPriority: ${freeBelow(effective(machine) ?? 100, taken)} for ${machine.name}`,
    ),
  );
}

const effective = ({ written, address }: MachineFact): number | undefined =>
  hole(written, 'vrrpPriority') ? undefined : (written.vrrpPriority ?? (address && priorityOf(address)));

const freeBelow = (priority: number, taken: ReadonlySet<number | undefined>): number => {
  for (let next = priority - 1; next > 0; next -= 1) if (!taken.has(next)) return next;
  return freeBelow(255, taken);
};

function versions({ at, written, family }: VrrpSettings): Finding[] {
  const isVersion3 = vrrpVersionFor(written, family) === 3;
  return [
    ...(written.vrrpVersion === 2 && written.failover === 'fast'
      ? [
          problemAt(
            [...at, 'vrrpVersion'],
            'version 2 cannot do `failover: fast`: it counts whole seconds',
            '3',
          ),
        ]
      : []),
    ...(written.vrrpVersion === 2 && family === 6
      ? [problemAt([...at, 'vrrpVersion'], 'version 2 has no IPv6', '3')]
      : []),
    ...(isVersion3 && written.password
      ? [
          problemAt(
            [...at, 'password'],
            `version 3 of VRRP has no password${written.vrrpVersion === 3 ? '' : `, and ${reasonFor3(written.failover)} needs version 3`}`,
            'remove the key, or set vrrpVersion: 2',
          ),
        ]
      : []),
  ];
}

const reasonFor3 = (failover: string | undefined): string =>
  failover === 'fast' ? '`failover: fast`' : 'IPv6';

function intervals({ at, written, family }: VrrpSettings): Finding[] {
  const advertisement = written.advertisementInterval;
  const check = written.check?.interval;
  const version = vrrpVersionFor(written, family);
  return [
    ...(advertisement !== undefined && !advertisable[version](milliseconds(advertisement))
      ? [
          problemAt(
            [...at, 'advertisementInterval'],
            `version ${version} of VRRP cannot advertise every ${advertisement}`,
            rights[version],
          ),
        ]
      : []),
    ...(check !== undefined && milliseconds(check) % 1000 !== 0
      ? [
          problemAt(
            [...at, 'check', 'interval'],
            `keepalived checks in whole seconds, not every ${check}`,
            '1s',
          ),
        ]
      : []),
  ];
}

const advertisable = {
  2: (interval: number): boolean => interval % 1000 === 0 && interval <= 255_000,
  3: (interval: number): boolean => interval % 10 === 0 && interval <= 40_950,
};

const rights = {
  2: 'whole seconds, 1s to 255s; or `failover: fast` for less than a second',
  3: 'tens of milliseconds, 10ms to 40s',
};
