import type {
  Export,
  PersistentVolume,
  Settings,
  Storage,
  StorageServer,
  Volume,
} from '../cluster/cluster.ts';
import { fileText, type Files } from '../definition/files.ts';
import { defaults } from '../definition/defaults.ts';
import { cidr, parseAddress, parseBlock } from '../source/networks.ts';
import type { Definition } from '../definition/schema/schema.ts';
import { exportOptions, mountPointOf } from '../cluster/storage-exports.ts';
import { readManifest, servedBy } from '../definition/storage/manifests.ts';
import { addressOf } from './machines.ts';

type StorageDefinition = Exclude<NonNullable<Definition['storage']>, readonly unknown[]>;

/** The storage servers, and the PersistentVolumes on them: those of the definition, then those of the user's manifests. */
export function resolveStorage(definition: Definition, files: Files): Storage {
  const written = [definition.storage ?? []].flat();
  return {
    servers: written.map((each) => server(each, definition)),
    persistentVolumes: written.flatMap((each) => volumesOf(each, addressIn(each, definition), files)),
  };
}

const { storage: own } = defaults;

function addressIn({ host }: StorageDefinition, { hosts = [] }: Definition): string {
  const machine = hosts.find(({ name }) => name === host);
  return addressOf(machine?.address ?? '').address;
}

function server(written: StorageDefinition, definition: Definition): StorageServer {
  const mountPoints = written.volumes.map(({ mountTo }) => mountTo);
  return {
    host: written.host,
    address: addressIn(written, definition),
    server: written.server ?? own.server,
    volumes: written.volumes.map(volume).sort((a, b) => (a.mountTo < b.mountTo ? -1 : 1)),
    exports: written.exports.map((each) => resolveExport(each, mountPoints)),
  };
}

function volume({ device, serial, cinderVolume, ...written }: StorageDefinition['volumes'][number]): Volume {
  const by = device === undefined ? (serial === undefined ? 'cinder' : 'serial') : 'device';
  return {
    by,
    device: device ?? serial ?? cinderVolume ?? '',
    mountTo: written.mountTo,
    fileSystem: written.fileSystem ?? own.fileSystem,
    forceFormat: written.forceFormat ?? { device: '', signature: '' },
  };
}

const resolveExport = (
  written: StorageDefinition['exports'][number],
  mountPoints: readonly string[],
): Export => ({
  path: written.path,
  mountTo: mountPointOf(written.path, mountPoints) ?? '',
  clients: [written.to].flat().map(canonical),
  options: exportOptions(written.options ?? []),
  owner: {
    user: written.owner?.user ?? own.owner.user,
    group: written.owner?.group ?? own.owner.group,
    mode: written.owner?.mode ?? own.owner.mode,
    when: written.owner ? 'always' : 'new',
  },
});

/** Networks and addresses in one spelling, names as they are. */
const canonical = (client: string): string => {
  const block = parseBlock(client);
  return block ? cidr(block) : (parseAddress(client)?.address ?? client);
};

function volumesOf(written: StorageDefinition, address: string, files: Files): readonly PersistentVolume[] {
  const { host, persistentVolumes = [], manifests = [] } = written;
  const described = persistentVolumes.map((each) => ({
    name: each.name,
    path: each.export,
    host,
    manifest: manifestOf(each, address),
  }));
  const brought = manifests.flatMap((path) => {
    const file = fileText(files, path);
    return file.ok ? readManifest(file.value, path).volumes : [];
  });
  const redirected = brought.map((each) => ({
    name: each.name,
    path: each.path,
    host,
    manifest: servedBy(each, address),
  }));
  return [...described, ...redirected];
}

type VolumeDefinition = NonNullable<StorageDefinition['persistentVolumes']>[number];

const manifestOf = (written: VolumeDefinition, address: string): Settings => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: written.name, ...(written.labels ? { labels: written.labels } : {}) },
  spec: {
    capacity: { storage: written.capacity },
    accessModes: written.accessModes,
    persistentVolumeReclaimPolicy: written.reclaimPolicy ?? own.reclaimPolicy,
    storageClassName: written.storageClass ?? '',
    ...(written.mountOptions ? { mountOptions: written.mountOptions } : {}),
    nfs: { server: address, path: written.export },
  },
});
