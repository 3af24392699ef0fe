import type { Cluster, Machine } from '../../cluster/cluster.ts';
import { isControlPlane } from '../../cluster/roles.ts';

/** Where a kubelet of the cluster may look for the API: at the endpoint, or on a control plane at its own server. */
export function serversOf({ endpoint, machines, network }: Cluster): readonly string[] {
  const controlPlanes = machines.filter(isControlPlane);
  return [
    url(endpoint, endpoint.port),
    ...controlPlanes.map((machine) => url(machine, network.apiServerPort)),
  ];
}

const url = ({ address, family }: Pick<Machine, 'address' | 'family'>, port: number): string =>
  family === 6 ? `https://[${address}]:${port}` : `https://${address}:${port}`;
