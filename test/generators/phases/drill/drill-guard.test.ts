import { expect, test } from 'vitest';
import type { Drills } from '../../../../generators/cluster/cluster.ts';
import { kubeadmCluster, machine } from '../../../support/definitions/clusters.ts';
import { etcdSaying, kubectlOf } from '../../../support/live-cluster.ts';
import { runModule } from '../../../support/module.ts';

const given = kubeadmCluster({
  machines: [
    ...[1, 2, 3].map((n) => machine(`cp${n}`, `10.0.0.1${n}`, { roles: ['control-plane', 'etcd'] })),
    ...[1, 2].map((n) => machine(`worker${n}`, `10.0.0.2${n}`, { roles: ['worker'] })),
  ],
});

interface World {
  readonly unready?: readonly string[];
  readonly cordoned?: readonly string[];
  readonly gone?: readonly string[];
  /** Members of etcd, or API servers, that do not answer. */
  readonly sick?: readonly string[];
  readonly silent?: readonly string[];
  readonly protected?: boolean;
  readonly window?: Drills['window'];
}

interface Question {
  readonly drill?: string;
  readonly host?: string;
  readonly begins?: boolean;
}

const addressOf = (name: string): string => given.machines.find((each) => each.name === name)?.address ?? '';

/** What the module finds, with kubectl and etcd played by what the world says. */
function problems(world: World, asked: Question = {}): readonly string[] {
  const { from: opens, to: closes, days } = world.window ?? { from: '', to: '', days: [] };
  const { begins = true, drill = 'vip', host = '' } = asked;
  const control_planes = Object.fromEntries(['cp1', 'cp2', 'cp3'].map((name) => [name, addressOf(name)]));
  const { result } = runModule(
    'drill_preflight',
    {
      ...{ drill, host, control_planes, opens, closes, days },
      ...{ state: begins ? 'before' : 'after', workers: ['worker1', 'worker2'] },
    },
    {
      programs: { kubectl: kubectlOf(kubeOf(world)) },
      replaced: { 'def ask(': etcdSaying(etcdOf(world)) },
    },
  );
  const { failed = false, problems: found } = result;
  if (found === undefined) throw new Error(result.msg);
  expect(failed).toBe(begins && found.length > 0);
  return found;
}

const kubeOf = (world: World): object => ({
  nodes: given.machines
    .filter(({ name }) => world.gone?.includes(name) !== true)
    .map(({ name }) => ({
      metadata: { name },
      spec: { unschedulable: world.cordoned?.includes(name) ?? false },
      status: { conditions: [{ type: 'Ready', status: world.unready?.includes(name) ? 'Unknown' : 'True' }] },
    })),
  pods: [
    {
      metadata: { name: 'web', namespace: 'tenant', labels: { app: 'web' } },
      spec: { nodeName: 'worker1' },
      status: { phase: 'Running' },
    },
  ],
  poddisruptionbudgets: world.protected
    ? [
        {
          metadata: { name: 'keep', namespace: 'tenant' },
          spec: { selector: { matchLabels: { app: 'web' } } },
          status: { disruptionsAllowed: 0 },
        },
      ]
    : [],
  silent: (world.silent ?? []).map((name) => `https://${addressOf(name)}:`),
});

function etcdOf({ sick = [] }: World): object {
  const names = ['cp1', 'cp2', 'cp3'];
  const members = names.map((name) => ({ name, clientURLs: [`https://${addressOf(name)}:2379`] }));
  return {
    'https://localhost:2379/v3/cluster/member/list': { members },
    ...Object.fromEntries(
      names.map((name) => [
        `https://${addressOf(name)}:2379/health`,
        { health: String(!sick.includes(name)) },
      ]),
    ),
  };
}

test('nothing speaks against a drill of a whole cluster', () => {
  expect(problems({})).toEqual([]);
  expect(problems({}, { drill: 'control-plane', host: 'cp2' })).toEqual([]);
  expect(problems({}, { drill: 'worker', host: 'worker1' })).toEqual([]);
});

test('whatever is sick already is named, all at once', () => {
  const world = {
    unready: ['worker2'],
    cordoned: ['worker1'],
    gone: ['cp3'],
    sick: ['cp2'],
    silent: ['cp1'],
  };
  expect(problems(world)).toEqual([
    'cp3 is no node of the cluster',
    'worker2 is not ready',
    'worker1 takes no pods (it is cordoned)',
    'cp2 of etcd is sick',
    'the API server of cp1 is not ready',
  ]);
});

test('a drill is about a node that it can be about, and not one whose pods a budget protects', () => {
  expect(problems({}, { drill: 'control-plane', host: 'worker1' })).toEqual(['worker1 is no control plane']);
  expect(problems({}, { drill: 'worker', host: 'cp1' })).toEqual(['cp1 is no worker']);
  expect(problems({ protected: true }, { drill: 'worker', host: 'worker1' })).toEqual([
    'the disruption budget keep protects tenant/web',
  ]);
  expect(problems({ protected: true }, { drill: 'worker', host: 'worker2' })).toEqual([]);
});

const clock = (minutes: number): string =>
  new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16);
const today = (new Date().getUTCDay() + 6) % 7;

test('a drill begins within the maintenance window, and ends whenever it ends', () => {
  const closed = { from: clock(60), to: clock(120), days: [] };
  expect(problems({ window: { from: clock(-60), to: clock(60), days: [] } })).toEqual([]);
  expect(problems({ window: closed })[0]).toMatch(/outside of the maintenance window of the definition$/);
  expect(problems({ window: closed }, { begins: false })).toEqual([]);
});

test('a window belongs to the day on which it opens, also after midnight', () => {
  const over = clock(-60) > clock(60);
  const opened = over && clock(0) < clock(60) ? (today + 6) % 7 : today;
  const window = { from: clock(-60), to: clock(60) };
  expect(problems({ window: { ...window, days: [opened] } })).toEqual([]);
  expect(problems({ window: { ...window, days: [(opened + 3) % 7] } })).toHaveLength(1);
});
