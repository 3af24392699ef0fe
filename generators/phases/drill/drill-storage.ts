import type { Cluster, Export, StorageServer } from '../../cluster/cluster.ts';
import { dataFile, type Data } from '../../data-file.ts';
import { outage } from '../../definition/schema/kubernetes/drills.ts';
import { sha256 } from '../../digest.ts';
import type { Fill } from '../../engine.ts';
import { drillsOf } from '../../resolve/drills.ts';
import { kinds } from '../../cluster/storage-kinds.ts';
import { serverFiles } from '../storage/server-files.ts';
import { mountOptionsOf, trialsOf, volumesOn } from '../../definition/storage/trials.ts';
import { confirmation, guardView, hasDrills, nodeParameter } from './drill.ts';
import { renderedFile, type Phase } from '../phase.ts';
import { isControlPlane } from '../../cluster/roles.ts';

/** Whether storage serves what it should, and how long a writer waits when the way to it is cut for a while. */
export const drillStorage: Phase = {
  name: 'drill-storage',
  what: 'Drill: inspect storage servers, nodes and PersistentVolumes; then cut the connection of a test volume of its own, measure, and revert',
  hosts: 'storage_servers:k8s_cluster',
  tags: [{ name: 'drill-storage', what: 'everything' }],
  // The first control plane speaks for the cluster, also where somebody else installs it.
  applies: (cluster) =>
    hasDrills(cluster) && cluster.machines.some(isControlPlane) && trialsOf(cluster).length > 0,
  run: 'asked',
  parameters: [
    confirmation('drill-storage'),
    nodeParameter(
      'drill_storage_node',
      'the storage server of the test volume; the first when not given',
      'storage01',
    ),
    {
      variable: 'drill_storage_export',
      what: 'the export in which the test volume is; the first that a PersistentVolume leads to when not given',
      required: false,
      pattern: '(/[A-Za-z0-9._-]+)+',
      example: '/volume/nfs/pv1',
    },
  ],
  render: (cluster, fill) => {
    const view = viewOf(cluster);
    return [
      renderedFile('drill-storage.yml', fill('drill/drill-storage.yml.hbs', view)),
      renderedFile('files/drill-storage/volume.py', fill('drill/volume.py.hbs', view)),
      ...['server', 'node', 'volumes'].map((name) =>
        renderedFile(`files/drill-storage/${name}.py`, fill(`drill/storage-${name}.py.hbs`, view)),
      ),
      dataFile(cluster.name, 'files/drill-storage/wanted.yml', {
        why: 'what a drill of the storage asks for, and which test volumes it may make',
        data: storageSettings(cluster, fill),
      }),
    ];
  },
};

const viewOf = (cluster: Cluster): Readonly<Record<string, unknown>> => {
  const { limits, atMost } = drillsOf(cluster);
  return {
    ...{ phase: 'drill-storage', drill: 'storage', cluster: cluster.name, atMost },
    ...guardView(cluster),
    limit: limits.storage,
    least: outage,
    // As long as everything may take: the fault, the way back, and the questions in between.
    asking: atMost + 360,
  };
};

const storageSettings = (cluster: Cluster, fill: Fill): Data => ({
  servers: Object.fromEntries(
    cluster.storage.servers.map((server) => [server.host, serverSettings(cluster, server, fill)]),
  ),
  exports: cluster.storage.servers.flatMap(({ host, address, exports }) =>
    exports.map(({ path, clients }) => {
      const volumes = volumesOn(cluster, host, path);
      const needed = volumes.length > 0;
      return { server: address, path, clients, needed, options: volumes.map(mountOptionsOf) };
    }),
  ),
  volumes: cluster.storage.persistentVolumes.map((volume) => ({
    ...{ name: volume.name, path: volume.path, options: mountOptionsOf(volume) },
    server: cluster.storage.servers.find(({ host }) => host === volume.host)?.address ?? '',
  })),
  trials: trialsOf(cluster).map((trial) => ({ ...trial })),
});

function serverSettings(cluster: Cluster, server: StorageServer, fill: Fill): Data {
  const etc = `files/nfs-server/${server.host}/etc/`;
  const settings = serverFiles(cluster, server, fill).filter(({ path }) => path.startsWith(etc));
  return {
    ...{ unit: kinds[server.server].unit, threads: server.server === 'kernel', address: server.address },
    mountPoints: server.volumes.map(({ mountTo }) => mountTo),
    settings: Object.fromEntries(settings.map(({ path, text }) => [path.slice(etc.length), sha256(text)])),
    exports: server.exports.map((each) => ({
      ...{ path: each.path, clients: each.clients, words: wordsOf(each) },
    })),
  };
}

/** As the table of the kernel's server has them, which knows `root_squash` only as one of two words. */
const wordsOf = ({ options }: Export): readonly string[] => [
  ...[options.access, options.writes, options.ports, options.subtree],
  ...(options.squash === 'all_squash' ? [] : ['no_all_squash']),
  options.squash,
];
