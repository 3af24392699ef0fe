import { chooseNamespace, objectTitle } from '../../cnf/namespace.ts';
import { problemAt, type Finding, type Path } from '../../../source/finding.ts';
import type { CnfFact } from './cnf-fact.ts';
import { repetitions } from '../node/repeated.ts';

interface ObjectName {
  /** Namespace, kind and name. */
  readonly key: string;
  readonly path: Path;
  readonly title: string;
}

/** The same object twice: in one CNF, in two of one namespace, or as the tenant that the definition makes itself. */
export function cnfClashes(all: readonly CnfFact[]): readonly Finding[] {
  const objects = all.flatMap(objectsOf);
  const accounts = new Map(all.map((fact) => [accountOf(fact), fact.written.name ?? '']));
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
          'the object left out, or another `tenant.serviceAccount`',
        ),
      ),
  ];
}

const namespaceOf = ({ written, gathered }: CnfFact): string =>
  chooseNamespace(written.namespace, gathered.objects).namespace;

const accountOf = (fact: CnfFact): string =>
  `${namespaceOf(fact)}/ServiceAccount/${fact.written.tenant?.serviceAccount ?? fact.written.name ?? ''}`;

function objectsOf(fact: CnfFact): ObjectName[] {
  const { path, written, gathered } = fact;
  const namespace = namespaceOf(fact);
  const brought = gathered.objects
    .filter(({ kind }) => kind !== 'Namespace')
    .map((object) => ({
      key: `${namespace}/${object.kind}/${object.name}`,
      path: [...path, ...object.source.path],
      title: objectTitle(object),
    }));
  const claims = (written.persistentVolumeClaims ?? []).flatMap((claim, index) =>
    claim?.name === undefined
      ? []
      : [
          {
            key: `${namespace}/PersistentVolumeClaim/${claim.name}`,
            path: [...path, 'persistentVolumeClaims', index, 'name'],
            title: `PersistentVolumeClaim ${claim.name}`,
          },
        ],
  );
  return [...brought, ...claims];
}
