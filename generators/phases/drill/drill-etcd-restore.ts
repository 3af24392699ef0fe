import { hasDrills } from './drill.ts';
import { program, renderedFile, type Phase } from '../phase.ts';

/** Whether a snapshot can be gone back to, found out beside the live etcd; nothing of the cluster is touched. */
export const drillEtcdRestore: Phase = {
  name: 'drill-etcd-restore',
  what: 'Drill: restore a fresh snapshot of etcd into a scratch folder, and compare it with the live etcd',
  hosts: 'kube_control_plane',
  tags: [{ name: 'drill-etcd-restore', what: 'everything' }],
  applies: (cluster) => hasDrills(cluster) && cluster.kubernetes.installer === 'kubeadm',
  run: 'asked',
  parameters: [],
  render: (_cluster, fill) => [
    renderedFile('drill-etcd-restore.yml', fill('drill/drill-etcd-restore.yml.hbs', {})),
    program('files/drill-etcd-restore/rehearse.sh', fill('drill/etcd-rehearse.sh.hbs', {})),
  ],
};
