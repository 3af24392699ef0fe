import type { Cnf, Cnfs, Settings } from '../../cluster/cluster.ts';
import { accountOf, frameOf, type SoundCnf } from './frame.ts';
import { gather, type CnfSources } from '../../definition/cnf/gather.ts';
import { chooseNamespace, objectTitle } from '../../definition/cnf/namespace.ts';
import { inOrder } from './order.ts';
import { versionOf } from '../../definition/cnf/sources.ts';
import { defaults } from '../../definition/defaults.ts';
import type { Files } from '../../definition/files.ts';
import { milliseconds } from '../../definition/schema/judges.ts';
import type { Definition } from '../../definition/schema/schema.ts';
import { fieldsOf, type ManifestObject } from '../../definition/manifests/objects.ts';

const { cnf: own } = defaults;

/** Every CNF with its objects in its namespace. */
export const resolveCnfs = (definition: Definition, files: Files): Cnfs => ({
  kept: definition.cnfs !== undefined,
  all: (definition.cnfs ?? []).map((cnf) => resolveCnf(cnf, gather(cnf, versionOf(definition), files))),
});

function resolveCnf(cnf: SoundCnf, { files, objects }: CnfSources): Cnf {
  const { namespace, from, moved } = chooseNamespace(cnf.namespace, objects);
  const spaces = objects.filter(({ kind }) => kind === 'Namespace');
  return {
    name: cnf.name,
    namespace,
    namespaceFrom: from,
    moved: moved.map((each) => `${objectTitle(each)} says ${each.namespace}`),
    files: files.map(({ title, text }, index) => ({ path: fileName(title, index), text })),
    frame: frameOf(cnf, namespace, { ...labelsOf(spaces), ...cnf.labels }),
    objects: inOrder([
      ...objects
        .filter(({ kind }) => kind !== 'Namespace')
        .map((each) =>
          placeObject(each.object, { namespace, cnf: cnf.name, scaled: isScaled(each, objects) }),
        ),
      ...(cnf.persistentVolumeClaims ?? []).map((claim) => claimOf(claim, { namespace, cnf: cnf.name })),
    ]),
    serviceAccount: accountOf(cnf),
    scaling: (cnf.scaling ?? []).map(({ step = own.step, minimum = own.minimum, ...aspect }) => ({
      ...aspect,
      step,
      minimum,
    })),
    wait: {
      seconds: Math.ceil(milliseconds(cnf.wait?.timeout ?? own.timeout) / 1000),
      conditions: cnf.wait?.conditions ?? [],
    },
    rollback: cnf.rollback ?? false,
  };
}

/** Two files may have one name in different folders. */
const fileName = (title: string, index: number): string =>
  `${String(index + 1).padStart(2, '0')}-${(title.split('/').at(-1) ?? '').replaceAll(/[^\w.-]/g, '-')}`;

const labelsOf = (spaces: readonly ManifestObject[]): Readonly<Record<string, string>> =>
  Object.assign(
    {},
    ...spaces.map(({ object }) => fieldsOf(fieldsOf(object['metadata'])['labels'])),
  ) as Readonly<Record<string, string>>;

interface CnfContext {
  readonly namespace: string;
  readonly cnf: string;
  /** True: an autoscaler says how many replicas there are. */
  readonly scaled?: boolean;
}

/** The label by which people find what belongs to a CNF. */
const cnfLabel = 'playsmith.io/cnf';

function placeObject(
  object: ManifestObject['object'],
  { namespace, cnf, scaled = false }: CnfContext,
): Settings {
  const metadata = fieldsOf(object['metadata']);
  const { replicas, ...spec } = fieldsOf(object['spec']);
  return {
    ...object,
    metadata: { ...metadata, namespace, labels: { ...fieldsOf(metadata['labels']), [cnfLabel]: cnf } },
    ...(scaled && replicas !== undefined ? { spec } : {}),
  } as Settings;
}

function isScaled({ kind, name }: ManifestObject, objects: readonly ManifestObject[]): boolean {
  return objects.some((each) => {
    if (each.kind !== 'HorizontalPodAutoscaler') return false;
    const target = fieldsOf(fieldsOf(each.object['spec'])['scaleTargetRef']);
    return target['kind'] === kind && target['name'] === name;
  });
}

type Claim = NonNullable<SoundCnf['persistentVolumeClaims']>[number];

const claimOf = (claim: Claim, { namespace, cnf }: CnfContext): Settings => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: claim.name, namespace, labels: { [cnfLabel]: cnf } },
  spec: {
    accessModes: claim.accessModes,
    resources: { requests: { storage: claim.storage } },
    ...(claim.storageClass === undefined ? {} : { storageClassName: claim.storageClass }),
    ...(claim.volume === undefined ? {} : { volumeName: claim.volume }),
  },
});
