import { renderedFile, type Phase } from '../phase.ts';

/** The administrator's kubeconfig, fetched to where only the Ansible server's user reads it. */
export const kubeconfig: Phase = {
  name: 'kubeconfig',
  what: "Fetch the administrator's kubeconfig to the Ansible server, readable by its user alone",
  hosts: 'kube_control_plane',
  tags: [{ name: 'kubeconfig', what: 'everything' }],
  applies: ({ kubernetes }) => kubernetes.installer !== 'none',
  run: 'asked',
  parameters: [],
  render: (_, fill) => [renderedFile('kubeconfig.yml', fill('kubeconfig/kubeconfig.yml.hbs', {}))],
};
