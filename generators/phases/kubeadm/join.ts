import type { Cluster, Machine } from '../../cluster/cluster.ts';
import { expression, type Data } from '../../data-file.ts';
import { kubeadmApi } from './api.ts';
import { patchFolder } from './own-kubelet.ts';
import { endpointOf, localEndpoint, nodeRegistration } from './documents.ts';

/** What `kubeadm join` is told on one machine. What is secret in it, Ansible fills in from the invitation. */
export function joinDocument(
  cluster: Cluster,
  machine: Machine,
  invitation: string,
): Readonly<Record<string, Data>> {
  const invited = (key: string): Data => expression(`{{ ${invitation}.${key} }}`);
  const controlPlane = {
    controlPlane: {
      localAPIEndpoint: localEndpoint(cluster, machine),
      certificateKey: invited('certificate_key'),
    },
  };
  return {
    apiVersion: kubeadmApi,
    kind: 'JoinConfiguration',
    discovery: {
      bootstrapToken: {
        apiServerEndpoint: endpointOf(cluster),
        token: invited('token'),
        caCertHashes: [invited('authority')],
      },
    },
    nodeRegistration: nodeRegistration(cluster, machine),
    ...(machine.kubelet === undefined ? {} : { patches: { directory: patchFolder } }),
    ...(machine.roles.includes('control-plane') ? controlPlane : {}),
  };
}
