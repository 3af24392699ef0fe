import type { Problems } from '../../source/problem.ts';
import { field, sameName, textOf } from '../../source/foreign/look.ts';
import { wrongAt, type ForeignNode } from '../../source/foreign/node.ts';
import type { ScalingAspects } from './member.ts';

/** The keys of the requests of both versions of the API. */
const keys = {
  scale: ['type', 'aspectId', 'numberOfSteps', 'additionalParams'],
  terminate: ['terminationType', 'gracefulTerminationTimeout', 'additionalParams'],
} as const;

/** A key that such a request does not have is misspelt, or of a request that asks for something else. */
export function strangeKey(operation: ForeignNode, kind: keyof typeof keys): Problems[number] | undefined {
  const known: readonly string[] = keys[kind].map(sameName);
  const strange =
    operation.kind === 'map'
      ? operation.entries.find(({ key }) => !known.includes(sameName(key)))
      : undefined;
  return (
    strange &&
    wrongAt(
      strange.keyPlace,
      `a request to ${kind} has no key ${JSON.stringify(strange.key.slice(0, 40))}`,
      keys[kind].join(', '),
    )
  );
}

/** A ScaleVnfRequest is about the workers only where its aspect is theirs. */
export function aspectProblem(
  operation: ForeignNode,
  { worker, master, all }: ScalingAspects,
): Problems[number] | undefined {
  const node = field(operation, 'aspectId');
  const asked = textOf(node);
  const place = node?.place ?? { ...operation.place, length: 1 };
  if (asked === undefined)
    return wrongAt(place, 'this ScaleVnfRequest names no aspect', `aspectId: ${worker ?? 'worker_instance'}`);
  if (asked === worker) return undefined;
  if (worker !== undefined)
    return wrongAt(
      place,
      asked === master
        ? 'this is the aspect of the control planes, whose number Tacker does not change'
        : 'this is not the aspect of the workers',
      worker,
    );
  if (all.length > 0 && !all.includes(asked))
    return wrongAt(place, 'the instance has no such aspect', all.join(' or '));
  return /worker/i.test(asked)
    ? undefined
    : wrongAt(
        place,
        'nothing says that this is the aspect of the workers',
        'the InstantiateVnfRequest beside it, whose worker_node.aspect_id it is',
      );
}
