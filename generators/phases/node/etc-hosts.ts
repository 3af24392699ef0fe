import { renderedFile, type Phase } from '../phase.ts';

/** Every node finds every machine of the cluster by its name, whatever the name service of the site says. */
export const etcHosts: Phase = {
  name: 'etc-hosts',
  what: 'Write all machines of the cluster to /etc/hosts of every node, by name',
  hosts: 'k8s_cluster',
  tags: [{ name: 'etc-hosts', what: 'everything' }],
  applies: ({ kubernetes }) => kubernetes.installer === 'kubeadm',
  run: 'instantiate',
  parameters: [],
  render: ({ machines }, fill) => [
    renderedFile(
      'etc-hosts.yml',
      fill('etc-hosts/etc-hosts.yml.hbs', {
        machines: machines.map(({ name, address }) => ({ name, line: `${address} ${name}` })),
      }),
    ),
  ],
};
