import type { Setting, Settings } from '../../cluster/cluster.ts';
import { fieldsOf, readObjects, type Fields, type ManifestObject } from '../manifests/objects.ts';
import type { PortProblem } from '../manifests/service-ports.ts';
import { accessModes, objectName, quantity, reclaimPolicies } from '../schema/storage/storage-judges.ts';
import { failed, ok, type Result } from '../../result.ts';
import { wrongField } from './volume-fields.ts';

/** A PersistentVolume of the user, as it is written but for what only an API server may say of it. */
export interface ManifestVolume {
  readonly name: string;
  /** The folder of the NFS server. */
  readonly path: string;
  readonly manifest: Settings;
}

export interface ManifestVolumes {
  readonly volumes: readonly ManifestVolume[];
  /** All that is wrong, with line and column. */
  readonly problems: readonly PortProblem[];
}

/** Reads the PersistentVolumes of a file as kubectl does: one or several documents, or Lists of them. */
export function readManifest(text: string, file: string): ManifestVolumes {
  const { objects, problems } = readObjects(text, file);
  const read = objects.map((object) => ({ object, judged: volumeOf(object) }));
  return {
    volumes: read.flatMap(({ judged }) => (judged.ok ? [judged.value] : [])),
    problems: [
      ...problems,
      ...read.flatMap(({ object: { place }, judged }) => (judged.ok ? [] : [{ place, ...judged.failure }])),
    ],
  };
}

/** The same volume on the NFS server at an address; nothing else of it changes. */
export const servedBy = ({ manifest }: ManifestVolume, address: string): Settings => {
  const { spec } = manifest;
  return {
    ...manifest,
    spec: {
      ...(fieldsOf(spec) as Settings),
      nfs: { ...(fieldsOf(fieldsOf(spec)['nfs']) as Settings), server: address },
    },
  };
};

type Wrong = Omit<PortProblem, 'place'>;

function volumeOf({ apiVersion, kind, name, object }: ManifestObject): Result<ManifestVolume, Wrong> {
  if (apiVersion !== 'v1' || kind !== 'PersistentVolume')
    return failed({
      wrong: `a ${kind} of ${apiVersion} stands here`,
      right: 'PersistentVolumes (apiVersion: v1) and nothing else',
    });
  if (objectName(name))
    return failed({ wrong: `${name} is no name of a PersistentVolume`, right: 'name: pv1' });
  const spec = fieldsOf(object['spec']);
  const manifest = plain(withoutApplied(object));
  if (!manifest.ok)
    return failed({
      wrong: `${name} holds ${manifest.failure}`,
      right: 'plain strings, numbers and booleans',
    });
  const wrong = wrongSpec(spec) ?? wrongField(object);
  return wrong
    ? failed({ wrong: `${name} ${wrong.wrong}`, right: wrong.right })
    : ok({ name, path: String(fieldsOf(spec['nfs'])['path']), manifest: manifest.value as Settings });
}

/** What an API server would refuse, or would lead elsewhere than to the NFS server. */
function wrongSpec(spec: Fields): Wrong | undefined {
  if (typeof fieldsOf(spec['nfs'])['path'] !== 'string')
    return { wrong: 'has no `spec.nfs.path`', right: 'nfs: { path: /volume/nfs/pv1, server: … }' };
  const other = otherSources.find((key) => spec[key] !== undefined && spec[key] !== null);
  if (other !== undefined)
    return {
      wrong: `has \`spec.${other}\` beside \`spec.nfs\``,
      right: 'one of them: a volume has one source',
    };
  const size = fieldsOf(spec['capacity'])['storage'];
  if (!isAmount(size))
    return { wrong: 'has no amount in `spec.capacity.storage`', right: 'capacity: { storage: 5Gi }' };
  const modes: unknown = spec['accessModes'];
  if (!Array.isArray(modes) || modes.length === 0 || !modes.every(isAccessMode))
    return {
      wrong: 'has no `spec.accessModes` that NFS offers',
      right: `accessModes: [ReadWriteMany], of ${accessModes.join(', ')}`,
    };
  const policy = spec['persistentVolumeReclaimPolicy'] ?? undefined;
  return policy === undefined || (reclaimPolicies as readonly unknown[]).includes(policy)
    ? undefined
    : {
        wrong: 'has a `spec.persistentVolumeReclaimPolicy` that there is not',
        right: reclaimPolicies.join(', '),
      };
}

/** What is no number that JSON knows was told before. */
const isAmount = (size: unknown): boolean =>
  typeof size === 'number' ? !(size <= 0) : typeof size === 'string' && quantity(size) === undefined;

const isAccessMode = (mode: unknown): boolean => (accessModes as readonly unknown[]).includes(mode);

/** The other sources of a PersistentVolume, also those that Kubernetes left to drivers. */
const otherSources = [
  ...[
    'awsElasticBlockStore',
    'azureDisk',
    'azureFile',
    'cephfs',
    'cinder',
    'csi',
    'fc',
    'flexVolume',
    'flocker',
  ],
  ...[
    'gcePersistentDisk',
    'glusterfs',
    'hostPath',
    'iscsi',
    'local',
    'photonPersistentDisk',
    'portworxVolume',
  ],
  ...['quobyte', 'rbd', 'scaleIO', 'storageos', 'vsphereVolume'],
];

function withoutApplied(object: Fields): Fields {
  const { annotations, ...metadata } = fieldsOf(object['metadata']);
  const { 'kubectl.kubernetes.io/last-applied-configuration': _, ...ours } = fieldsOf(annotations);
  return {
    ...object,
    metadata: Object.keys(ours).length > 0 ? { ...metadata, annotations: ours } : metadata,
  };
}

/** Data as JSON knows it, without what has no value; fails with what Ansible would evaluate. */
function plain(value: unknown): Result<Setting | undefined, string> {
  if (value === null || value === undefined) return ok(undefined);
  if (typeof value === 'string')
    return /\{[{%#]/.test(value)
      ? failed(`${JSON.stringify(value)}, which Ansible would evaluate`)
      : ok(value);
  if (typeof value === 'number' || typeof value === 'boolean') return ok(value);
  const entries = Object.entries(value).map(([key, each]) => [plain(key), plain(each), key] as const);
  const bad = entries.flatMap(([key, each]) => [key, each]).find((each) => !each.ok);
  if (bad) return bad;
  const filled = entries.flatMap(([, each, key]) =>
    each.ok && each.value !== undefined ? [[key, each.value] as const] : [],
  );
  return ok(Array.isArray(value) ? filled.map(([, each]) => each) : Object.fromEntries(filled));
}
