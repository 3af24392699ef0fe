import { wants } from '../../cluster/extra-playbooks.ts';
import { renderedFile, type Phase } from '../phase.ts';

/** What keys took that are gone is given back to the disk, and an etcd that is full takes writes again. */
export const etcdDefragment: Phase = {
  name: 'etcd-defragment',
  what: 'Defragment etcd, one member at a time with the leader last, and clear its alarm NOSPACE when that is asked for',
  hosts: 'kube_control_plane',
  tags: [{ name: 'etcd-defragment', what: 'everything' }],
  applies: (cluster) => cluster.kubernetes.installer === 'kubeadm' && wants(cluster, 'etcd-defragment'),
  run: 'asked',
  parameters: [
    {
      variable: 'etcd_defragment_percent',
      what: "how much of a member's file has to be free before it is defragmented, 20 when not given",
      required: false,
      pattern: '[0-9]{1,2}',
      example: '50',
    },
    {
      variable: 'etcd_defragment_disarm',
      what: 'where etcd takes no more writes for want of space: also compact its history, defragment every member, and disarm the alarm',
      required: false,
      pattern: 'true|false',
      example: 'true',
    },
  ],
  render: (_, fill) => [
    renderedFile('etcd-defragment.yml', fill('etcd-defragment/etcd-defragment.yml.hbs', {})),
  ],
};
