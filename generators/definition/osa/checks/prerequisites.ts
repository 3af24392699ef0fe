import { fault, warning, type Finding } from '../../finding.ts';
import { hostsOfGroup } from '../configuration.ts';
import type { OsaFacts } from '../derived.ts';

/** Magnum and Octavia are there, and the proxy is where the networks of workload clusters are. */
export const osaPrerequisites = (facts: OsaFacts): readonly Finding[] => [
  ...service(facts, 'magnum', 'the driver would be installed nowhere, and no playbook would say so'),
  ...service(facts, 'octavia', 'workload clusters get no load balancer'),
  ...proxy(facts),
  ...hooks(facts),
];

function service({ draft, configuration }: OsaFacts, name: 'magnum' | 'octavia', means: string): Finding[] {
  if (draft[name]?.hosts !== undefined || configuration.problems.length > 0) return [];
  if (hostsOfGroup(configuration, `${name}_infra_hosts`).length > 0) return [];
  const right = `${name}: { hosts: [{ name: infra1, address: 172.29.236.11 }] }, or a file of conf.d in openStackAnsible.configuration`;
  const at = draft.openStackAnsible ? ['openStackAnsible'] : [];
  return configuration.known
    ? [fault(at, `no host is in the group ${name}-infra_hosts: ${means}`, right)]
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
  if (
    configuration.known &&
    configuration.ovn &&
    !/^(?:compute_hosts|neutron_ovn_controller|nova_compute)$/.test(hosts)
  )
    return [
      fault(
        ['proxy', 'hosts'],
        `with OVN the metadata agents run on the hosts of compute, and ${hosts} may have none of them`,
        'compute_hosts or neutron_ovn_controller',
      ),
    ];
  return [];
}

const hooks = ({ draft }: OsaFacts): Finding[] =>
  draft.openStackAnsible?.hooks === 'enabled' && draft.openStackAnsible.release === '2026.1'
    ? [
        fault(
          ['openStackAnsible', 'hooks'],
          'from release 2026.1 on OpenStack-Ansible sets the control plane up itself',
          'disabled, or nothing',
        ),
      ]
    : [];
