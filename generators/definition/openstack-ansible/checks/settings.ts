import { readByHaproxy, misnamedKeys } from '../../../catalog/openstack-ansible/haproxy-keys.ts';
import { problemAt, keyProblemAt, keyWarning, type Finding } from '../../../source/finding.ts';
import { nearest } from '../../../source/nearest.ts';
import type { OsaFacts } from '../derived.ts';

/** Keys that nobody would read. */
export const osaSettings = (facts: OsaFacts): readonly Finding[] => [...haproxy(facts), ...magnum(facts)];

function haproxy({ draft }: OsaFacts): Finding[] {
  return Object.keys(draft.controlPlane?.haproxyService ?? {}).flatMap((key) => {
    const at = ['controlPlane', 'haproxyService', key];
    const meant = misnamedKeys[key];
    if (meant !== undefined)
      return [
        keyWarning(at, `the role haproxy_server reads no ${key}; ${meant} is written in its place`, meant),
      ];
    if (ours.includes(key))
      return [keyProblemAt(at, `${key} is ours: the API is bound to the internal address alone`, 'nothing')];
    return readByHaproxy.includes(key)
      ? []
      : [
          keyProblemAt(
            at,
            `the role haproxy_server reads no ${key}: it has no effect`,
            nearest(key, readByHaproxy) ?? `one of ${readByHaproxy.join(', ')}`,
          ),
        ];
  });
}

const ours = ['haproxy_service_name', 'haproxy_bind', 'haproxy_backend_nodes', 'haproxy_port'];

/** oslo.config ignores what it does not know. */
function magnum({ draft }: OsaFacts): Finding[] {
  const configuration = draft.magnum?.configuration;
  return [
    ...(configuration?.['capi_client']?.['endpoint'] === undefined
      ? []
      : [
          keyWarning(
            ['magnum', 'configuration', 'capi_client', 'endpoint'],
            'the driver has no option endpoint in capi_client and would go on using the public endpoints; it is left out',
            'tls: { endpoint: internal }, which writes endpoint_type',
          ),
        ]),
    ...Object.entries(configuration ?? {}).flatMap(([section, options]) =>
      Object.keys(options ?? {})
        .filter((option) => /(?:^|_)(?:password|secret|token)$/.test(option))
        .map((option) =>
          problemAt(
            ['magnum', 'configuration', section, option],
            `${section}.${option} is a secret, which is never written in a definition`,
            'user_secrets.yml of the deploy host',
          ),
        ),
    ),
  ];
}
