import { problemAt, warning, type Finding } from '../../../source/finding.ts';
import { osaDefaults } from '../defaults.ts';
import { compareReleases } from '../../../catalog/openstack-ansible/releases.ts';
import { driverOf, versionsOf, type OsaFacts } from '../derived.ts';

/** Certificates that somebody would refuse. */
export function osaTls(facts: OsaFacts): readonly Finding[] {
  const { draft } = facts;
  const provider = versionsOf(facts)?.provider;
  const { internal = osaDefaults.internal, endpoint = driverOf(facts).endpoint } = draft.tls ?? {};
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
    ...(endpoint === 'internal' && provider !== undefined && compareReleases(provider, '0.9.0') < 0
      ? [
          warning(
            draft.versions?.provider === undefined ? ['tls'] : ['versions', 'provider'],
            `the provider ${provider} does not read which endpoints it should use, and uses the public ones`,
            '0.9.0 or newer, or tls: { endpoint: public } with what it has to trust then',
          ),
        ]
      : []),
    ...written.map(([section = '', option = '']) =>
      problemAt(
        ['magnum', 'configuration', section, option],
        `${section}.${option} follows from \`tls\``,
        'tls: { external, internal, endpoint }, which decides all three together',
      ),
    ),
  ];
}
