import type { Cluster, StorageServer } from '../../cluster/cluster.ts';
import { dataFile, type Data } from '../../data-file.ts';
import { isOffline } from '../offline.ts';
import { renderedFile, type Phase } from '../phase.ts';
import { isProxied } from '../proxy-environment.ts';

/** What a node needs to mount what storage servers export. */
export const nfsClient: Phase = {
  name: 'nfs-client',
  what: 'Install the NFS client on every node, and test each export from it',
  hosts: 'k8s_cluster',
  tags: [
    { name: 'nfs-client', what: 'everything below' },
    { name: 'nfs-client_install', what: 'the package' },
    { name: 'verify', what: 'a file is written to every export, read and taken away' },
  ],
  applies: ({ storage }) => storage.servers.length > 0,
  run: 'instantiate',
  parameters: [],
  render: (cluster, fill) => {
    const view = { offline: isOffline(cluster), proxied: isProxied(cluster) };
    return [
      renderedFile('nfs-client.yml', fill('nfs/nfs-client.yml.hbs', view)),
      renderedFile('files/nfs-client/use.py', fill('nfs/use.py.hbs', {})),
      dataFile(cluster.name, 'files/nfs-client/exports.yml', {
        why: 'what storage servers export, and to whom',
        data: cluster.storage.servers.flatMap((server) => exportsOf(server, cluster)),
      }),
    ];
  },
};

/** An export is needed on every node when a PersistentVolume leads to it, since its pods can be anywhere. */
const exportsOf = ({ host, address, exports }: StorageServer, { storage }: Cluster): readonly Data[] =>
  exports.map(({ path, clients, options }) => ({
    server: address,
    path,
    clients,
    access: options.access,
    needed: storage.persistentVolumes.some((volume) => volume.host === host && volume.path === path),
  }));
