import { fieldsOf, groupOf } from '../../manifests/objects.ts';
import { problemAt, type Finding, type Path } from '../../../source/finding.ts';
import { nearest } from '../../../source/nearest.ts';
import { isRead, type CnfFact } from './cnf-fact.ts';
import { repetitions } from '../node/repeated.ts';

/** What is scaled, and what is waited for, is in the manifests. */
export const cnfAspects = (fact: CnfFact): readonly Finding[] => [
  ...aspects(fact),
  ...(fact.written.wait?.conditions ?? []).flatMap((each, index) =>
    lacking(each, [...fact.path, 'wait', 'conditions', index, 'name'], fact),
  ),
];

function aspects(fact: CnfFact): Finding[] {
  const written = (fact.written.scaling ?? []).map((each, index) => ({
    ...each,
    path: [...fact.path, 'scaling', index] as Path,
  }));
  return [
    ...repetitions(written, ({ aspect }) => aspect).map(([{ path, aspect = '' }]) =>
      problemAt([...path, 'aspect'], `there is already an aspect ${aspect}`, 'a name that no other has'),
    ),
    ...repetitions(written, ({ kind, name }) => (kind && name ? `${kind} ${name}` : undefined)).map(
      ([{ path, kind = '', name = '' }, first]) =>
        problemAt(
          [...path, 'name'],
          `${kind} ${name} is scaled by ${first.aspect ?? 'another'} already`,
          'each once',
        ),
    ),
    ...written.flatMap((each) => [
      ...lacking({ ...each, group: 'apps' }, [...each.path, 'name'], fact),
      ...scaledTwice(each, fact),
      ...((each.minimum ?? 1) > (each.maximum ?? Infinity)
        ? [
            problemAt(
              [...each.path, 'maximum'],
              'the most replicas are fewer than the fewest',
              `${each.minimum ?? 1} or more`,
            ),
          ]
        : []),
    ]),
  ];
}

interface Target {
  /** Of the API; undefined: any. */
  readonly group?: string;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
}

function lacking(target: Target | undefined, path: Path, fact: CnfFact): Finding[] {
  const { kind, name, group } = target ?? {};
  if (kind === undefined || name === undefined || !isRead(fact)) return [];
  const known = fact.gathered.objects
    .filter((object) => object.kind === kind && (group === undefined || groupOf(object.apiVersion) === group))
    .map((object) => object.name);
  if (known.includes(name)) return [];
  return [
    problemAt(
      path,
      `no manifest of this CNF has a ${kind} ${name}`,
      nearest(name, known) ?? (known.join(' or ') || `the name and the kind of an object in them`),
    ),
  ];
}

function scaledTwice(
  { kind, name, path }: Target & { readonly path: Path },
  { gathered }: CnfFact,
): Finding[] {
  const scaler = gathered.objects.find((object) => {
    const target = fieldsOf(fieldsOf(object.object['spec'])['scaleTargetRef']);
    return (
      groupOf(object.apiVersion) === 'autoscaling' &&
      object.kind === 'HorizontalPodAutoscaler' &&
      target['kind'] === kind &&
      target['name'] === name
    );
  });
  return scaler === undefined
    ? []
    : [
        problemAt(
          [...path, 'name'],
          `the HorizontalPodAutoscaler ${scaler.name} (${scaler.place}) scales it already`,
          'one of the two',
        ),
      ];
}
