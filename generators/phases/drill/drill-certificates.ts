import { hasDrills } from './drill.ts';
import { program, renderedFile, type Phase } from '../phase.ts';

/** Whether certificates could be renewed today, found out in a copy; nothing of the cluster is touched. */
export const drillCertificates: Phase = {
  name: 'drill-certificates',
  what: 'Drill: show which certificate expires first, and rehearse the renewal of all in a copy in memory',
  hosts: 'kube_control_plane',
  tags: [{ name: 'drill-certificates', what: 'everything' }],
  applies: (cluster) => hasDrills(cluster) && cluster.kubernetes.installer === 'kubeadm',
  run: 'asked',
  parameters: [],
  render: (_cluster, fill) => [
    renderedFile('drill-certificates.yml', fill('drill/drill-certificates.yml.hbs', {})),
    program('files/drill-certificates/rehearse.sh', fill('drill/certificates-rehearse.sh.hbs', {})),
  ],
};
