import type { FleetCluster } from '../../../generators/cluster/cluster.ts';
import { failed, type Result } from '../../../generators/result.ts';
import { confirmOption, yesOption } from '../run/apply.ts';
import { examineMesh } from '../../fleet/doctor.ts';
import { driftOfFleet } from '../../fleet/drift.ts';
import { applyFleet, planFleet } from '../../fleet/plan.ts';
import { fleetPlace, type FleetPlace } from '../../fleet/place.ts';
import { runFleet } from '../../fleet/run.ts';
import { attachTo, cancelOf, showRuns, unlockOf } from '../../fleet/runs.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { World } from '../../runtime/world.ts';
import { fileOption, outputOption, setOption, task, wholeFrom } from '../../task.ts';

const actions = [
  'run',
  'plan',
  'apply',
  'drift',
  'status',
  'runs',
  'attach',
  'cancel',
  'unlock',
  'doctor',
] as const;

const words = { type: 'string', array: true, requiresArg: true, default: [] as string[] } as const;

const whole = <const Value extends number>(name: string, least: number, value: Value, describe: string) =>
  ({ type: 'number', coerce: wholeFrom(least, name), default: value, describe }) as const;

export const fleet = task({
  name: 'fleet',
  positionals: '<action> [word]',
  example: 'fleet run --site paris --canary 1 --at-once 5',
  options: {
    file: { ...fileOption, default: 'fleet.yml', describe: 'The definition of the fleet' },
    output: outputOption,
    action: { choices: actions, demandOption: true, describe: 'What to do' },
    word: {
      type: 'string',
      default: '',
      describe: 'run: the playbook or operation; attach, cancel: the run (default: the latest)',
    },
    cluster: { ...words, describe: 'Only these clusters; repeatable' },
    site: { ...words, describe: 'Only clusters of these sites; repeatable' },
    label: { ...words, describe: 'Only clusters with all of these labels, as key=value; repeatable' },
    canary: whole('canary', 0, 0, 'Run on this many clusters first, and continue only if all succeed'),
    'at-once': whole('at-once', 1, 5, 'Clusters at a time'),
    'per-site': whole('per-site', 1, 5, 'Clusters at a time in one site'),
    failures: whole('failures', 0, 0, 'So many may fail before no more are begun'),
    limit: whole('limit', 1, 5, 'runs: how many of each cluster'),
    from: whole('from', 0, 0, 'attach: counter of the first event wanted'),
    check: { type: 'boolean', default: false, describe: "run: Ansible's check mode: changes nothing" },
    force: { type: 'boolean', default: false, describe: 'unlock: even if the run that holds it is alive' },
    set: setOption,
    plan: {
      type: 'string',
      describe: 'apply: the id of the plan you have read; any other plan is refused',
    },
    yes: yesOption,
    confirm: confirmOption,
  },
  run: async (values, world): Promise<Result<void, Failure>> => {
    const { action, word } = values;
    if (word !== '' && !['run', 'attach', 'cancel'].includes(action))
      return failed({
        kind: 'usage',
        message: `fleet ${action} takes no word, not ${word}`,
        next: 'Name clusters with --cluster, once for each',
      });
    const useless = withoutUse(action, values);
    if (useless !== undefined) return failed(useless);
    const choice = { names: values.cluster, sites: values.site, labels: values.label };
    const found = await fleetPlace(values.file, choice, world);
    if (!found.ok) return found;
    try {
      return await actOn(found.value, values, world);
    } finally {
      await found.value.ways.close();
    }
  },
});

type Action = (typeof actions)[number];

interface FleetWords {
  readonly action: Action;
  readonly word: string;
  readonly output: string;
  readonly check: boolean;
  readonly set: readonly string[];
  readonly plan: string | undefined;
  readonly yes: boolean;
  readonly confirm: readonly string[];
  readonly canary: number;
  readonly 'at-once': number;
  readonly 'per-site': number;
  readonly failures: number;
  readonly limit: number;
  readonly from: number;
  readonly force: boolean;
}

async function actOn(place: FleetPlace, values: FleetWords, world: World): Promise<Result<void, Failure>> {
  const { action, word, check, set: given, output, plan, yes, confirm } = values;
  const limits = {
    canary: values.canary,
    atOnce: values['at-once'],
    perSite: values['per-site'],
    failures: values.failures,
  };
  switch (action) {
    case 'run':
      return runFleet(place, { playbook: word.replace(/\.yml$/, ''), output, check, given, limits }, world);
    case 'plan':
      return planFleet(place, output, world);
    case 'apply':
      return applyFleet(place, { output, limits, plan, yes, confirm, set: given }, world);
    case 'drift':
      return driftOfFleet(place, { output, limits }, world);
    case 'status':
      return showRuns(place, 1, world);
    case 'runs':
      return showRuns(place, values.limit, world);
    case 'attach':
      return onOne(place, action, (cluster) =>
        attachTo(place, cluster, { run: word, from: values.from }, world),
      );
    case 'cancel':
      return onOne(place, action, (cluster) => cancelOf(place, cluster, word, world));
    case 'unlock':
      return onOne(place, action, (cluster) => unlockOf(place, cluster, values.force, world));
    case 'doctor':
      return word === '' ? examineMesh(place, world) : failed(needless(action, word));
  }
}

/** What an option would be taken for with an action that does not know it: `apply --check` would change hosts. */
function withoutUse(action: Action, values: Readonly<Record<string, unknown>>): Failure | undefined {
  const found = Object.entries(uses).find(
    ([name, { of, absent }]) =>
      !of.includes(action) && JSON.stringify(values[name]) !== JSON.stringify(absent),
  );
  if (found === undefined) return undefined;
  const [name, { of }] = found;
  return {
    kind: 'usage',
    message: `--${name} is an option of fleet ${of.join(' and of fleet ')}, not of fleet ${action}; nothing was done`,
    next:
      name === 'check'
        ? 'npx task fleet plan shows what would be done, and changes nothing'
        : 'npx task fleet --help',
  };
}

interface OptionUse {
  readonly of: readonly Action[];
  /** Its value where nobody says it. */
  readonly absent: unknown;
}

const uses: Readonly<Record<string, OptionUse>> = {
  check: { of: ['run'], absent: false },
  force: { of: ['unlock'], absent: false },
  plan: { of: ['apply'], absent: undefined },
  yes: { of: ['apply'], absent: false },
  confirm: { of: ['apply'], absent: [] },
  set: { of: ['run', 'apply'], absent: [] },
  limit: { of: ['runs'], absent: 5 },
  from: { of: ['attach'], absent: 0 },
};

/** A run belongs to one cluster. */
const onOne = (
  { clusters }: FleetPlace,
  action: string,
  work: (cluster: FleetCluster) => Promise<Result<void, Failure>>,
): Promise<Result<void, Failure>> => {
  const [cluster, ...more] = clusters;
  return cluster === undefined || more.length > 0
    ? Promise.resolve(
        failed({
          kind: 'usage',
          message: `fleet ${action} is about one cluster, not ${clusters.length}`,
          next: 'Name it: --cluster NAME',
        }),
      )
    : work(cluster);
};

const needless = (action: string, word: string): Failure => ({
  kind: 'usage',
  message: `fleet ${action} takes no ${word}`,
});
