import type { Cluster, Machine } from '../../cluster/cluster.ts';
import { isControlPlane, isOnlyWorker } from '../../cluster/roles.ts';
import { expression, type Data } from '../../data-file.ts';
import { kubeadmApi } from './api.ts';
import { patchFolder } from './own-kubelet.ts';
import { hostFiles, type HostFiles } from './host-files.ts';
import { endpointOf, localEndpoint, nodeRegistration } from './documents.ts';

/** What control planes are told that join, and what workers are told: a file, and how Ansible reads it. */
export const joinFiles = (cluster: Cluster, role: 'control-plane' | 'worker'): HostFiles =>
  hostFiles(cluster, cluster.machines.filter(role === 'worker' ? isOnlyWorker : isControlPlane), {
    path: role === 'worker' ? 'files/workers/join' : 'files/control-plane/join',
    why: 'how {{ inventory_hostname }} joins; Ansible fills in the invitation',
    documents: (machine) => [
      joinDocument(cluster, machine, role === 'worker' ? 'workers_invitation' : 'control_plane_invitation'),
    ],
  });

/** What `kubeadm join` is told on one machine. What is secret in it, Ansible fills in from the invitation. */
function joinDocument(
  cluster: Cluster,
  machine: Machine,
  invitation: string,
): Readonly<Record<string, Data>> {
  const invited = (key: string): Data => expression(`{{ ${invitation}.${key} }}`);
  const controlPlane = {
    controlPlane: {
      localAPIEndpoint: localEndpoint(cluster),
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
