import { joinParts, part, type ImportPart, type Wishes } from '../part.ts';
import { field, itemsOf, textAt } from '../../source/foreign/look.ts';
import { doubtAt, type ForeignNode } from '../../source/foreign/node.ts';
import { networkPart } from '../values.ts';
import { besideMachine, unknownHost, type BesideMembers } from './beside.ts';
import { volumeDevice } from './heat.ts';
import { sectionOf, type TackerCloud } from './member.ts';
import { membersOf } from './members.ts';

/** The storage server with its volumes and exports; what is not known well enough is kept as a comment. */
export function storageOf(parameters: ForeignNode, around: TackerCloud, wishes: Wishes): BesideMembers {
  const storage = field(parameters, 'storage_server');
  const manifests = itemsOf(field(parameters, 'pv_registration_params'));
  if (!storage) return { machines: [], told: withoutServer(manifests) };
  const member = membersOf(sectionOf(storage), around)[0];
  const volumes = itemsOf(field(storage, 'cinder_volume_setup_params')).map((node) => volumeOf(node, around));
  const exports = itemsOf(field(storage, 'nfs_server_setup_params'));
  const data = { host: 'storage01', volumes, exports: exports.map(exportOf) };
  const paths = manifests.map((each) => textAt(each, 'pv_manifest_file_path') ?? '');
  if (!member?.address || volumes.includes(undefined))
    return {
      machines: [],
      told: unknownStorage(storage, { ...data, manifests: paths }, member?.address !== undefined),
    };
  return {
    machines: [besideMachine('storage01', storage, { member, owner: 'STORAGE' })],
    told: joinParts([
      part({
        pieces: [{ path: ['storage'], value: data, place: storage.place, note }],
        problems: member.doubts,
      }),
      ...exports.map((node, index) => exportPart(node, index, wishes)),
      manifestsPart(paths),
    ]),
  };
}

const note = 'Tacker exports with insecure,all_squash; `options` at an export says that too';

const exportOf = (node: ForeignNode): Readonly<Record<'path' | 'to', string>> => ({
  path: textAt(node, 'export_dir') ?? '',
  to: textAt(node, 'export_to') ?? '',
});

const unknownStorage = (storage: ForeignNode, data: unknown, hasAddress: boolean): ImportPart =>
  joinParts([
    unknownHost(storage, 'storage server', hasAddress),
    part({ kept: [{ title: 'The storage server, of which not all is known:', data: { storage: data } }] }),
  ]);

const withoutServer = (manifests: readonly ForeignNode[]): ImportPart =>
  part({
    problems: manifests
      .slice(0, 1)
      .map(({ place }) =>
        doubtAt(
          { ...place, length: 1 },
          'PersistentVolumes without a storage server: Tacker ignores them',
          '`storage_server` beside them',
        ),
      ),
  });

/** The address of the volume does not change when its server is made anew: Cinder's id counts more than a path. */
function volumeOf(
  node: ForeignNode,
  { resources, cloud }: TackerCloud,
): Readonly<Record<string, string>> | undefined {
  const name = textAt(node, 'volume_resource_id') ?? '';
  const resource = resources.find((each) => each.name === name);
  const mountTo = textAt(node, 'mount_to') ?? '';
  if (resource && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(resource.id))
    return { cinderVolume: resource.id, mountTo };
  const device = resource && volumeDevice(resource, cloud);
  return device === undefined ? undefined : { device, mountTo };
}

function exportPart(node: ForeignNode, index: number, wishes: Wishes): ImportPart {
  const to = field(node, 'export_to');
  return to?.kind === 'scalar' ? networkPart(['storage', 'exports', index, 'to'], to, wishes) : part({});
}

const manifestsPart = (paths: readonly string[]): ImportPart =>
  part({
    kept:
      paths.length === 0
        ? []
        : [
            {
              title:
                'Manifests of PersistentVolumes in the VNF package; put them beside this file, and this below `storage`:',
              data: { manifests: paths },
            },
          ],
  });
