import { fault, warning, type Finding } from '../../finding.ts';
import { osaDefaults } from '../defaults.ts';
import type { OsaFacts } from '../derived.ts';

/** Certificates that somebody would refuse. */
export function osaTls({ draft }: OsaFacts): readonly Finding[] {
  const { internal = osaDefaults.internal, endpoint = osaDefaults.endpoint } = draft.tls ?? {};
  const configured = draft.magnum?.configuration;
  const written = [
    ['capi_client', 'ca_file'],
    ['capi_client', 'endpoint_type'],
    ['drivers', 'openstack_ca_file'],
  ].filter(([section = '', option = '']) => configured?.[section]?.[option] !== undefined);
  return [
    ...(endpoint === 'internal' && internal === 'http' && draft.tls?.endpoint !== undefined
      ? [
          warning(
            ['tls', 'endpoint'],
            'the internal endpoints have no certificates: tokens of the provider travel readable on the management network',
            'internal: osa-pki, once OpenStack-Ansible uses https there',
          ),
        ]
      : []),
    ...written.map(([section = '', option = '']) =>
      fault(
        ['magnum', 'configuration', section, option],
        `${section}.${option} follows from \`tls\``,
        'tls: { external, internal, endpoint }, which decides all three together',
      ),
    ),
  ];
}
