import { loadAll } from 'js-yaml';
import type { Setting, Settings } from '../../cluster/cluster.ts';
import { objectName } from '../schema/storage/storage-judges.ts';
import { failed, ok, type Result } from '../../result.ts';

/** A PersistentVolume of the user, as it is written but for what only an API server may say of it. */
export interface ManifestVolume {
  readonly name: string;
  /** The folder of the NFS server. */
  readonly path: string;
  readonly manifest: Settings;
}

/** What is wrong in a manifest, and what would be right. */
export interface ManifestProblem {
  readonly wrong: string;
  readonly right: string;
}

/** Reads the PersistentVolumes of a file: one or several documents, or Lists of them. */
export function readManifest(text: string): Result<readonly ManifestVolume[], ManifestProblem> {
  const documents = parseManifest(text);
  if (!documents.ok) return documents;
  const objects = documents.value.filter((each) => each !== null && each !== undefined).flatMap(itemsOf);
  if (objects.length === 0) return failed({ wrong: 'it holds no object', right: 'a PersistentVolume' });
  const read = objects.map(volumeOf);
  return read.find((each) => !each.ok) ?? ok(read.flatMap((each) => (each.ok ? [each.value] : [])));
}

/** The same volume on the NFS server at an address; nothing else of it changes. */
export const servedBy = ({ manifest }: ManifestVolume, address: string): Settings => {
  const { spec } = manifest;
  const nfs = fieldsOf(spec)?.['nfs'];
  return { ...manifest, spec: { ...fieldsOf(spec), nfs: { ...fieldsOf(nfs), server: address } } };
};

function parseManifest(text: string): Result<readonly unknown[], ManifestProblem> {
  try {
    return ok(loadAll(text) as readonly unknown[]);
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    return failed({ wrong: `it is no YAML: ${reason}`, right: 'a file that `kubectl apply` can read' });
  }
}

const itemsOf = (object: unknown): readonly unknown[] => {
  const items = fieldsOf(object)?.['items'];
  return fieldsOf(object)?.['kind'] === 'List' && Array.isArray(items) ? items : [object];
};

function volumeOf(object: unknown): Result<ManifestVolume, ManifestProblem> {
  const { apiVersion, kind, metadata, spec } = fieldsOf(object) ?? {};
  if (apiVersion !== 'v1' || kind !== 'PersistentVolume')
    return failed({
      wrong: `it holds ${describeKind(apiVersion, kind)}`,
      right: 'PersistentVolumes (apiVersion: v1) and nothing else',
    });
  const name = fieldsOf(metadata)?.['name'];
  if (typeof name !== 'string' || objectName(name))
    return failed({ wrong: 'a PersistentVolume in it has no sound `metadata.name`', right: 'name: pv1' });
  const path = fieldsOf(fieldsOf(spec)?.['nfs'])?.['path'];
  if (typeof path !== 'string')
    return failed({
      wrong: `${name} has no \`spec.nfs.path\``,
      right: 'nfs: { path: /volume/nfs/pv1, server: … }',
    });
  const manifest = plain(withoutStatus(fieldsOf(object) ?? {}));
  return manifest.ok
    ? ok({ name, path, manifest: manifest.value as Settings })
    : failed({ wrong: `${name} holds ${manifest.failure}`, right: 'plain texts, numbers and truth values' });
}

const describeKind = (apiVersion: unknown, kind: unknown): string => {
  if (typeof kind !== 'string') return 'something that is no object of Kubernetes';
  return typeof apiVersion === 'string' ? `a ${kind} of ${apiVersion}` : `a ${kind}`;
};

/** What the API server says of an object itself is not for anybody to apply. */
function withoutStatus(object: Fields): Fields {
  const { annotations, ...kept } = without(fieldsOf(object['metadata']) ?? {}, ofServer);
  const ours = without(fieldsOf(annotations) ?? {}, ['kubectl.kubernetes.io/last-applied-configuration']);
  const metadata = Object.keys(ours).length > 0 ? { ...kept, annotations: ours } : kept;
  return { ...without(object, ['status']), metadata };
}

const ofServer = ['creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'selfLink', 'uid'];

const without = (fields: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

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
