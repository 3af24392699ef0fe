import { problemAt, warning, type Finding } from '../../../source/finding.ts';
import { hasGap } from '../../gaps.ts';
import type { OsaFacts, OsaHostFact } from '../derived.ts';
import { osaHost } from '../judges.ts';

/** Who carries the control plane: one or three, each once, with the address that OpenStack-Ansible knows. */
export const osaHosts = (facts: OsaFacts): readonly Finding[] => [
  ...files(facts),
  ...number(facts),
  ...repeatedHosts(facts),
  ...asKnown(facts),
  ...discoveredNames(facts),
  ...placement(facts),
  ...deployHost(facts),
];

const files = ({ configuration }: OsaFacts): Finding[] =>
  configuration.problems.map(({ index, wrong }) =>
    problemAt(['openStackAnsible', 'configuration', index], wrong, 'a copy of a file of the deploy host'),
  );

function number({ hosts, discovered, configuration, draft }: OsaFacts): Finding[] {
  if (hasGap(draft, 'controlPlane.hosts.*.containers')) return [];
  const containers = hosts.reduce((sum, each) => sum + each.containers, 0);
  if (containers === 1 || containers === 3 || containers === 5) return [];
  if (!discovered)
    return [
      problemAt(
        ['controlPlane', 'hosts'],
        `${containers} members of etcd ${containers % 2 === 0 ? 'bear no more losses than one less' : 'are too many'}`,
        'one host, or three; on a single one, containers: 3',
      ),
    ];
  if (configuration.problems.length > 0 || hasGap(draft, 'openStackAnsible.configuration.*')) return [];
  return [
    problemAt(
      draft.controlPlane ? ['controlPlane', 'hosts'] : ['controlPlane'],
      configuration.known
        ? 'the files of `configuration` name no hosts that could carry the control plane'
        : 'no hosts are given for the control plane',
      'hosts: [{ name: infra1, address: 172.29.236.11 }], or openStackAnsible.configuration',
    ),
  ];
}

const repeatedHosts = ({ hosts }: OsaFacts): Finding[] =>
  (['name', 'address'] as const).flatMap((key) =>
    hosts
      .filter((host, at) => host[key] !== '' && hosts.findIndex((each) => each[key] === host[key]) < at)
      .map((host) =>
        problemAt(place(host, key), `${host[key]} stands at two hosts`, `another ${key}, or one of the two`),
      ),
  );

/** OpenStack-Ansible ends with an error when one host has two addresses, or one address two hosts. */
function asKnown({ hosts, configuration, draft }: OsaFacts): Finding[] {
  const known = [...configuration.groups.values()].flat().filter(({ address }) => address !== '');
  const all = [
    ...hosts.filter(({ index }) => index >= 0).map((host) => ({ ...host, at: place(host, 'address') })),
    ...(['magnum', 'octavia'] as const).flatMap((service) =>
      (draft[service]?.hosts ?? []).map((host, index) => ({
        name: host?.name ?? '',
        address: host?.address ?? '',
        at: [service, 'hosts', index, 'address'],
      })),
    ),
  ];
  return all.flatMap(({ name, address, at }) => {
    if (name === '' || address === '') return [];
    const same = known.find((each) => each.name === name);
    if (same && same.address !== address && same.managementAddress !== address)
      return [problemAt(at, `${name} has the address ${same.address} in ${same.group}`, same.address)];
    const other = known.find((each) => each.address === address && each.name !== name);
    return other ? [problemAt(at, `${address} is that of ${other.name} in ${other.group}`, 'its own')] : [];
  });
}

const discoveredNames = ({ hosts }: OsaFacts): Finding[] =>
  hosts
    .filter(({ index }) => index < 0)
    .flatMap(({ name, address }) => {
      const verdict = osaHost(name);
      return [
        ...(verdict ? [problemAt(['openStackAnsible', 'configuration'], verdict.wrong, verdict.right)] : []),
        ...(address === ''
          ? [
              problemAt(
                ['openStackAnsible', 'configuration'],
                `${name} has no address that can be read in these files, so it cannot be taken from there`,
                'controlPlane.hosts with names and addresses',
              ),
            ]
          : []),
      ];
    });

function placement({ draft, hosts }: OsaFacts): Finding[] {
  const { placement: where } = draft.controlPlane ?? {};
  if (where !== 'metal') return [];
  const several = hosts.find(({ containers }) => containers > 1);
  return [
    warning(
      ['controlPlane', 'placement'],
      'OpenStack-Ansible has not tested a control plane without containers',
      'containers',
    ),
    ...(several
      ? [
          problemAt(
            place(several, 'containers'),
            'without containers there is one member a host',
            '1, or nothing',
          ),
        ]
      : []),
  ];
}

function deployHost({ draft }: OsaFacts): Finding[] {
  const host = draft.deployHost;
  if (!host) return [];
  return [
    ...(host.ssh?.user === undefined && !hasGap(host, 'ssh.user')
      ? [
          problemAt(
            ['deployHost', 'ssh', 'user'],
            'no user is given who logs in to the deploy host',
            'ssh: { user: root }',
          ),
        ]
      : []),
    ...(host.ssh?.hostKey === undefined
      ? [
          warning(
            ['deployHost', 'ssh', 'hostKey'],
            'no host key is pinned for the deploy host, so no run can reach it yet',
            '`npx task trust` shows the key and writes it here once you have compared it',
          ),
        ]
      : []),
  ];
}

const place = ({ index }: OsaHostFact, key: string): (string | number)[] =>
  index < 0 ? ['openStackAnsible', 'configuration'] : ['controlPlane', 'hosts', index, key];
