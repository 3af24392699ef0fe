import type { Cluster, Machine } from '../../cluster/cluster.ts';
import type { Problems } from '../../source/problem.ts';
import { failed, ok, type Result } from '../../result.ts';
import { entry, field, fieldAt, isTrue, itemsOf, textAt, textOf } from '../../source/foreign/look.ts';
import { wrongAt, type ForeignNode } from '../../source/foreign/node.ts';
import { cnfCommands } from './cnf/cnf-commands.ts';
import { machineOf, sure, type Commands } from './commands.ts';
import { requestOf, type Documents } from './documents.ts';
import { healProblem } from './heal-request.ts';
import { scale } from './scale.ts';
import { strangeKey } from './scale-request.ts';
import { surroundingsOf, type TackerCloud } from './member.ts';

/** Requests of Tacker that change a cluster, or are about a CNF, in the words of Playsmith. */
export function commandsFor(
  asked: ForeignNode,
  documents: Documents,
  cluster: Cluster,
): Result<Commands, Problems> {
  const operation = requestOf(asked);
  const steps = stepsProblem(operation);
  if (steps !== undefined) return failed([steps]);
  const ofCnf = cnfCommands(operation, documents, cluster);
  if (ofCnf !== undefined) return ofCnf;
  const around = surroundingsOf(documents);
  const found = entry(operation, 'terminationType')
    ? terminate(operation, cluster)
    : entry(operation, 'type', 'aspectId', 'numberOfSteps')
      ? scale(operation, around, cluster)
      : heal(operation, around, cluster);
  if (!found.ok || cluster.kubernetes.installer !== 'none') return found;
  return ok({ ...found.value, notes: [...found.value.notes, notOurs] });
}

/** A number goes into a command that somebody pastes. */
function stepsProblem(operation: ForeignNode): Problems[number] | undefined {
  const steps = field(operation, 'numberOfSteps');
  return steps === undefined || /^[1-9]\d{0,3}$/.test(textOf(steps) ?? '')
    ? undefined
    : wrongAt(steps.place, 'numberOfSteps is no number of steps', 'a whole number from 1 on');
}

const notOurs =
  'the definition says that somebody else installs Kubernetes: the command works with `installer: { kubeadm: … }` or `installer: { kubespray: … }`';

function terminate(operation: ForeignNode, { name }: Cluster): Result<Commands, Problems> {
  const strange = strangeKey(operation, 'terminate');
  if (strange !== undefined) return failed([strange]);
  const type = textAt(operation, 'terminationType')?.toUpperCase() ?? '';
  if (type !== 'FORCEFUL' && type !== 'GRACEFUL')
    return failed([
      wrongAt(
        (field(operation, 'terminationType') ?? operation).place,
        'a TerminateVnfRequest is forceful or graceful',
        'FORCEFUL or GRACEFUL',
      ),
    ]);
  const isForceful = type === 'FORCEFUL';
  const timeout = textAt(operation, 'gracefulTerminationTimeout');
  return ok({
    commands: [`npx task terminate ${sure(name)}`],
    notes: [
      ...(isForceful ? ['FORCEFUL: take CNFs that must not be lost away first; nothing waits for them'] : []),
      ...(timeout === undefined ? [] : [`gracefulTerminationTimeout ${timeout}: drain what needs it before`]),
    ],
  });
}

function heal(operation: ForeignNode, around: TackerCloud, cluster: Cluster): Result<Commands, Problems> {
  const problem = healProblem(operation, 'cluster');
  if (problem !== undefined) return failed([problem]);
  const ids = idsOf(field(operation, 'vnfcInstanceId'));
  if (ids.length === 0)
    return ok({
      commands: [`npx task heal-cluster ${sure(cluster.name)}`],
      notes: ['the whole cluster is recreated; addresses that changed have to be in the definition first'],
    });
  const found = ids.map(({ node, text }) => ({ node, text, machine: machineFor(text, around, cluster) }));
  const missing = found.filter(({ machine }) => machine === undefined);
  if (missing.length > 0) return failed(missing.map(({ node, text }) => unknownOperation(node, text)));
  return ok({
    commands: [...new Set(found.flatMap(({ machine }) => (machine ? [healing(machine, cluster.name)] : [])))],
    notes: isTrue(fieldAt(operation, 'additionalParams', 'all')) ? [allOfThese] : [],
  });
}

/** In Tacker it chooses other VNFCs only where none is named. */
const allOfThese =
  '`all` beside vnfcInstanceId heals no other VNFC: it is about the volumes of those that are named';

/** An array of identifiers, or the bare text that the guides show. */
const idsOf = (
  node: ForeignNode | undefined,
): readonly { readonly node: ForeignNode; readonly text: string }[] =>
  [...(node?.kind === 'scalar' ? [node] : itemsOf(node))].flatMap((each) => {
    const text = textOf(each);
    return text === undefined ? [] : [{ node: each, text }];
  });

const unknownOperation = (node: ForeignNode, id: string) =>
  wrongAt(
    node.place,
    `no machine of the definition is the VNFC ${id}`,
    'the instance with its ports or servers, or the resources of Heat, beside the request; and the address in the definition',
  );

const healing = ({ name, roles }: Machine, cluster: string): string =>
  roles.includes('control-plane') || roles.includes('worker')
    ? `npx task heal-node ${name}`
    : (roles as readonly string[]).includes('storage')
      ? `npx task heal-storage ${sure(cluster)}`
      : `npx task run --limit ${name}`;

const machineFor = (id: string, around: TackerCloud, cluster: Cluster): Machine | undefined => {
  const vnfc = around.vnfcs.find(({ ids }) => ids.includes(id));
  return vnfc && machineOf(vnfc, around, cluster);
};
