import { chooseNamespace, namespaceSaid, objectTitle } from '../../cnf/namespace.ts';
import type { WithSource } from '../../cnf/gather.ts';
import { judgeKind } from '../../../catalog/kubernetes/kinds.ts';
import type { ManifestObject } from '../../manifests/objects.ts';
import { keyProblemAt, keyWarning, type Finding } from '../../../source/finding.ts';
import { hasGap } from '../../gaps.ts';
import { isReserved, type CnfFact } from './cnf-fact.ts';

type CnfObject = WithSource<ManifestObject>;

/** The objects of one CNF: kinds that are known, in one namespace, each once. */
export const cnfObjects = (fact: CnfFact): readonly Finding[] => [
  ...fact.gathered.objects.flatMap((object) => kindOf(object, fact)),
  ...namespaces(fact),
  ...secrets(fact),
];

const at = ({ path }: CnfFact, { source }: CnfObject): readonly (string | number)[] => [
  ...path,
  ...source.path,
];

const customKinds = ['customKinds.*.apiVersion', 'customKinds.*.kind'];

function kindOf(object: CnfObject, fact: CnfFact): Finding[] {
  const { apiVersion, kind } = object;
  const isCustom = (fact.written.customKinds ?? []).some(
    (each) => each?.apiVersion === apiVersion && each.kind === kind,
  );
  if (isCustom || fact.version === '' || hasGap(fact.written, ...customKinds)) return [];
  const verdict = judgeKind(object, fact.version);
  if (!verdict.known)
    return [
      keyProblemAt(
        at(fact, object),
        `${object.place}: ${verdict.why}; the cluster has ${fact.version}`,
        verdict.instead === ''
          ? `customKinds: [{ apiVersion: ${apiVersion}, kind: ${kind} }], if something else brings the kind to the cluster`
          : `apiVersion: ${verdict.instead}`,
      ),
    ];
  return verdict.scope === 'cluster' && kind !== 'Namespace'
    ? [
        keyProblemAt(
          at(fact, object),
          `${object.place}: ${kind} ${object.name} belongs to the whole cluster, which no tenant may change`,
          'the administrator of the cluster applies it before; PersistentVolumes belong to `storage`',
        ),
      ]
    : [];
}

/** Where nobody decides each object is named, since any of them may be the wrong one. */
function namespaces(fact: CnfFact): Finding[] {
  const { objects } = fact.gathered;
  if (hasGap(fact.written, 'namespace')) return [];
  const choice = chooseNamespace(fact.written.namespace, objects);
  if (choice.isDisputed)
    return objects.map((object) =>
      keyProblemAt(
        at(fact, object),
        `${object.place}: ${object.kind} ${object.name} is in ${namespaceSaid(object)}${object.namespace === '' && object.kind !== 'Namespace' ? ', since it says none' : ''}, and a CNF lives in one namespace alone`,
        `one namespace in all of them, or \`namespace\` of the CNF, like ${choice.namespace}`,
      ),
    );
  return [
    ...choice.moved.map((object) =>
      keyWarning(
        at(fact, object),
        `${objectTitle(object)} says the namespace ${object.namespace}, and goes to ${choice.namespace}`,
        'the same namespace in both',
      ),
    ),
    ...objects
      .filter(({ kind, name }) => kind === 'Namespace' && name !== choice.namespace)
      .map((object) =>
        keyProblemAt(
          at(fact, object),
          `${object.place}: the Namespace ${object.name} is not the one of this CNF, ${choice.namespace}`,
          `name: ${choice.namespace}, or remove the object`,
        ),
      ),
    ...(choice.from === 'manifests' && isReserved(choice.namespace)
      ? objects
          .slice(0, 1)
          .map((object) =>
            keyProblemAt(
              at(fact, object),
              `${object.place}: ${choice.namespace} is no namespace for workloads of tenants`,
              'one of its own, like tenant-a',
            ),
          )
      : []),
  ];
}

const secrets = (fact: CnfFact): Finding[] =>
  fact.gathered.objects
    .filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Secret')
    .map((object) =>
      keyWarning(
        at(fact, object),
        `${objectTitle(object)}: whoever reads the bundle reads what is in it`,
        'a Secret that is made in the namespace by other means',
      ),
    );
