import type { Cluster } from '../../cluster/cluster.ts';
import { isControlPlane } from '../../cluster/roles.ts';
import { dataFile, type Data } from '../../data-file.ts';
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

const addressesOf = ({ machines }: Cluster): Data =>
  Object.fromEntries(
    machines
      .filter((machine) => isControlPlane(machine) || machine.roles.includes('worker'))
      .map(({ name, address, secondaryAddress }) => [
        name,
        secondaryAddress === '' ? [address] : [address, secondaryAddress],
      ]),
  );
