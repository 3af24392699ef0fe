import type { Cluster } from '../../cluster/cluster.ts';
import { renderedFile, type Phase } from '../phase.ts';

/** Every node finds every machine of the cluster and the endpoint by name, whatever the name service of the site says. */
export const etcHosts: Phase = {
  name: 'etc-hosts',
  what: 'Write all machines of the cluster to /etc/hosts of every node, by name',
  hosts: 'k8s_cluster',
  tags: [{ name: 'etc-hosts', what: 'everything' }],
  applies: ({ kubernetes }) => kubernetes.installer === 'kubeadm',
  run: 'instantiate',
  parameters: [],
  render: (cluster, fill) => [
    renderedFile(
      'etc-hosts.yml',
      fill('etc-hosts/etc-hosts.yml.hbs', { names: namesOf(cluster).map(lineOf) }),
    ),
  ],
};

interface HostName {
  readonly name: string;
  readonly address: string;
}

/** Those of the machines; and that of the endpoint, which kubelets must find before anything of the cluster runs. */
const namesOf = ({ machines, endpoint: { dnsName, address } }: Cluster): readonly HostName[] => [
  ...machines,
  ...(dnsName === undefined ? [] : [{ name: dnsName, address }]),
];

const lineOf = ({ name, address }: HostName): { readonly name: string; readonly line: string } => ({
  name,
  line: `${address} ${name}`,
});
