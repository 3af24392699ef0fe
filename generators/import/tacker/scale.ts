import type { Cluster } from '../../cluster/cluster.ts';
import { isOnlyWorker } from '../../cluster/roles.ts';
import { failed, ok, type Result } from '../../result.ts';
import { flowText } from '../../source/flow-text.ts';
import { field, textAt, textOf } from '../../source/foreign/look.ts';
import { wrongAt, type ForeignNode } from '../../source/foreign/node.ts';
import type { Problems } from '../../source/problem.ts';
import { machineOf, sure, type Commands } from './commands.ts';
import type { Vnfc } from './instance.ts';
import type { TackerCloud } from './member.ts';
import { membersOf } from './members.ts';
import { plainAddress } from './nodes.ts';
import { aspectProblem, strangeKey } from './scale-request.ts';
import { addressesOfVnfc } from './vnfc.ts';

/** What a ScaleVnfRequest asks for. */
export function scale(
  operation: ForeignNode,
  around: TackerCloud,
  cluster: Cluster,
): Result<Commands, Problems> {
  const problem = strangeKey(operation, 'scale') ?? aspectProblem(operation, around.aspects);
  if (problem !== undefined) return failed([problem]);
  const type = field(operation, 'type');
  const direction = textOf(type)?.toUpperCase() ?? '';
  const steps = Number(textAt(operation, 'numberOfSteps') ?? 1);
  if (direction === 'SCALE_OUT') return ok(scaleOut(steps, around, cluster));
  if (direction === 'SCALE_IN') return scaleIn(operation, { steps, around }, cluster);
  return failed([
    wrongAt(
      type?.place ?? { ...operation.place, length: 1 },
      `the type of a ScaleVnfRequest is wrong${/^\w{1,40}$/.test(direction) ? `: ${direction}` : ''}`,
      'SCALE_OUT or SCALE_IN',
    ),
  ]);
}

/** Machines that the instance has and the definition does not yet are the new ones. */
function scaleOut(steps: number, around: TackerCloud, cluster: Cluster): Commands {
  const fresh = (around.workers ? workersOf(around) : anyOf(around)).filter(
    ({ addresses }) =>
      addresses.length > 0 &&
      !cluster.machines.some(({ address, ssh }) =>
        addresses.some((each) => [address, ssh.host].includes(each)),
      ),
  );
  if (fresh.length === 0)
    return {
      commands: ['npx task apply'],
      notes: [
        `first write ${steps} more ${steps === 1 ? 'worker' : 'workers'} into the definition, below \`nodes\``,
      ],
    };
  const hasLabels = cluster.machines.some(({ labels }) => labels.some(({ key }) => key === 'vnfc'));
  const nodes = fresh.map((each) => nodeOf(each, hasLabels));
  return {
    commands: [`npx task scale-out ${nodes.map(({ name }) => name).join(' ')}`],
    notes: [
      `first write into the definition, below \`nodes\`${around.workers ? '' : ', those of them that are workers'}:`,
      ...nodes.map((node) => `  - ${flowText(node)}`),
    ],
  };
}

interface NewMachine {
  /** Its VNFC. */
  readonly id: string | undefined;
  /** Inside, then on the way to it. */
  readonly addresses: readonly string[];
}

const workersOf = (around: TackerCloud): readonly NewMachine[] =>
  (around.workers ? membersOf(around.workers, around) : []).map(({ ids, address, ssh }) => ({
    id: ids[0],
    addresses: [...new Set([address, ssh].flatMap((each) => (each ? plainAddress(each.text) : [])))],
  }));

/** Without the parameters nothing says which of them are workers. */
const anyOf = (around: TackerCloud): readonly NewMachine[] =>
  around.vnfcs.map((vnfc) => ({ id: vnfc.ids[0], addresses: addressesOfVnfc(vnfc, around) }));

function nodeOf({ id, addresses: [address = '', way] }: NewMachine, hasLabels: boolean) {
  return {
    name: `worker${address.split(/[.:]/).at(-1) ?? ''}`,
    roles: ['worker'],
    address,
    ...(way === undefined ? {} : { ssh: { host: way } }),
    ...(hasLabels && id !== undefined ? { labels: { vnfc: id } } : {}),
  };
}

/** The first version takes the oldest: by the time of their making, then by name; the second one takes the newest. */
function scaleIn(
  operation: ForeignNode,
  { steps, around }: { readonly steps: number; readonly around: TackerCloud },
  cluster: Cluster,
): Result<Commands, Problems> {
  const workers = around.vnfcs.flatMap((vnfc) => {
    const machine = machineOf(vnfc, around, cluster);
    return machine && isOnlyWorker(machine) ? [{ name: machine.name, created: createdOf(vnfc, around) }] : [];
  });
  if (workers.length > 0 && steps > workers.length)
    return failed([
      wrongAt(
        (field(operation, 'numberOfSteps') ?? operation).place,
        `there are ${workers.length} workers, of which ${steps} cannot go`,
        `a number up to ${workers.length}`,
      ),
    ]);
  if (workers.length === 0 || workers.some(({ created }) => created === ''))
    return failed([ageless(operation)]);
  const byTurn = around.isSecondVersion ? workers.toSorted(byAge).reverse() : workers.toSorted(byAge);
  const going = byTurn.slice(0, steps).map(({ name }) => name);
  return ok({
    commands: [`npx task scale-in ${going.join(' ')} ${sure(going.join(','))}`],
    notes: [
      `the ${around.isSecondVersion ? 'newest go, as the second version of' : 'oldest go, as the first version of'} Tacker's API has it; any other name can stand there instead`,
    ],
  });
}

type CreatedResource = Readonly<Record<'name' | 'created', string>>;

const byAge = (a: CreatedResource, b: CreatedResource): number =>
  a.created === b.created ? (a.name < b.name ? -1 : 1) : a.created < b.created ? -1 : 1;

const ageless = ({ place }: ForeignNode): Problems[number] =>
  wrongAt(
    { ...place, length: 1 },
    'nothing tells how old these machines are, by which Tacker chooses',
    'the resources of Heat with creation_time beside the request; or npx task scale-in with names of your choice, or --count 1',
  );

const createdOf = ({ created, server }: Vnfc, { resources }: TackerCloud): string =>
  created || (resources.find(({ id }) => id === server)?.created ?? '');
