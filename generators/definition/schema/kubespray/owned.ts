import type { OwnedFields } from './free.ts';

const all = (names: string, why: string): OwnedFields => Object.fromEntries(names.split(' ').map((name) => [name, why]));

const certificates = 'kubeadm makes the certificates and knows where they lie';
const network = 'it follows from `network`';
const topology = 'it follows from the nodes';

/** Arguments that follow from the rest of the definition, or that the playbooks rely on. */
export const ownedArguments = {
  apiServer: {
    ...all('advertise-address etcd-servers', topology),
    ...all('secure-port service-cluster-ip-range', network),
    ...all(
      'client-ca-file etcd-cafile etcd-certfile etcd-keyfile kubelet-client-certificate kubelet-client-key proxy-client-cert-file proxy-client-key-file requestheader-client-ca-file service-account-key-file service-account-signing-key-file tls-cert-file tls-private-key-file',
      certificates,
    ),
    ...all(
      'audit-log-maxage audit-log-maxbackup audit-log-maxsize audit-log-path audit-policy-file',
      '`audit` of kubeadm says it',
    ),
    ...all('encryption-provider-config', '`encryption` of kubeadm says it'),
    ...all('enable-bootstrap-token-auth', 'nodes join by a token'),
    ...all('anonymous-auth', 'load balancer and kubelet ask `/readyz` and `/livez` without a name'),
    ...all('insecure-bind-address insecure-port', 'everybody would be allowed everything there'),
  },
  controllerManager: {
    ...all(
      'allocate-node-cidrs cluster-cidr node-cidr-mask-size node-cidr-mask-size-ipv4 node-cidr-mask-size-ipv6 service-cluster-ip-range',
      network,
    ),
    ...all(
      'authentication-kubeconfig authorization-kubeconfig client-ca-file cluster-signing-cert-file cluster-signing-key-file kubeconfig requestheader-client-ca-file root-ca-file service-account-private-key-file',
      certificates,
    ),
    ...all('cluster-name', 'it is `metadata.name`, or `clusterName` of kubeadm'),
    ...all('leader-elect', 'one of several control planes leads'),
    ...all('use-service-account-credentials', 'kubeadm relies on it'),
  },
  scheduler: {
    ...all('authentication-kubeconfig authorization-kubeconfig kubeconfig', certificates),
    ...all('leader-elect', 'one of several control planes leads'),
  },
  etcd: {
    ...all(
      'advertise-client-urls initial-advertise-peer-urls initial-cluster initial-cluster-state initial-cluster-token listen-client-urls listen-metrics-urls listen-peer-urls name',
      topology,
    ),
    ...all(
      'cert-file client-cert-auth key-file peer-cert-file peer-client-cert-auth peer-key-file peer-trusted-ca-file trusted-ca-file',
      certificates,
    ),
    ...all('data-dir wal-dir', 'backup and restore know where the data lie'),
    ...all('force-new-cluster', 'it would cut the members apart at every start'),
  },
} as const satisfies Readonly<Record<string, OwnedFields>>;

export const ownedByKubelet: OwnedFields = {
  ...all('apiVersion kind', 'it is written by itself'),
  ...all('cgroupDriver', 'containerd and kubelet must have the same, which is systemd'),
  ...all('clusterDNS podCIDR', network),
  ...all('clusterDomain', 'kubeadm says it to the DNS server too'),
  ...all('staticPodPath', 'the control plane starts from there'),
  ...all('authentication authorization rotateCertificates tlsCertFile tlsPrivateKeyFile', certificates),
  ...all('serverTLSBootstrap', '`serverTLSBootstrap` of kubeadm says it, and has the certificates approved'),
  ...all('containerRuntimeEndpoint imageServiceEndpoint', 'containerd has one socket'),
  ...all('healthzBindAddress healthzPort port', 'kubeadm and the API server look there'),
  ...all('registerNode', 'every machine of `nodes` is a node'),
  ...all('registerWithTaints', '`taints` of a node say it, also for nodes that are there'),
  ...all('providerID', 'a controller of the cloud gives it: `externalCloudProvider` of kubeadm'),
};

export const ownedByKubeProxy: OwnedFields = {
  ...all('apiVersion kind', 'it is written by itself'),
  ...all('clientConnection', 'kubeadm says how it reaches the API'),
  ...all('clusterCIDR', network),
  ...all('hostnameOverride', 'one configuration is for all nodes'),
};

export const ownedByCilium: OwnedFields = {
  ...all('ipam ipv4 ipv6', network),
  ...all('routingMode tunnelProtocol', 'packets of pods travel in VXLAN, for which the ports are open'),
  ...all('MTU', '`network.mtu` says it'),
  ...all('hubble', 'its certificates would be new in every manifest, and no second run would be without a change'),
  ...all('kubeProxyReplacement', 'kubeadm installs kube-proxy'),
};

export const ownedByCri: OwnedFields = {
  ...all('sandbox_image sandbox', '`pauseImage` says it'),
  ...all('enable_tls_streaming stream_server_address stream_server_port', 'the kubelet looks there'),
};
