import { rendered, type Phase } from '../phase.ts';

/** Every node finds every machine of the cluster by its name, whatever the name service of the site says. */
export const names: Phase = {
  name: 'names',
  what: 'Name all machines of the cluster in /etc/hosts of every node',
  hosts: 'k8s_cluster',
  tags: [{ name: 'names', what: 'everything' }],
  applies: ({ kubernetes }) => kubernetes.installer === 'kubeadm',
  run: 'instantiate',
  parameters: [],
  render: ({ machines }, fill) => [
    rendered(
      'names.yml',
      fill('names/names.yml.hbs', {
        machines: machines.map(({ name, address }) => ({ name, line: `${address} ${name}` })),
      }),
    ),
  ],
};
