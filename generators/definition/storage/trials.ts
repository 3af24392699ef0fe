import type { Cluster, Export, Machine, PersistentVolume } from '../../cluster/cluster.ts';
import { contains, parseAddress, parseBlock } from '../../source/networks.ts';

/** A test volume that a drill may make: an export that a node mounts as its pods would. */
export interface Trial {
  /** Name and address of the storage server. */
  readonly host: string;
  readonly address: string;
  readonly path: string;
  /** Options of mount with commas between them; `defaults` where no PersistentVolume says any. */
  readonly options: string;
  /** Name of the node that mounts it. */
  readonly client: string;
}

/** What can be tried, exports of PersistentVolumes first; none: no node may write to anything over NFS 4. */
export function trialsOf(cluster: Cluster): readonly Trial[] {
  const all = cluster.storage.servers.flatMap((server) =>
    server.exports.flatMap((each) => {
      const volumes = volumesOn(cluster, server.host, each.path);
      const options = usable(volumes);
      const client = clientOf(cluster, each, volumes.length > 0);
      if (each.options.access === 'ro' || options === undefined || client === undefined) return [];
      const { host, address } = server;
      const text = options.join(',') || 'defaults';
      return [
        { isUsed: volumes.length > 0, trial: { host, address, path: each.path, options: text, client } },
      ];
    }),
  );
  return [...all.filter(({ isUsed }) => isUsed), ...all.filter(({ isUsed }) => !isUsed)].map(
    ({ trial }) => trial,
  );
}

/** The PersistentVolumes that lead to an export. */
export const volumesOn = ({ storage }: Cluster, host: string, path: string): readonly PersistentVolume[] =>
  storage.persistentVolumes.filter((volume) => volume.host === host && volume.path === path);

/** Options with which nodes mount a PersistentVolume; empty: as mount has it. */
export const mountOptionsOf = ({ manifest }: PersistentVolume): readonly string[] => {
  const { spec } = manifest;
  const options = isFields(spec) ? spec['mountOptions'] : undefined;
  return Array.isArray(options) ? options.map(String) : [];
};

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Those of the first PersistentVolume that can be mounted by another way; undefined where all forbid it. */
const usable = (volumes: readonly PersistentVolume[]): readonly string[] | undefined =>
  volumes.length === 0
    ? []
    : volumes
        .map(mountOptionsOf)
        .find((options) => options.every((each) => plain.test(each) && !limitingOption.test(each)));

const plain = /^[a-z][\w.=:-]*$/;

/** NFS 3 needs more ports than the one that is led on; the others lead elsewhere, or write nothing. */
const limitingOption =
  /^(?:(?:nfs)?vers=[23]|v3$|ro$|udp$|rdma$|proto=(?!tcp)|(?:port|mount\w+|addr|clientaddr)=|sec=(?!sys))/;

/** A worker where one may, since pods are there. */
function clientOf({ machines }: Cluster, { clients }: Export, isUsed: boolean): string | undefined {
  const able = machines.filter((machine) => isUsed || clients.some((client) => isFor(client, machine)));
  const having = (role: Machine['roles'][number]): Machine | undefined =>
    able.find(({ roles }) => roles.includes(role));
  return (having('worker') ?? having('control-plane'))?.name;
}

const isFor = (client: string, { name, address }: Machine): boolean => {
  const [block, own] = [parseBlock(client) ?? parseAddress(client), parseAddress(address)];
  return block && own ? contains(block, own) : client === name;
};
