import { renderedFile, type Phase } from '../phase.ts';

/** Who uses the storage servers: asked before one of them is touched. */
export const storageUse: Phase = {
  name: 'storage-use',
  what: 'Show which PersistentVolumes are bound, by which claims and pods of all namespaces, and which clients are connected; changes nothing',
  hosts: 'kube_control_plane:storage_servers',
  tags: [{ name: 'storage-use', what: 'everything' }],
  applies: ({ storage }) => storage.servers.length > 0,
  run: 'asked',
  told: () => 'storage_use_operation',
  parameters: [
    {
      variable: 'storage_use_required',
      what: '`free`: it fails when a pod uses one of the volumes',
      required: false,
      pattern: 'free',
      example: 'free',
      operations: ['storage-use'],
    },
  ],
  render: ({ storage }, fill) => [
    renderedFile(
      'storage-use.yml',
      fill('pv/storage-use.yml.hbs', {
        names: storage.persistentVolumes.map(({ name }) => name),
        servers: storage.servers.map(({ address }) => address),
      }),
    ),
  ],
};
