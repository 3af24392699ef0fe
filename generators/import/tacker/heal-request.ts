import type { Problems } from '../../source/problem.ts';
import { entry, isNull, itemsOf, sameName, textOf } from '../../source/foreign/look.ts';
import { wrongAt, type ForeignNode } from '../../source/foreign/node.ts';
import { otherRequest, type RequestSubject } from './other-requests.ts';

/** The keys of a HealVnfRequest in both versions of the API, and of Tacker's own. */
const keys = ['vnfcInstanceId', 'cause', 'additionalParams', 'healScript'].map(sameName);

/**
 * What is wrong with a HealVnfRequest. One without `vnfcInstanceId` heals everything, so that what is none, or has a
 * misspelt key, must not be taken for it.
 */
export function healProblem(operation: ForeignNode, subject: RequestSubject): Problems[number] | undefined {
  const place = { ...operation.place, length: 1 };
  if (operation.kind !== 'map')
    return wrongAt(place, 'no operation can be told from it', 'the body of a request to Tacker');
  const strange = operation.entries.find(({ key }) => !keys.includes(sameName(key)));
  if (strange !== undefined)
    return (
      otherRequest(operation, subject) ??
      wrongAt(
        strange.value.place,
        `no operation can be told from the key ${JSON.stringify(strange.key)}`,
        'the body of a request to heal, scale or terminate; of a HealVnfRequest vnfcInstanceId, cause, additionalParams',
      )
    );
  const asked = entry(operation, 'vnfcInstanceId');
  if (asked === undefined) return undefined;
  const ids = asked.value.kind === 'scalar' ? [asked.value] : itemsOf(asked.value);
  return isNull(asked.value) || ids.length === 0 || ids.some((id) => textOf(id) === undefined)
    ? wrongAt(
        asked.value.place,
        'vnfcInstanceId names nothing',
        'identifiers of VNFCs; without the key all are healed',
      )
    : undefined;
}
