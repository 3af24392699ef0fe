import { nearest } from '../../source/nearest.ts';
import { fieldsOf } from '../manifests/objects.ts';
import { labelKey, labelValue } from '../schema/kubernetes/kubernetes-judges.ts';
import { objectName } from '../schema/storage/storage-judges.ts';

/** What is wrong with a field of a PersistentVolume on NFS, in words that go on after its name. */
export interface WrongField {
  readonly wrong: string;
  readonly right: string;
}

/** The first field that there is not, or that an API server or NFS would not take; null says nothing. */
export function wrongField(volume: object): WrongField | undefined {
  return judgeFields(volume, volumeFields, '');
}

type FieldJudge = (value: unknown, path: string) => WrongField | undefined;
type FieldJudges = Readonly<Record<string, FieldJudge>>;

function judgeFields(value: unknown, judges: FieldJudges, path: string): WrongField | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { wrong: `has a \`${path}\` that holds no fields`, right: Object.keys(judges).join(', ') };
  for (const [key, each] of Object.entries(value)) {
    if (each === null) continue;
    const judge = Object.hasOwn(judges, key) ? judges[key] : undefined;
    const at = path === '' ? key : `${path}.${key}`;
    if (!judge)
      return {
        wrong: `has \`${at}\`, which no such volume has`,
        right: nearest(key, Object.keys(judges)) ?? 'remove it',
      };
    const wrong = judge(each, at);
    if (wrong) return wrong;
  }
  return undefined;
}

const only =
  (isRight: (value: unknown) => boolean, right: string): FieldJudge =>
  (value, path) =>
    isRight(value) ? undefined : { wrong: `has a \`${path}\` that does not fit`, right };

const within =
  (judges: FieldJudges): FieldJudge =>
  (value, path) =>
    judgeFields(value, judges, path);

/** Left to the API server. */
const any: FieldJudge = () => undefined;

const text = only((value) => typeof value === 'string', 'a string');
const flag = only((value) => typeof value === 'boolean', 'true or false');
const texts = only(
  (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  'a list of strings',
);
const className = only(
  (value) => value === '' || (typeof value === 'string' && objectName(value) === undefined),
  'a name of small letters, digits, hyphens and dots, like nfs',
);
const marks = (isValue: (text: string) => boolean, right: string): FieldJudge =>
  only(
    (value) =>
      typeof value === 'object' &&
      !Array.isArray(value) &&
      Object.entries(fieldsOf(value)).every(
        ([key, each]) => labelKey(key) === undefined && typeof each === 'string' && isValue(each),
      ),
    right,
  );

const absolute = only(
  (value) => typeof value === 'string' && value.startsWith('/') && !value.split('/').includes('..'),
  'an absolute path without `..`, like /volume/nfs/pv1',
);

const volumeFields: FieldJudges = {
  apiVersion: text,
  kind: text,
  metadata: within({
    name: text,
    namespace: any,
    labels: marks((value) => labelValue(value) === undefined, 'labels like tier: gold'),
    annotations: marks(() => true, 'annotations like note: "1", each a string'),
    finalizers: texts,
    ownerReferences: any,
    deletionTimestamp: any,
    deletionGracePeriodSeconds: any,
    generateName: any,
  }),
  spec: within({
    nfs: within({ path: absolute, server: text, readOnly: flag }),
    capacity: within({ storage: any }),
    accessModes: texts,
    persistentVolumeReclaimPolicy: any,
    storageClassName: className,
    mountOptions: texts,
    volumeMode: only((value) => value === 'Filesystem', 'Filesystem: NFS has no devices'),
    claimRef: any,
    nodeAffinity: within({
      required: within({
        nodeSelectorTerms: only((value) => Array.isArray(value) && value.length > 0, 'at least one term'),
      }),
    }),
  }),
};
