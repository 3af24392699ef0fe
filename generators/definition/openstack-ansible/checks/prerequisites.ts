import { problemAt, warning, type Finding } from '../../../source/finding.ts';
import { hostsOfGroup } from '../configuration.ts';
import { hasGap } from '../../gaps.ts';
import type { OsaFacts } from '../derived.ts';

/** Magnum and Octavia are there, and the proxy is where the networks of workload clusters are. */
export const osaPrerequisites = (facts: OsaFacts): readonly Finding[] => [
  ...service(facts, 'magnum', 'the driver would be installed nowhere, and no playbook would say so'),
  ...service(facts, 'octavia', 'workload clusters get no load balancer'),
  ...proxy(facts),
  ...hooks(facts),
  ...barbican(facts),
  ...local(facts),
  ...test(facts),
];

function service({ draft, configuration }: OsaFacts, name: 'magnum' | 'octavia', means: string): Finding[] {
  if (draft[name]?.hosts !== undefined || configuration.problems.length > 0) return [];
  if (hostsOfGroup(configuration, `${name}_infra_hosts`).length > 0) return [];
  if (hasGap(draft, `${name}.hosts`, 'openStackAnsible.configuration.*')) return [];
  const right = `${name}: { hosts: [{ name: infra1, address: 172.29.236.11 }] }, or a file of conf.d in openStackAnsible.configuration`;
  const at = draft.openStackAnsible ? ['openStackAnsible'] : [];
  return configuration.known
    ? [problemAt(at, `no host is in the group ${name}-infra_hosts: ${means}`, right)]
    : [
        warning(
          at,
          `whether a host is in the group ${name}-infra_hosts is not known; without one ${means}`,
          right,
        ),
      ];
}

function proxy({ draft, configuration }: OsaFacts): Finding[] {
  const hosts = draft.proxy?.hosts;
  if (hosts === undefined) return [];
  if (configuration.known && configuration.ovn && !ovnGroups.test(hosts))
    return [
      problemAt(
        ['proxy', 'hosts'],
        `with OVN the metadata agents run on the hosts of compute, and ${hosts} may have none of them`,
        'compute_hosts or neutron_ovn_controller',
      ),
    ];
  if (configuration.known && !configuration.ovn && ovnGroups.test(hosts))
    return [
      warning(
        ['proxy', 'hosts'],
        `nothing in these files speaks of OVN, and without it the metadata agents do not run on ${hosts}`,
        'neutron_metadata_agent, or the files that say that it is OVN',
      ),
    ];
  return [];
}

const ovnGroups = /^(?:compute_hosts|neutron_ovn_controller|nova_compute)$/;

function hooks({ draft, configuration }: OsaFacts): Finding[] {
  const { hooks: wanted, release } = draft.openStackAnsible ?? {};
  if (wanted !== 'enabled') return [];
  if (release === '2026.1')
    return [
      problemAt(
        ['openStackAnsible', 'hooks'],
        'from release 2026.1 on OpenStack-Ansible sets the control plane up itself',
        'disabled, or nothing',
      ),
    ];
  return hostsOfGroup(configuration, 'unbound_hosts').length === 0
    ? []
    : [
        problemAt(
          ['openStackAnsible', 'hooks'],
          'with Unbound the playbook of the control plane includes a file that it does not have, and as a hook nobody can tell it not to',
          'disabled: osa-deploy-new and osa-deploy-existing tell it',
        ),
      ];
}

const barbican = ({ draft, configuration }: OsaFacts): Finding[] =>
  draft.magnum?.certManager !== 'barbican' ||
  !configuration.known ||
  hostsOfGroup(configuration, 'key_manager_hosts').length > 0
    ? []
    : [
        warning(
          ['magnum', 'certManager'],
          'no host is in the group key-manager_hosts: without Barbican no cluster can be made',
          'x509keypair, or the file that names its hosts in openStackAnsible.configuration',
        ),
      ];

/** Each host of Magnum would have certificates of its own clusters alone, unless they share the folder. */
function local({ draft, configuration }: OsaFacts): Finding[] {
  const hosts = draft.magnum?.hosts ?? hostsOfGroup(configuration, 'magnum_infra_hosts');
  return draft.magnum?.certManager !== 'local' || hosts.length < 2
    ? []
    : [
        warning(
          ['magnum', 'certManager'],
          `local keeps certificates on the host that made them, and Magnum runs on ${hosts.length} hosts`,
          'x509keypair or barbican',
        ),
      ];
}

function test({ draft }: OsaFacts): Finding[] {
  const { externalNetwork, flavor } = draft.functionalTest ?? {};
  if ((externalNetwork === undefined) === (flavor === undefined)) return [];
  if (hasGap(draft, 'functionalTest.externalNetwork', 'functionalTest.flavor')) return [];
  const [there, lacking] =
    flavor === undefined ? ['externalNetwork', 'flavor'] : ['flavor', 'externalNetwork'];
  return [
    problemAt(
      ['functionalTest', there],
      `without ${lacking} the test would make network and flavor of its own`,
      'externalNetwork and flavor, or neither',
    ),
  ];
}
