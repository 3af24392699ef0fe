import type { Path } from '../../definition/finding.ts';
import { withoutSecrets } from '../masked.ts';
import { joined, part, type Part, type Wishes } from '../part.ts';
import { field, isTrue, itemsOf, plainOf, textOf } from '../source/look.ts';
import { doubtAt, type Entry, type Scalar } from '../source/node.ts';
import { networkPart, noProxyPart, proxyPart } from '../values.ts';
import { plainText, type Variables } from './ssh.ts';

/** What kubespray's variables say and the definition has a key for; all others are kept. */
export function kubesprayPart(variables: Variables, wishes: Wishes): Part {
  return joined([
    networks(variables, wishes),
    apiServer(variables),
    version(variables),
    plugin(variables),
    proxies(variables, wishes),
    registries(variables),
    otherVariables(variables),
  ]);
}

const scalarOf = (variables: Variables, name: string): Scalar | undefined => {
  const node = variables.get(name)?.value;
  return node?.kind === 'scalar' && plainText(node) !== undefined ? node : undefined;
};

/** kubespray's own defaults are written out, since ours are others. */
function networks(variables: Variables, wishes: Wishes): Part {
  const isDual = ['enable_dual_stack_networks', 'ipv6_stack'].some((name) =>
    isTrue(variables.get(name)?.value),
  );
  return joined(
    subnets.flatMap(({ key, name, usual, second, usualSecond }) => {
      const both = isDual
        ? [first(variables, { name, usual }), first(variables, { name: second, usual: usualSecond })]
        : [first(variables, { name, usual })];
      return both.map(({ node, value }, index) => {
        const path: Path = isDual ? ['network', key, index] : ['network', key];
        return node
          ? networkPart(path, node, wishes)
          : part({
              pieces: [{ path, value }],
              assumptions: [`${index === 0 ? name : second} is ${value}, as kubespray takes it`],
            });
      });
    }),
  );
}

const first = (variables: Variables, { name, usual }: { name: string; usual: string }) => ({
  node: scalarOf(variables, name),
  value: usual,
});

const subnets = [
  {
    key: 'podSubnet',
    name: 'kube_pods_subnet',
    usual: '10.233.64.0/18',
    second: 'kube_pods_subnet_ipv6',
    usualSecond: 'fd85:ee78:d8a6:8607::1:0000/112',
  },
  {
    key: 'serviceSubnet',
    name: 'kube_service_addresses',
    usual: '10.233.0.0/18',
    second: 'kube_service_addresses_ipv6',
    usualSecond: 'fd85:ee78:d8a6:8607::1000/116',
  },
] as const;

function apiServer(variables: Variables): Part {
  const port = scalarOf(variables, 'kube_apiserver_port');
  const number = Number(port?.text);
  const names = [
    ...itemsOf(variables.get('supplementary_addresses_in_ssl_keys')?.value).flatMap(
      (node) => plainText(node) ?? [],
    ),
    ...[variables.get('apiserver_loadbalancer_domain_name')?.value].flatMap((node) => plainText(node) ?? []),
  ];
  return part({
    pieces: [
      ...(port && number !== 6443 && Number.isInteger(number)
        ? [{ path: ['network', 'apiServerPort'], value: number, place: port.place }]
        : []),
      ...(names.length > 0
        ? [{ path: ['installer', 'kubeadm', 'certificateSans'], value: [...new Set(names)] }]
        : []),
    ],
  });
}

function version(variables: Variables): Part {
  const node = scalarOf(variables, 'kube_version');
  return part({
    kept: [
      {
        title:
          'kubespray installs this cluster. Until a definition has a key for that, somebody else installs Kubernetes:',
        data: {
          installer: { kubespray: { kubernetes: node?.text.replace(/^v/, '') ?? 'the version of its tag' } },
        },
      },
    ],
  });
}

function plugin(variables: Variables): Part {
  const node = scalarOf(variables, 'kube_network_plugin');
  const name = node?.text ?? 'calico';
  return part({ assumptions: [`the pods' network is kubespray's: ${name}`] });
}

const proxies = (variables: Variables, wishes: Wishes): Part =>
  joined([
    ...(['http', 'https'] as const).map((key) => {
      const node = scalarOf(variables, `${key}_proxy`);
      return node && node.text !== '' ? proxyPart(key, node, wishes) : part({});
    }),
    ...['no_proxy', 'additional_no_proxy'].map((name) => {
      const node = scalarOf(variables, name);
      return node && node.text !== '' ? noProxyPart(node) : part({});
    }),
  ]);

/** Mirrors of containerd, since v2.23 of kubespray; what older ones wrote is kept. */
function registries(variables: Variables): Part {
  const rows = itemsOf(variables.get('containerd_registries_mirrors')?.value);
  return part({
    pieces: rows.map((node, index) => ({
      path: ['containerd', 'registries', index],
      value: {
        host: textOf(field(node, 'prefix')) ?? '',
        mirrors: itemsOf(field(node, 'mirrors')).flatMap((each) => textOf(field(each, 'host')) ?? []),
      },
      place: node.place,
    })),
  });
}

const known = new Set(
  'kube_pods_subnet kube_service_addresses kube_pods_subnet_ipv6 kube_service_addresses_ipv6 enable_dual_stack_networks ipv6_stack ipv4_stack kube_apiserver_port supplementary_addresses_in_ssl_keys apiserver_loadbalancer_domain_name kube_version kube_network_plugin http_proxy https_proxy no_proxy additional_no_proxy containerd_registries_mirrors loadbalancer_apiserver kube_vip_enabled kube_vip_address'.split(
    ' ',
  ),
);

/** Variables of groups that no key says: kept for the installer that will take them. */
function otherVariables(variables: Variables): Part {
  const others = [...variables.values()].filter(
    ({ key }) => !known.has(key) && !/^ansible_/i.test(key) && !ofHosts.has(key),
  );
  return part({
    kept:
      others.length === 0
        ? []
        : [
            {
              title: 'Variables of the inventory that no key of a definition says:',
              data: withoutSecrets({
                'x-variables': Object.fromEntries(others.map(({ key, value }) => [key, plainOf(value)])),
              }),
            },
          ],
    faults: others
      .filter(isLegacy)
      .map(({ key, keyPlace }) =>
        doubtAt(
          keyPlace,
          `\`${key}\` is of old versions of kubespray; it is kept as a comment`,
          'what the current version calls it',
        ),
      ),
  });
}

/** Told at the machines themselves. */
const ofHosts = new Set([
  'ip',
  'access_ip',
  'ip6',
  'access_ip6',
  'etcd_member_name',
  'node_labels',
  'node_taints',
]);

const isLegacy = ({ key }: Entry): boolean =>
  [
    'containerd_registries',
    'containerd_insecure_registries',
    'etcd_kubeadm_enabled',
    'kube_master_count',
  ].includes(key);
