import { serverFiles } from './server-files.ts';
import { isOffline } from '../offline.ts';
import { renderedFile, type Phase } from '../phase.ts';
import { isProxied } from '../proxy-environment.ts';

/** Volumes and what of them is exported, on every storage server. */
export const nfsServer: Phase = {
  name: 'nfs-server',
  what: 'Mount the volumes of the storage servers and export their folders over NFS; a device that holds anything else is refused',
  hosts: 'storage_servers',
  tags: [
    { name: 'nfs-server', what: 'everything below' },
    { name: 'nfs-server_install', what: 'the packages' },
    { name: 'nfs-server_config', what: 'the volumes, the exports and the service' },
    { name: 'verify', what: 'the server answers' },
  ],
  applies: ({ storage }) => storage.servers.length > 0,
  run: 'instantiate',
  parameters: [],
  render: (cluster, fill) => {
    const view = { offline: isOffline(cluster), proxied: isProxied(cluster) };
    return [
      renderedFile('nfs-server.yml', fill('nfs/nfs-server.yml.hbs', view)),
      renderedFile('files/nfs-server/volumes.py', fill('nfs/volumes.py.hbs', {})),
      ...cluster.storage.servers.flatMap((server) => serverFiles(cluster, server, fill)),
    ];
  },
};
