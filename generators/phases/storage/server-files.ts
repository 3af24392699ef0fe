import type { Cluster, Export, StorageServer } from '../../cluster/cluster.ts';
import { dataFile, type Data } from '../../data-file.ts';
import { sha256 } from '../../digest.ts';
import type { Fill, View } from '../../engine.ts';
import { renderedFile } from '../phase.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { kinds, toolsOf } from '../../cluster/storage-kinds.ts';

/** What one storage server is told: what it serves, and the settings that go below its /etc. */
export function serverFiles(cluster: Cluster, server: StorageServer, fill: Fill): readonly RenderedFile[] {
  const folder = `files/nfs-server/${server.host}`;
  const { unit } = kinds[server.server];
  const mountPoints = server.volumes.map(({ mountTo }) => mountTo);
  const files = [
    exportsFile(`${folder}/etc`, server, fill),
    renderedFile(
      `${folder}/etc/systemd/system/${unit}.service.d/playsmith.conf`,
      fill('nfs/volumes.conf.hbs', { mountPoints }),
    ),
  ];
  const settings = files.map(({ path }) => path.slice(`${folder}/etc/`.length)).sort();
  return [
    dataFile(cluster.name, `${folder}/server.yml`, {
      why: `the volumes of ${server.host} and what it exports`,
      data: dataOf(server, settings),
    }),
    ...files,
  ];
}

const dataOf = (server: StorageServer, settings: readonly string[]): Data => ({
  ...kinds[server.server],
  tools: toolsOf(server),
  settings,
  volumes: server.volumes.map((volume) => ({ ...volume })),
  folders: server.exports.map(({ path, mountTo, owner }) => ({ path, mountTo, ...owner })),
});

const exportsFile = (etc: string, server: StorageServer, fill: Fill): RenderedFile =>
  server.server === 'kernel'
    ? renderedFile(
        `${etc}/exports.d/playsmith.exports`,
        fill('nfs/exports.hbs', { exports: server.exports.map(kernelExport) }),
      )
    : renderedFile(
        `${etc}/ganesha/ganesha.conf`,
        fill('nfs/ganesha.conf.hbs', { exports: withIds(server.exports).map(ganeshaExport) }),
      );

function kernelExport({ path, mountTo, clients, options }: Export): View {
  const { access, writes, squash, ports, subtree, anonymousUser, anonymousGroup } = options;
  const numbers = [
    { key: 'anonuid', number: anonymousUser },
    { key: 'anongid', number: anonymousGroup },
  ].filter(({ number }) => number >= 0);
  const words = [access, writes, squash, ports, subtree].join(',');
  return { path, clients: clients.map((client) => ({ client, words, numbers, mountTo })) };
}

interface NumberedExport extends Export {
  readonly id: number;
}

/** Clients keep the number for as long as they have something open, so it follows from the path alone. */
export function withIds(exports: readonly Export[]): readonly NumberedExport[] {
  const taken = new Map<number, string>();
  const numbers = new Map<string, number>();
  for (const { path } of [...exports].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    let id = 1 + (Number.parseInt(sha256(path).slice(0, 8), 16) % 65_000);
    while (taken.has(id)) id = (id % 65_000) + 1;
    taken.set(id, path);
    numbers.set(path, id);
  }
  return exports.map((each) => ({ ...each, id: numbers.get(each.path) ?? 0 }));
}

function ganeshaExport({ id, path, clients, options }: NumberedExport): View {
  const { access, squash, ports, anonymousUser, anonymousGroup } = options;
  return {
    id,
    path,
    clients: clients.join(','),
    access: access.toUpperCase(),
    squash,
    privileged: String(ports === 'secure'),
    anonymous: anonymousUser >= 0 || anonymousGroup >= 0,
    anonymousUser: anonymousUser < 0 ? nobody : anonymousUser,
    anonymousGroup: anonymousGroup < 0 ? nobody : anonymousGroup,
  };
}

const nobody = 65_534;
