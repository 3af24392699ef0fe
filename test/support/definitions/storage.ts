import type { Cluster, Export, StorageServer } from '../../../generators/cluster/cluster.ts';
import { exportOptions } from '../../../generators/cluster/storage-exports.ts';
import { cluster, kubeadmCluster, machine } from './clusters.ts';

export const exported = (path: string, overrides: Partial<Export> = {}): Export => ({
  path,
  mountTo: '/volume',
  clients: ['10.0.0.0/24'],
  options: exportOptions([]),
  owner: { user: 65_534, group: 65_534, mode: '0770', when: 'new' },
  ...overrides,
});

export const storageServer = (overrides: Partial<StorageServer> = {}): StorageServer => ({
  host: 'storage1',
  address: '10.0.0.90',
  server: 'kernel',
  volumes: [
    {
      by: 'device',
      device: '/dev/vdb',
      mountTo: '/volume',
      fileSystem: 'ext4',
      forceFormat: { device: '', signature: '' },
    },
  ],
  exports: [exported('/volume/pv1')],
  ...overrides,
});

/** A cluster with storage servers beside it, and a PersistentVolume on the first export of each. */
export function stored(
  servers: readonly StorageServer[] = [storageServer()],
  base = kubeadmCluster(),
): Cluster {
  const machines = [
    ...base.machines,
    ...servers.map(({ host, address }) => machine(host, address, { roles: ['storage'] })),
  ];
  const persistentVolumes = servers.map(({ host, address, exports }, index) => {
    const path = exports[0]?.path ?? '';
    const name = `pv${index + 1}`;
    const spec = {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteMany'],
      nfs: { server: address, path },
    };
    return {
      name,
      path,
      host,
      manifest: { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name }, spec },
    };
  });
  return cluster({ ...base, machines, storage: { servers, persistentVolumes } });
}
