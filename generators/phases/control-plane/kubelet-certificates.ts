import type { Cluster } from '../../cluster/cluster.ts';
import { isControlPlane } from '../../cluster/roles.ts';
import { dataFile, type Data } from '../../data-file.ts';
import { parseAddress } from '../../source/networks.ts';
import { renderedFile, type Phase } from '../phase.ts';

/** Approves what kubelets ask for when they join and when their certificate gets old: the controller manager does not. */
export const kubeletCertificates: Phase = {
  name: 'kubelet-certificates',
  what: 'Approve the serving certificates that kubelets of this inventory ask for, and wait until they serve with them',
  hosts: 'k8s_cluster',
  tags: [{ name: 'kubelet-certificates', what: 'everything' }],
  applies: ({ kubernetes }) => kubernetes.serverTLSBootstrap === true,
  run: 'instantiate',
  parameters: [],
  render: (cluster, fill) => [
    renderedFile('kubelet-certificates.yml', fill('kubelet-certificates/kubelet-certificates.yml.hbs', {})),
    dataFile(cluster.name, 'files/kubelet-certificates/nodes.yml', {
      why: 'the addresses that the serving certificate of each kubelet may name',
      data: addressesOf(cluster),
    }),
  ],
};

const addressesOf = (cluster: Cluster): Data =>
  Object.fromEntries(
    cluster.machines
      .filter((machine) => isControlPlane(machine) || machine.roles.includes('worker'))
      .map(({ name, address, secondaryAddress, ssh }) => [
        name,
        [
          ...new Set([
            address,
            ...(secondaryAddress === '' ? [] : [secondaryAddress]),
            ...outside(cluster, ssh.host),
          ]),
        ],
      ]),
  );

/** A cloud may tell the node of an address outside, like a floating one, by which the Ansible server reaches it alone. */
function outside({ kubernetes, machines }: Cluster, host: string): readonly string[] {
  const isOwn = machines.filter(({ ssh }) => ssh.host === host).length === 1;
  return kubernetes.externalCloudProvider && isOwn && parseAddress(host) ? [host] : [];
}
