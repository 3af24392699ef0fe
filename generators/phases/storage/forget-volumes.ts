import { renderedFile, type Phase } from '../phase.ts';

/** Takes back what Kubernetes was told of the exports; nothing on the storage server is touched. */
export const forgetVolumes: Phase = {
  name: 'forget-volumes',
  what: 'Delete the unclaimed PersistentVolumes of the definition, to register them again',
  hosts: 'kube_control_plane',
  tags: [{ name: 'forget-volumes', what: 'everything' }],
  applies: ({ storage }) => storage.persistentVolumes.length > 0,
  run: 'part',
  parameters: [
    {
      variable: 'forget_volumes_confirm',
      what: 'the name of the cluster, since the storage of all its volumes is rebuilt',
      required: true,
      pattern: '[a-z0-9]([a-z0-9-]*[a-z0-9])?',
      example: 'edge-a',
      operations: ['heal-storage'],
    },
  ],
  render: ({ name: cluster, storage }, fill) => [
    renderedFile(
      'forget-volumes.yml',
      fill('pv/forget-volumes.yml.hbs', {
        cluster,
        names: storage.persistentVolumes.map(({ name }) => name),
      }),
    ),
  ],
};
