import type { Cluster, Settings } from '../../cluster/cluster.ts';
import { renderedFile, type Phase } from '../phase.ts';
import { artifactsSettings } from './artifacts.ts';
import { isOffline } from '../offline.ts';
import { aptDirect, isProxied } from '../proxy-environment.ts';
import { settingsBelow } from '../settings.ts';

/** What the kubelet wants of the host below it. */
export const nodePrerequisites: Phase = {
  name: 'node-prerequisites',
  what: 'Configure swap, kernel modules, kernel parameters and the proxy of apt on every node',
  hosts: 'k8s_cluster',
  tags: [{ name: 'node-prerequisites', what: 'everything' }],
  applies: ({ kubernetes }) => kubernetes.installer === 'kubeadm',
  run: 'instantiate',
  parameters: [],
  render: (cluster, fill) => {
    const settings = [
      ...aptProxy(cluster).map((view) =>
        renderedFile(aptProxyPath, fill('node-prerequisites/apt-proxy.conf.hbs', view)),
      ),
      renderedFile(
        `${etc}/modules-load.d/kubernetes.conf`,
        fill('node-prerequisites/modules.conf.hbs', { modules: modulesOf(cluster) }),
      ),
      renderedFile(
        `${etc}/sysctl.d/90-kubernetes.conf`,
        fill('node-prerequisites/sysctl.conf.hbs', { parameters: parameters(cluster) }),
      ),
    ];
    const view = { settings: settingsBelow(etc, settings), gone: goneOf(cluster) };
    return [
      renderedFile('node-prerequisites.yml', fill('node-prerequisites/node-prerequisites.yml.hbs', view)),
      ...settings,
    ];
  },
};

/** Copied to `/etc/` as a whole. */
const etc = 'files/node-prerequisites/etc';
const aptProxyPath = `${etc}/apt/apt.conf.d/90playsmith-proxy`;

/** What apt has only with a proxy, or only offline: online there is no phase for artifacts. */
const goneOf = (cluster: Cluster): readonly string[] => [
  ...(isProxied(cluster) ? [] : ['apt/apt.conf.d/90playsmith-proxy']),
  ...(isOffline(cluster) ? [] : artifactsSettings),
];

const modulesOf = ({ kubernetes: { kubeProxy } }: Cluster): readonly string[] => [
  ...['overlay', 'br_netfilter'],
  ...(kubeProxy['mode'] === 'ipvs' ? ['ip_vs', `ip_vs_${schedulerOf(kubeProxy)}`] : []),
];

/** How IPVS chooses a pod of a Service; kube-proxy's own choice is `rr`. */
function schedulerOf({ ipvs }: Settings): string {
  const chosen = typeof ipvs === 'object' && !Array.isArray(ipvs) ? (ipvs as Settings)['scheduler'] : '';
  return typeof chosen === 'string' && /^[a-z]+$/.test(chosen) ? chosen : 'rr';
}

/** Only what the traffic of pods needs. */
function parameters({
  network,
  machines,
}: Cluster): readonly { readonly key: string; readonly value: string }[] {
  const hasIpv6 =
    [...network.podSubnets, ...network.nodeSubnets].some((subnet) => subnet.includes(':')) ||
    machines.some(({ family }) => family === 6);
  return [
    'net.ipv4.ip_forward',
    ...(hasIpv6 ? ['net.ipv6.conf.all.forwarding'] : []),
    'net.bridge.bridge-nf-call-iptables',
    'net.bridge.bridge-nf-call-ip6tables',
  ].map((key) => ({ key, value: '1' }));
}

/** One that wants a password is written by a phase of its own. */
function aptProxy(cluster: Cluster): readonly Readonly<Record<string, unknown>>[] {
  const { http, https, credentials } = cluster.proxy;
  if (!isProxied(cluster) || credentials) return [];
  const proxies = [
    { scheme: 'http', url: http },
    { scheme: 'https', url: https },
  ].filter(({ url }) => url !== '');
  return [{ proxies: proxies.map((proxy) => ({ ...proxy, direct: aptDirect(cluster) })) }];
}
