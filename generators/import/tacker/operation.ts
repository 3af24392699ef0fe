import type { Cluster, Machine } from '../../cluster/cluster.ts';
import type { Problems } from '../../source/problem.ts';
import { failed, ok, type Result } from '../../result.ts';
import { entry, field, isTrue, itemsOf, textAt, textOf } from '../../source/foreign/look.ts';
import { wrongAt, type ForeignNode } from '../../source/foreign/node.ts';
import { cnfCommands } from './cnf.ts';
import type { Documents } from './documents.ts';
import { healProblem } from './heal-request.ts';
import type { Vnfc } from './instance.ts';
import { surroundingsOf, type TackerCloud } from './member.ts';
import { addressesOfVnfc } from './vnfc.ts';
import { isOnlyWorker } from '../../cluster/roles.ts';

/** The commands that do what an operation of Tacker asks for, and what to know before they are typed. */
export interface Commands {
  readonly commands: readonly string[];
  readonly notes: readonly string[];
}

/** Requests of Tacker that change a cluster, or are about a CNF, in the words of Playsmith. */
export function commandsFor(
  operation: ForeignNode,
  documents: Documents,
  cluster: Cluster,
): Result<Commands, Problems> {
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

const sure = (name: string): string => `--confirm ${name}`;

function terminate(operation: ForeignNode, { name }: Cluster): Result<Commands, Problems> {
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
  const problem = healProblem(operation);
  if (problem !== undefined) return failed([problem]);
  const ids = idsOf(field(operation, 'vnfcInstanceId'));
  const all = isTrue(field(field(operation, 'additionalParams'), 'all'));
  if (ids.length === 0 || all)
    return ok({
      commands: [`npx task heal-cluster ${sure(cluster.name)}`],
      notes: ['the whole cluster is recreated; addresses that changed have to be in the definition first'],
    });
  const found = ids.map(({ node, text }) => ({ node, text, machine: machineFor(text, around, cluster) }));
  const missing = found.filter(({ machine }) => machine === undefined);
  if (missing.length > 0) return failed(missing.map(({ node, text }) => unknown(node, text)));
  return ok({
    commands: [...new Set(found.flatMap(({ machine }) => (machine ? [healing(machine, cluster.name)] : [])))],
    notes: [],
  });
}

/** An array of identifiers, or the bare text that the guides show. */
const idsOf = (
  node: ForeignNode | undefined,
): readonly { readonly node: ForeignNode; readonly text: string }[] =>
  [...(node?.kind === 'scalar' ? [node] : itemsOf(node))].flatMap((each) => {
    const text = textOf(each);
    return text === undefined ? [] : [{ node: each, text }];
  });

const unknown = (node: ForeignNode, id: string) =>
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

function machineOf(vnfc: Vnfc, around: TackerCloud, { machines }: Cluster): Machine | undefined {
  const addresses = new Set(addressesOfVnfc(vnfc, around));
  return machines.find(({ address, ssh }) => addresses.has(address) || addresses.has(ssh.host));
}

function scale(operation: ForeignNode, around: TackerCloud, cluster: Cluster): Result<Commands, Problems> {
  const type = field(operation, 'type');
  const direction = textOf(type)?.toUpperCase();
  const steps = Number(textAt(operation, 'numberOfSteps') ?? 1);
  if (direction === 'SCALE_OUT') return ok(scaleOut(steps, around, cluster));
  if (direction === 'SCALE_IN') return scaleIn(operation, { steps, around }, cluster);
  return failed([
    wrongAt((type ?? operation).place, 'a ScaleVnfRequest goes out or in', 'SCALE_OUT or SCALE_IN'),
  ]);
}

/** Machines that the instance has and the definition does not yet are the new ones. */
function scaleOut(steps: number, around: TackerCloud, cluster: Cluster): Commands {
  const fresh = around.vnfcs
    .filter((vnfc) => !machineOf(vnfc, around, cluster))
    .flatMap((vnfc) => addressesOfVnfc(vnfc, around).slice(0, 1))
    .map((address) => ({ address, name: `worker${address.split('.').at(-1) ?? ''}` }));
  if (fresh.length === 0)
    return {
      commands: ['npx task apply'],
      notes: [
        `first write ${steps} more ${steps === 1 ? 'worker' : 'workers'} into the definition, below \`nodes\``,
      ],
    };
  return {
    commands: [`npx task scale-out ${fresh.map(({ name }) => name).join(' ')}`],
    notes: [
      'first write into the definition, below `nodes`, those of them that are workers:',
      ...fresh.map(({ name, address }) => `  - { name: ${name}, roles: [worker], address: ${address} }`),
    ],
  };
}

/** Tacker takes the oldest: by the time of their making, then by name. */
function scaleIn(
  operation: ForeignNode,
  { steps, around }: { readonly steps: number; readonly around: TackerCloud },
  cluster: Cluster,
): Result<Commands, Problems> {
  const workers = around.vnfcs.flatMap((vnfc) => {
    const machine = machineOf(vnfc, around, cluster);
    return machine && isOnlyWorker(machine) ? [{ name: machine.name, created: createdOf(vnfc, around) }] : [];
  });
  if (workers.length === 0 || workers.some(({ created }) => created === ''))
    return failed([ageless(operation)]);
  if (steps > workers.length)
    return failed([
      wrongAt(
        (field(operation, 'numberOfSteps') ?? operation).place,
        `there are ${workers.length} workers, of which ${steps} cannot go`,
        `a number up to ${workers.length}`,
      ),
    ]);
  const oldest = workers
    .toSorted(byAge)
    .slice(0, steps)
    .map(({ name }) => name);
  return ok({
    commands: [`npx task scale-in ${oldest.join(' ')} ${sure(oldest.join(','))}`],
    notes: ['the oldest go, as Tacker has it; any other name can stand there instead'],
  });
}

type CreatedResource = Readonly<Record<'name' | 'created', string>>;

const byAge = (a: CreatedResource, b: CreatedResource): number =>
  a.created === b.created ? (a.name < b.name ? -1 : 1) : a.created < b.created ? -1 : 1;

const ageless = ({ place }: ForeignNode): Problems[number] =>
  wrongAt(
    { ...place, length: 1 },
    'nothing tells which machine is the oldest, which is the one that Tacker takes',
    'the resources of Heat with creation_time beside the request; or npx task scale-in with names of your choice, or --count 1',
  );

const createdOf = ({ created, server }: Vnfc, { resources }: TackerCloud): string =>
  created || (resources.find(({ id }) => id === server)?.created ?? '');
