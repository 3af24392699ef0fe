import { chooseNamespace, objectTitle } from '../../cnf/namespace.ts';
import { groupOf } from '../../manifests/objects.ts';
import { problemAt, type Finding, type Path } from '../../../source/finding.ts';
import { hasGap } from '../../gaps.ts';
import type { CnfFact } from './cnf-fact.ts';
import { repetitions } from '../node/repeated.ts';

interface ObjectName {
  /** Namespace, group of the API, kind and name. */
  readonly key: string;
  readonly path: Path;
  readonly title: string;
}

/** The same object twice: in one CNF, in two of one namespace, or as the tenant that the definition makes itself. */
export function cnfClashes(all: readonly CnfFact[]): readonly Finding[] {
  const known = all.filter(({ written }) => !hasGap(written, 'name', 'namespace', 'tenant.serviceAccount'));
  const objects = known.flatMap(objectsOf);
  const accounts = new Map(known.map((fact) => [accountOf(fact), fact.written.name ?? '']));
  return [
    ...repetitions(objects, ({ key }) => key).map(([{ path, title, key }, first]) =>
      problemAt(
        path,
        `${title} is in the namespace ${key.split('/')[0] ?? ''} already: ${first.title}`,
        'each object once',
      ),
    ),
    ...objects
      .filter(({ key }) => accounts.has(key))
      .map(({ path, title, key }) =>
        problemAt(
          path,
          `${title} is the tenant of ${accounts.get(key) ?? ''}, whom the definition makes`,
          'remove the object, or name another `tenant.serviceAccount`',
        ),
      ),
  ];
}

const namespaceOf = ({ written, gathered }: CnfFact): string =>
  chooseNamespace(written.namespace, gathered.objects).namespace;

const accountOf = (fact: CnfFact): string =>
  `${namespaceOf(fact)}//ServiceAccount/${fact.written.tenant?.serviceAccount ?? fact.written.name ?? ''}`;

function objectsOf(fact: CnfFact): ObjectName[] {
  const { path, written, gathered } = fact;
  const namespace = namespaceOf(fact);
  const brought = gathered.objects
    .filter(({ apiVersion, kind }) => apiVersion !== 'v1' || kind !== 'Namespace')
    .map((object) => ({
      key: `${namespace}/${groupOf(object.apiVersion)}/${object.kind}/${object.name}`,
      path: [...path, ...object.source.path],
      title: objectTitle(object),
    }));
  const claims = (written.persistentVolumeClaims ?? []).flatMap((claim, index) =>
    claim?.name === undefined
      ? []
      : [
          {
            key: `${namespace}//PersistentVolumeClaim/${claim.name}`,
            path: [...path, 'persistentVolumeClaims', index, 'name'],
            title: `PersistentVolumeClaim ${claim.name}`,
          },
        ],
  );
  return [...brought, ...claims];
}
