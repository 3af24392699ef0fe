import { everything, hasNodes, named, type Operation } from './operation.ts';

/** Builds the storage server anew and registers its volumes again; refuses while somebody uses one of them. */
export const healStorage: Operation = {
  name: 'heal-storage',
  what: 'Build the storage server anew, its surviving data kept, and register its volumes again; refused while one is in use',
  applies: (cluster) => hasNodes(cluster) && cluster.storage.servers.length > 0,
  parts: (phases) =>
    named(phases, ['storage-use', 'forget-volumes', 'nfs-server', 'nfs-client', 'persistent-volumes']),
  targets: everything,
  danger: 'reformat',
};
