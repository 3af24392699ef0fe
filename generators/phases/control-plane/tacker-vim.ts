import { wants } from '../../cluster/extra-playbooks.ts';
import { renderedFile, type Parameter, type Phase } from '../phase.ts';
import { endpointUrl } from '../load-balancer/servers.ts';

/** What OpenStack Tacker needs to use the cluster as a VIM: a user with no more rights than that takes, and its token. */
export const tackerVim: Phase = {
  name: 'tacker-vim',
  what: 'Create a ServiceAccount for OpenStack Tacker, and keep the file that registers the cluster as a VIM',
  hosts: 'kube_control_plane',
  tags: [{ name: 'tacker-vim', what: 'everything' }],
  applies: (cluster) => cluster.kubernetes.installer !== 'none' && wants(cluster, 'tacker-vim'),
  run: 'asked',
  parameters: [
    {
      variable: 'tacker_vim_namespaces',
      what: 'the namespaces that Tacker may work in, joined by commas, the first one its project; default when not given',
      required: false,
      pattern: '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(,[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?){0,63}',
      example: 'tenant-a,tenant-b',
    },
    {
      variable: 'tacker_vim_hours',
      what: 'how long the token is good for, 8760 when not given; Kubernetes before 1.24 makes one without an end',
      required: false,
      pattern: '[1-9][0-9]{0,4}',
      example: '720',
    },
  ] satisfies readonly Parameter[],
  render: ({ endpoint }, fill) => {
    const view = { server: endpointUrl(endpoint) };
    return [
      renderedFile('tacker-vim.yml', fill('tacker-vim/tacker-vim.yml.hbs', view)),
      renderedFile('files/tacker-vim/account.py', fill('tacker-vim/account.py.hbs', view)),
    ];
  },
};
