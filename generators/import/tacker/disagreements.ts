import type { Problems } from '../../source/problem.ts';
import { fieldAt, itemsOf, textAt } from '../../source/foreign/look.ts';
import { doubtAt } from '../../source/foreign/node.ts';
import type { Documents } from './documents.ts';
import { isServer } from './heat.ts';
import type { TackerCloud } from './member.ts';

/** What Heat and the instance say that shows a cloud that is not whole. */
export const disagreements = (documents: Documents, around: TackerCloud): Problems => [
  ...failures(around),
  ...strangers(around),
  ...levels(documents, around),
];

const failures = ({ resources }: TackerCloud): Problems =>
  resources.flatMap(({ node, name }) => {
    const status = textAt(node, 'resource_status') ?? '';
    return /^[A-Z]+_FAILED$/.test(status)
      ? [
          doubtAt(
            { ...node.place, length: 1 },
            `Heat's resource ${name} is ${status}`,
            'a stack that is whole, before anything is run on its machines',
          ),
        ]
      : [];
  });

/** Servers that one of them has and the other has not. */
function strangers({ resources, vnfcs }: TackerCloud): Problems {
  const servers = resources.filter((each) => isServer(each) && each.id !== '');
  if (servers.length === 0 || vnfcs.length === 0) return [];
  const ids = new Set(servers.map(({ id }) => id));
  const known = new Set(vnfcs.map(({ server }) => server));
  return [
    ...servers
      .filter(({ id }) => !known.has(id))
      .map(({ id, node }) =>
        doubtAt(
          { ...node.place, length: 1 },
          `Heat has the server ${id}, which is no VNFC of the instance, so it becomes no machine`,
          'both from the same day',
        ),
      ),
    ...vnfcs
      .filter(({ server }) => server !== '' && !ids.has(server))
      .map(({ server, place }) =>
        doubtAt(
          { ...place, length: 1 },
          `the server ${server} of this VNFC is not among the resources of Heat`,
          'both from the same day',
        ),
      ),
  ];
}

/** Each step of an aspect makes a machine at least. */
const levels = ({ instance }: Documents, { vnfcs, aspects }: TackerCloud): Problems =>
  itemsOf(fieldAt(instance, 'instantiatedVnfInfo', 'scaleStatus')).flatMap((each) => {
    const aspect = textAt(each, 'aspectId') ?? '';
    const level = Number(textAt(each, 'scaleLevel') ?? 0);
    const word = aspect === aspects.worker ? 'worker' : aspect === aspects.master ? 'master' : undefined;
    const count = vnfcs.filter(({ vdu }) => word !== undefined && vdu.toLowerCase().startsWith(word)).length;
    return word !== undefined && count < level
      ? [
          doubtAt(
            { ...each.place, length: 1 },
            `the aspect ${aspect} has the level ${level}, and the instance ${count} VNFCs of it`,
            'an instance of today',
          ),
        ]
      : [];
  });
