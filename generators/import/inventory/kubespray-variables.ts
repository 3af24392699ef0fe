import { ownedVariables } from '../../catalog/kubespray/owned.ts';
import { withoutSecrets } from '../masked.ts';
import { joined, part, type Part } from '../part.ts';
import { plainOf } from '../../source/foreign/look.ts';
import { doubtAt, type Entry } from '../../source/foreign/node.ts';
import type { Variables } from './ssh.ts';

/** Variables of groups that no key of a definition says. */
export const others = (variables: Variables): readonly Entry[] =>
  [...variables.values()].filter(
    ({ key }) => !known.has(key) && !/^(?:ansible|preflight|proxy_environment)/i.test(key),
  );

/** What is read elsewhere, or follows from something that is. */
const known = new Set([
  ...[
    ...['kube_pods_subnet', 'kube_service_addresses', 'kube_pods_subnet_ipv6', 'kube_service_addresses_ipv6'],
    ...['enable_dual_stack_networks', 'ipv6_stack', 'ipv4_stack', 'kube_apiserver_port'],
    ...['supplementary_addresses_in_ssl_keys', 'apiserver_loadbalancer_domain_name', 'kube_version'],
    ...['kube_network_plugin', 'http_proxy', 'https_proxy', 'no_proxy', 'additional_no_proxy'],
    ...['containerd_registries_mirrors', 'loadbalancer_apiserver', 'kube_vip_enabled', 'kube_vip_address'],
    ...['container_manager', 'auto_renew_certificates', 'auto_renew_certificates_systemd_calendar'],
    ...['loadbalancer_apiserver_localhost', 'no_proxy_exclude_workers', 'credentials_dir', 'artifacts_dir'],
  ],
  // Told at the machines themselves.
  ...['ip', 'access_ip', 'ip6', 'access_ip6', 'etcd_member_name', 'node_labels', 'node_taints'],
]);

/** Those that kubespray can be passed as they are; the rest is kept. */
export function passedOn(entries: readonly Entry[]): Part {
  const fit = entries.filter(isPassable);
  return joined([
    part({
      pieces: fit.map(({ key, value, keyPlace }) => ({
        path: ['installer', 'kubespray', 'variables', key],
        value: plainOf(value),
        place: keyPlace,
      })),
    }),
    keptAside(entries.filter((entry) => !isPassable(entry))),
  ]);
}

/** Plain data under a name that is not ours, without a secret, an empty value or an expression anywhere in it. */
function isPassable({ key, value }: Entry): boolean {
  const data = plainOf(value);
  return (
    !Object.hasOwn(ownedVariables, key) &&
    !old.includes(key) &&
    /^[A-Za-z]\w*$/.test(key) &&
    isPlain(data) &&
    JSON.stringify(withoutSecrets({ [key]: data })) === JSON.stringify({ [key]: data })
  );
}

function isPlain(data: unknown): boolean {
  if (data === null || data === undefined) return false;
  if (typeof data === 'string') return !/\{[{%#]|[\p{Cc}\p{Cf}]/u.test(data);
  if (Array.isArray(data)) return data.every(isPlain);
  if (typeof data !== 'object') return true;
  return Object.entries(data).every(([key, each]) => /^[A-Za-z][\w./-]*$/.test(key) && isPlain(each));
}

/** As a comment, without secrets. */
export const keptAside = (entries: readonly Entry[]): Part =>
  part({
    kept:
      entries.length === 0
        ? []
        : [
            {
              title: 'Variables of the inventory that no key of a definition says:',
              data: withoutSecrets({
                'x-variables': Object.fromEntries(entries.map(({ key, value }) => [key, plainOf(value)])),
              }),
            },
          ],
  });

/** What only old versions know. */
export const legacy = (entries: readonly Entry[]): Part =>
  part({
    problems: entries
      .filter(({ key }) => old.includes(key))
      .map(({ key, keyPlace }) =>
        doubtAt(
          keyPlace,
          `\`${key}\` is of old versions of kubespray; it is kept as a comment`,
          'what the current version calls it',
        ),
      ),
  });

const old = [
  ...['containerd_registries', 'containerd_insecure_registries', 'etcd_kubeadm_enabled', 'kube_master_count'],
];
