import { storageServersOf, type StorageFact } from '../../derived.ts';
import { problemAt, type Finding, type Path } from '../../../source/finding.ts';
import { nearest } from '../../../source/nearest.ts';
import { isInside } from '../../../cluster/storage-exports.ts';
import { exportsOf } from './exports.ts';
import { hasGap } from '../../gaps.ts';
import type { Facts } from '../facts.ts';
import { persistentVolumes } from './persistent-volumes.ts';
import { repetitions } from '../node/repeated.ts';

/** Each storage server is a host, its volumes and exports fit together, and PersistentVolumes lead to what it exports. */
export function storage(facts: Facts): readonly Finding[] {
  const servers = storageServersOf(facts.draft);
  return [
    ...servers.flatMap((server) => hostOf(server, facts)),
    ...repetitions(servers, ({ written }) => written.host).map(([{ path, written }]) =>
      problemAt(
        [...path, 'host'],
        `${written.host ?? ''} is listed twice`,
        'each server once, with all its volumes',
      ),
    ),
    ...servers.flatMap((server) => [...volumes(server), ...exportsOf(server, facts)]),
    ...persistentVolumes(servers, facts),
  ];
}

function hostOf({ path, written: { host } }: StorageFact, { hosts, nodes, draft }: Facts): Finding[] {
  if (host === undefined || hosts.some(({ name }) => name === host)) return [];
  if (hasGap(draft, 'hosts.*.name')) return [];
  const at = [...path, 'host'];
  if (nodes.some(({ name }) => name === host))
    return [
      problemAt(
        at,
        `${host} is a node, and a storage server stands beside the cluster`,
        'the name of a machine from `hosts`',
      ),
    ];
  const known = hosts.map(({ name }) => name);
  return [
    problemAt(
      at,
      `there is no host ${host}`,
      nearest(host, known) ??
        (known.length > 0 ? `one of ${known.join(', ')}` : `- { name: ${host}, address: … } below \`hosts\``),
    ),
  ];
}

interface VolumeFact {
  readonly path: Path;
  readonly device: string | undefined;
  readonly mountTo: string | undefined;
  readonly forced: string | undefined;
}

function volumes({ path, written }: StorageFact): Finding[] {
  const all = (written.volumes ?? []).flatMap<VolumeFact>((volume, index) =>
    volume
      ? [
          {
            path: [...path, 'volumes', index],
            device: volume.device ?? volume.serial ?? volume.cinderVolume,
            mountTo: volume.mountTo,
            forced: volume.device === undefined ? undefined : volume.forceFormat?.device,
          },
        ]
      : [],
  );
  return [
    ...repetitions(all, ({ device }) => device).map(([{ path: at, device = '' }]) =>
      problemAt(at, `${device} is listed twice`, 'each device once'),
    ),
    ...repetitions(all, ({ mountTo }) => mountTo).map(([{ path: at, mountTo = '' }, first]) =>
      problemAt(
        [...at, 'mountTo'],
        `${first.device ?? 'another volume'} is mounted to ${mountTo} already`,
        'a folder of its own',
      ),
    ),
    ...all.flatMap(ofSystem),
    ...all.flatMap(({ path: at, device = '', forced }) =>
      forced === undefined || forced === device
        ? []
        : [
            problemAt(
              [...at, 'forceFormat', 'device'],
              `the volume is ${device}, and ${forced} is to be formatted`,
              device,
            ),
          ],
    ),
  ];
}

/** A volume over a folder of the system would hide what the system needs. */
const ofSystem = ({ path, mountTo = '' }: VolumeFact): Finding[] =>
  systemFolders.has(mountTo) || systemTrees.some((tree) => isInside(mountTo, tree))
    ? [
        problemAt(
          [...path, 'mountTo'],
          `${mountTo} belongs to the system`,
          'a folder of its own, like /volume',
        ),
      ]
    : [];

const systemFolders = new Set([
  '/home',
  '/mnt',
  '/media',
  '/opt',
  '/srv',
  '/tmp',
  '/var',
  '/var/lib',
  '/var/log',
  '/var/tmp',
]);
const systemTrees = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib64',
  '/proc',
  '/root',
  '/run',
  '/sbin',
  '/sys',
  '/usr',
  '/var/lib/nfs',
];
