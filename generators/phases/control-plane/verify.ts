import type { Cluster, Machine } from '../../cluster/cluster.ts';
import { isKubespray } from '../kubespray/phase.ts';
import { renderedFile, type Phase } from '../phase.ts';
import { isControlPlane } from '../../cluster/roles.ts';
import { endpointUrl } from '../load-balancer/servers.ts';

/** Looks at the whole cluster as its users do, and from inside pods. */
export const verify: Phase = {
  name: 'verify',
  what: 'Check API servers, etcd, nodes and DNS, and that pods reach each other from node to node',
  hosts: 'k8s_cluster',
  tags: [{ name: 'verify', what: 'everything' }],
  applies: ({ kubernetes }) => kubernetes.installer !== 'none',
  run: 'instantiate',
  told: (cluster) => (isKubespray(cluster) ? undefined : 'verify_operation'),
  parameters: [],
  render: (cluster, fill) => {
    if (isKubespray(cluster)) return ofKubespray(cluster, fill);
    return [renderedFile('verify.yml', fill('verify/verify.yml.hbs', { ...viewOf(cluster) }))];
  },
};

/** Where etcd and the pods' network are kubespray's, and are checked by it: what clients see. */
const ofKubespray: Phase['render'] = (cluster, fill) => {
  const { kubernetes, endpoint, machines } = cluster;
  const view = {
    version: kubernetes.version,
    server: endpointUrl(endpoint),
    nodes: JSON.stringify(machines.filter(isNode).map(({ name }) => name)),
  };
  return [
    renderedFile('verify.yml', fill('verify/kubespray.yml.hbs', view)),
    renderedFile('files/verify/nodes.py', fill('verify/nodes.py.hbs', view)),
  ];
};

function viewOf({ kubernetes, network, containerd, podNetwork, endpoint }: Cluster): VerifyView {
  const balanced = endpoint.balancers.length > 0;
  return {
    balanced,
    reached: `k8s_cluster${balanced ? ':load_balancers' : ''}:!others`,
    address: endpoint.address,
    version: kubernetes.version,
    port: network.apiServerPort,
    // Every node has it, since no pod starts without it.
    image: containerd.pauseImage,
    plugged: podNetwork.plugin !== 'none',
    cloud: kubernetes.externalCloudProvider !== undefined,
    serverTLSBootstrap: kubernetes.serverTLSBootstrap === true,
  };
}

interface VerifyView {
  readonly balanced: boolean;
  readonly reached: string;
  readonly address: string;
  readonly version: string;
  readonly port: number;
  readonly image: string;
  readonly plugged: boolean;
  readonly cloud: boolean;
  readonly serverTLSBootstrap: boolean;
}

const isNode = (machine: Machine): boolean => isControlPlane(machine) || machine.roles.includes('worker');
