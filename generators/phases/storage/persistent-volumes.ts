import { dataFile } from '../../data-file.ts';
import { renderedFile, type Phase } from '../phase.ts';

/** PersistentVolumes for the exports. */
export const persistentVolumes: Phase = {
  name: 'persistent-volumes',
  what: 'Apply the PersistentVolumes and wait until they can be claimed; one that leads elsewhere is never replaced',
  hosts: 'kube_control_plane',
  tags: [{ name: 'persistent-volumes', what: 'everything' }],
  applies: ({ storage }) => storage.persistentVolumes.length > 0,
  run: 'instantiate',
  parameters: [],
  render: (cluster, fill) => [
    renderedFile('persistent-volumes.yml', fill('pv/persistent-volumes.yml.hbs', {})),
    dataFile(cluster.name, 'files/persistent-volumes/volumes.yml', {
      why: 'the PersistentVolumes, as Kubernetes is told them',
      data: cluster.storage.persistentVolumes.map(({ manifest }) => manifest),
    }),
  ],
};
