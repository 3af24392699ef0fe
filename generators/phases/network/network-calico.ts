import type { Cluster } from '../../cluster/cluster.ts';
import { dataFile, type Data } from '../../data-file.ts';
import { sha256 as checksumOf } from '../../digest.ts';
import type { Fill, View } from '../../engine.ts';
import { configurationFolder } from '../kubeadm/api-server.ts';
import { documentsFile } from '../../data-file.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { artifactsView, isOffline } from '../offline.ts';
import { renderedFile } from '../phase.ts';
import { isProxied } from '../proxy-environment.ts';

/** Where the network's files lie on the control plane that applies them. */
export const networkFolder = `${configurationFolder}/network`;

/** Calico: the manifest as it was reviewed, here or where it is fetched from, and a patch that says what is different in this cluster. */
export function calicoFiles(cluster: Cluster, fill: Fill): readonly RenderedFile[] {
  return [
    renderedFile('network.yml', fill('network/calico.yml.hbs', playbookView(cluster))),
    ...(cluster.podNetwork.manifest === undefined
      ? []
      : [renderedFile('files/network/plugin.yaml', cluster.podNetwork.manifest)]),
    dataFile(cluster.name, 'files/network/kustomization.yaml', {
      why: 'the manifest of Calico and what is different here',
      data: kustomization,
    }),
    documentsFile(cluster.name, 'files/network/patch.yaml', {
      why: 'what is different from the manifest of Calico',
      documents: [calicoNode(cluster), calicoConfig(cluster)],
    }),
  ];
}

function playbookView(cluster: Cluster): View {
  const { url, sha256, manifest } = cluster.podNetwork;
  const isRendered = manifest !== undefined;
  const source = 'manifests/calico.yaml';
  const artifacts = artifactsView(cluster);
  return {
    folder: networkFolder,
    proxied: isProxied(cluster) && !isRendered,
    rendered: isRendered,
    offline: isOffline(cluster) && !isRendered,
    artifacts,
    source,
    path: `${artifacts.folder}/${source}`,
    url,
    checksum: `sha256:${sha256}`,
  };
}

const kustomization: Data = {
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
  resources: ['plugin.yaml'],
  patches: [{ path: 'patch.yaml' }],
};

const calicoNode = ({ network, podNetwork }: Cluster): Data => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'calico-node', namespace: 'kube-system' },
  spec: {
    template: {
      // It reads its settings when it starts: other ones roll it out.
      metadata: { annotations: { 'playsmith.dev/settings': digestOf({ network, podNetwork }) } },
      spec: {
        containers: [
          {
            name: 'calico-node',
            ...(podNetwork.encapsulation === 'vxlan' ? withoutBird : {}),
            env: [
              ...network.podSubnets.flatMap((subnet) => calicoPool(subnet, podNetwork.encapsulation)),
              // A node is reached at the address that its kubelet registered, whatever other networks it has.
              ...families(network).map((family) => ({
                name: family === 6 ? 'IP6_AUTODETECTION_METHOD' : 'IP_AUTODETECTION_METHOD',
                value: 'kubernetes-internal-ip',
              })),
              ...(families(network).includes(4) ? [] : withoutFour),
            ],
          },
        ],
      },
    },
  },
});

/** With VXLAN nothing speaks BGP: Felix is asked alone, where Calico's own probes ask for BIRD, too. */
const withoutBird = {
  livenessProbe: askingFelix('/liveness'),
  readinessProbe: askingFelix('/readiness'),
};

function askingFelix(path: string): Data {
  return {
    $patch: 'replace',
    httpGet: { host: 'localhost', path, port: 9099 },
    ...{ periodSeconds: 10, timeoutSeconds: 10, failureThreshold: 6 },
  };
}

/** The identifier of a BGP router is made of an IPv4 address otherwise. */
const withoutFour: readonly Data[] = [
  { name: 'IP', value: 'none' },
  { name: 'CALICO_ROUTER_ID', value: 'hash' },
];

const families = ({ podSubnets }: Cluster['network']): readonly (4 | 6)[] =>
  podSubnets.map((subnet) => (subnet.includes(':') ? 6 : 4));

/** A pool is made once, when Calico begins; there is no IPIP for IPv6. */
const calicoPool = (subnet: string, encapsulation: string): readonly Data[] =>
  subnet.includes(':')
    ? [
        { name: 'CALICO_IPV6POOL_CIDR', value: subnet },
        { name: 'CALICO_IPV6POOL_VXLAN', value: always(encapsulation === 'vxlan') },
        { name: 'CALICO_IPV6POOL_NAT_OUTGOING', value: 'true' },
        { name: 'IP6', value: 'autodetect' },
        { name: 'FELIX_IPV6SUPPORT', value: 'true' },
      ]
    : [
        { name: 'CALICO_IPV4POOL_CIDR', value: subnet },
        { name: 'CALICO_IPV4POOL_IPIP', value: always(encapsulation === 'ipip') },
        { name: 'CALICO_IPV4POOL_VXLAN', value: always(encapsulation === 'vxlan') },
      ];

const always = (holds: boolean): string => (holds ? 'Always' : 'Never');

type CalicoSettings = Pick<Cluster, 'network' | 'podNetwork'>;

const digestOf = (settings: CalicoSettings): string =>
  checksumOf(JSON.stringify(calicoConfig(settings))).slice(0, 12);

/** Calico writes what it finds out itself where the configuration of the runtime says `__…__`. */
function calicoConfig({ network, podNetwork }: CalicoSettings): Data {
  const has = (six: boolean): string =>
    String(network.podSubnets.some((subnet) => subnet.includes(':') === six));
  const configuration = {
    name: 'k8s-pod-network',
    cniVersion: '0.3.1',
    plugins: [
      {
        type: 'calico',
        log_level: 'info',
        log_file_path: '/var/log/calico/cni/cni.log',
        datastore_type: 'kubernetes',
        nodename: '__KUBERNETES_NODE_NAME__',
        mtu: '__CNI_MTU__',
        ipam: { type: 'calico-ipam', assign_ipv4: has(false), assign_ipv6: has(true) },
        policy: { type: 'k8s' },
        kubernetes: { kubeconfig: '__KUBECONFIG_FILEPATH__' },
      },
      { type: 'portmap', snat: true, capabilities: { portMappings: true } },
      { type: 'bandwidth', capabilities: { bandwidth: true } },
    ],
  };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'calico-config', namespace: 'kube-system' },
    data: {
      ...(podNetwork.encapsulation === 'vxlan' ? { calico_backend: 'vxlan' } : {}),
      veth_mtu: String(podNetwork.mtu),
      // Calico wants a number there.
      cni_network_config: JSON.stringify(configuration, null, 2).replace('"__CNI_MTU__"', '__CNI_MTU__'),
    },
  };
}
