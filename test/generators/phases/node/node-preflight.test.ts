import { describe, expect, test } from 'vitest';
import { nodePreflight } from '../../../../generators/phases/node/node-preflight.ts';
import { cluster, kubeadmCluster, machine } from '../../../support/definitions/clusters.ts';
import { breachesOf } from '../../../support/definitions/phase-files.ts';
import { etcdSaying, kubectlOf } from '../../../support/live-cluster.ts';
import { runModule } from '../../../support/module.ts';

const given = kubeadmCluster({
  machines: [
    ...[1, 2, 3].map((n) => machine(`cp${n}`, `10.0.0.1${n}`, { roles: ['control-plane', 'etcd'] })),
    machine('worker1', '10.0.0.21', { roles: ['worker'] }),
    machine('worker10', '10.0.0.22', { roles: ['worker'] }),
  ],
});

interface Node {
  readonly address?: string;
  readonly ready?: boolean;
  readonly machine?: string;
  readonly cordoned?: boolean;
}

const node = (
  name: string,
  { address, ready = true, machine: id = name, cordoned = false }: Node,
): object => ({
  metadata: { name },
  spec: { unschedulable: cordoned },
  status: {
    nodeInfo: { machineID: id },
    addresses: [{ type: 'InternalIP', address: address ?? addressOf(name) }],
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'Unknown' }],
  },
});

const addressOf = (name: string): string => given.machines.find((each) => each.name === name)?.address ?? '';

/** What the cluster says, in place of kubectl and etcd. */
interface World {
  readonly nodes?: Readonly<Record<string, Node>>;
  readonly gone?: readonly string[];
  readonly sick?: readonly string[];
  readonly members?: readonly string[];
  readonly pods?: readonly object[];
  readonly budgets?: readonly object[];
  /** What kubectl says of the kubectl host, which is no control plane any more. */
  readonly left?: string;
}

interface Question {
  readonly despite?: readonly string[];
  readonly recreate?: boolean;
  readonly minimum?: string;
  /** What the targets say of themselves; empty: they do not answer. */
  readonly held?: object;
  readonly controlPlanes?: readonly string[];
}

interface Judgement {
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly out: readonly string[];
  readonly clean: readonly string[];
  readonly members: Readonly<Record<string, readonly string[]>>;
  readonly leave: readonly string[];
}

/** What a machine says that is a node of this cluster. */
const own = (name: string): object => ({
  ...{ machine: name, server: 'https://10.0.0.100:6440' },
  ...{ named: 'kube', ours: true, traces: true },
});

/** The module as it is, with answers of etcd in place of the function that asks it, and a kubectl of ours. */
function judge(
  operation: string,
  targets: readonly string[],
  world: World = {},
  asked: Question = {},
): Judgement {
  const kubectl = world.left === undefined ? kubectlOf(kubeOf(world)) : `echo '${world.left}' >&2; exit 1`;
  const { result } = runModule(
    'node_preflight',
    {
      operation,
      cluster: 'kube',
      kubectl_host: 'cp3',
      control_planes: asked.controlPlanes ?? ['cp1', 'cp2', 'cp3'],
      workers: ['worker1', 'worker10'],
      targets: Object.fromEntries(targets.map((name) => [name, addressOf(name)])),
      machines: Object.fromEntries(targets.map((name) => [name, asked.held ?? own(name)])),
      despite: asked.despite ?? [],
      minimum: asked.minimum ?? '1',
      recreate: asked.recreate ?? false,
      servers: ['https://10.0.0.100:6440'],
    },
    {
      programs: { kubectl },
      replaced: { 'def ask(': etcdSaying(etcdOf(world)), 'again(60, lambda: get': 'again(-1, lambda: get' },
    },
  );
  const { problems = [] } = result;
  if (result.failed === true && problems.length === 0) throw new Error(result.msg);
  return { notes: [], out: [], clean: [], members: {}, leave: [], ...result, problems };
}

const kubeOf = ({ nodes = {}, gone = [], sick = [], pods = [], budgets = [] }: World): object => ({
  nodes: given.machines
    .filter(({ name }) => !gone.includes(name))
    .map(({ name }) => node(name, nodes[name] ?? {})),
  pods,
  persistentvolumes: [],
  poddisruptionbudgets: budgets,
  silent: sick.map((name) => `https://${addressOf(name)}:`),
});

function etcdOf({ sick = [], members = ['cp1', 'cp2', 'cp3'] }: World): object {
  const listed = members.map((name, index) => ({
    ID: String(index + 10),
    name,
    peerURLs: [`https://${addressOf(name)}:2380`],
    clientURLs: [`https://${addressOf(name)}:2379`],
  }));
  const health = members.map((name) => [
    `https://${addressOf(name)}:2379/health`,
    { health: sick.includes(name) ? 'false' : 'true' },
  ]);
  return {
    'https://localhost:2379/v3/cluster/member/list': { members: listed },
    ...(Object.fromEntries(health) as object),
  };
}

const pod = (name: string, on: string, overrides: object = {}): object => ({
  metadata: {
    namespace: 'shop',
    name,
    labels: { app: name },
    ownerReferences: [{ kind: 'ReplicaSet', controller: true }],
  },
  spec: { nodeName: on, volumes: [] },
  status: { phase: 'Running' },
  ...overrides,
});

describe('the phase node-preflight', () => {
  test('is nobody else’s business where somebody else installs Kubernetes', () => {
    expect(nodePreflight.applies(cluster())).toBe(false);
  });

  test('keeps the house rules', () => {
    expect(breachesOf([nodePreflight], given)).toEqual([]);
  });
});

describe('a new node', () => {
  test('is taken in when nobody has its name, and when it is in already', () => {
    expect(judge('scale-out', ['worker1'], { gone: ['worker1'] })).toMatchObject({ problems: [], out: [] });
    expect(judge('scale-out', ['worker1'])).toMatchObject({ problems: [], out: [] });
  });

  test('is refused when another machine has its name', () => {
    expect(
      judge('scale-out', ['worker1'], { nodes: { worker1: { address: '10.0.0.99', machine: 'x' } } })
        .problems,
    ).toEqual(['worker1 is a node already, on another machine at 10.0.0.99: npx task replace-node worker1']);
  });

  test('that belongs to another cluster is refused', () => {
    const held = {
      machine: 'worker1',
      server: 'https://192.0.2.7:6443',
      named: '',
      ours: false,
      traces: true,
    };
    expect(judge('scale-out', ['worker1'], { gone: ['worker1'] }, { held }).problems).toEqual([
      'worker1 belongs to the cluster at https://192.0.2.7:6443: take it out there first',
    ]);
  });

  test('that does not answer is left out, and so is a node elsewhere that is sick', () => {
    const found = judge(
      'scale-out',
      ['worker1'],
      { gone: ['worker1'], nodes: { worker10: { ready: false } } },
      { held: {} },
    );
    expect(found).toMatchObject({ problems: [], leave: ['worker1', 'worker10'] });
    expect(found.notes).toEqual([
      'worker1 does not answer and is left out',
      'worker10 is not ready, and is left alone',
    ]);
  });

  test('that does not answer and leaves is told with what keeps it from coming back', () => {
    const found = judge('scale-in', ['worker1'], { nodes: { worker1: { ready: false } } }, { held: {} });
    expect(found.notes).toEqual([
      'worker1 does not answer, so it is not cleaned up: reinstall or wipe it before it runs again, or its kubelet makes it a node again',
    ]);
  });

  test('is about no other machine that is not in yet', () => {
    const found = judge('scale-out', ['worker1'], { gone: ['worker1', 'worker10'] });
    expect(found).toMatchObject({ problems: [], leave: ['worker10'] });
    expect(found.notes).toEqual(['worker10 is no node of the cluster, and is left alone']);
  });
});

describe('a node that is healed', () => {
  test('is only looked at when it is well', () => {
    expect(judge('heal-node', ['worker1'])).toMatchObject({
      problems: [],
      out: [],
      notes: ['worker1 is well; nothing of it is taken out'],
    });
    expect(judge('heal-node', ['cp1'])).toMatchObject({ problems: [], out: [] });
  });

  test.each([
    ['a kubelet that says nothing', 'worker1', { nodes: { worker1: { ready: false } } }],
    ['a machine that was installed again', 'worker1', { nodes: { worker1: { machine: 'before' } } }],
    ['a node that is gone from the cluster', 'worker1', { gone: ['worker1'] }],
    ['a member of etcd that is sick', 'cp1', { sick: ['cp1'] }],
    ['a control plane without a member', 'cp1', { members: ['cp2', 'cp3'] }],
  ])('is taken out with %s', (_, name, world) => {
    expect(judge('heal-node', [name], world)).toMatchObject({ problems: [], out: [name], clean: [name] });
  });

  test('is taken out when it lacks what it would not come back without, and says what', () => {
    const held = { ...own('cp1'), lacking: ['/etc/kubernetes/pki/ca.key'] };
    expect(judge('heal-node', ['cp1'], {}, { held })).toMatchObject({
      problems: [],
      out: ['cp1'],
      notes: ['cp1 lacks /etc/kubernetes/pki/ca.key'],
    });
    expect(judge('heal-node', ['worker1'], {}, { held: { ...own('worker1'), lacking: ['x'] } }).out).toEqual(
      [],
    );
  });

  test('is taken out although it is well when somebody says so', () => {
    expect(judge('heal-node', ['worker1'], {}, { recreate: true }).out).toEqual(['worker1']);
  });

  test('is not cleaned when it holds nothing of this cluster', () => {
    const held = { machine: 'new', server: '', named: '', ours: false, traces: true };
    expect(judge('heal-node', ['worker1'], { nodes: { worker1: { ready: false } } }, { held })).toMatchObject(
      {
        out: ['worker1'],
        clean: [],
      },
    );
  });

  test('has to answer, at the address that the cluster knows', () => {
    expect(judge('heal-node', ['worker1'], {}, { held: {} }).problems[0]).toContain('does not answer');
    expect(
      judge('heal-node', ['worker1'], { nodes: { worker1: { address: '10.0.0.99' } } }).problems,
    ).toEqual(['the cluster knows worker1 at 10.0.0.99: npx task replace-node worker1']);
  });
});

describe('a machine that takes the place of another', () => {
  const before = { address: '10.0.0.99', machine: 'before' };

  test('does so when the old one is silent', () => {
    expect(
      judge('replace-node', ['worker1'], { nodes: { worker1: { ...before, ready: false } } }),
    ).toMatchObject({
      problems: [],
      out: ['worker1'],
    });
  });

  test('waits while the old one still runs', () => {
    expect(judge('replace-node', ['worker1'], { nodes: { worker1: before } }).problems[0]).toContain(
      'still runs at 10.0.0.99',
    );
  });

  test('has done so when it runs it again', () => {
    expect(judge('replace-node', ['cp1'])).toMatchObject({ problems: [], out: [] });
  });
});

describe('etcd', () => {
  test('gives the members that go by their own ids, whatever other names begin alike', () => {
    expect(judge('replace-node', ['cp1'], { sick: ['cp1'] }).members).toEqual({ cp1: ['a'] });
  });

  test('does not lose a member while another one is sick, and says which', () => {
    expect(judge('heal-node', ['cp1'], { sick: ['cp2'], nodes: { cp1: { ready: false } } }).problems).toEqual(
      ['cp1 has to wait, cp2 of etcd is sick: heal it first'],
    );
  });

  test('that has lost its majority cannot be healed member by member', () => {
    expect(judge('heal-node', ['cp1'], { sick: ['cp1', 'cp2'] }).problems[0]).toContain(
      'etcd has lost its quorum: heal cp2 first',
    );
  });

  test('lets the second of two members be recreated, while both are healthy', () => {
    const world = { members: ['cp1', 'cp3'], gone: ['cp2'] };
    expect(judge('heal-node', ['cp1'], world, { recreate: true }).problems).toEqual([]);
  });

  test('lets a control plane leave that is dead', () => {
    expect(
      judge('scale-in', ['cp1'], { sick: ['cp1'], nodes: { cp1: { ready: false } } }, { held: {} }),
    ).toMatchObject({
      problems: [],
      out: ['cp1'],
      clean: [],
      members: { cp1: ['a'] },
    });
  });

  test('is asked by a control plane that is ready itself', () => {
    expect(judge('scale-out', ['worker1'], { nodes: { cp3: { ready: false } } }).problems).toEqual([
      'cp3 is not ready itself: let another control plane speak (cp1, cp2): --kubectl-host, or kubectl_host in a scope by hand',
    ]);
  });

  test('is asked by another one where the first has left', () => {
    const left = 'error: stat /etc/kubernetes/admin.conf: no such file or directory';
    expect(judge('scale-in', ['worker1'], { left }).problems).toEqual([
      `the API of the cluster does not answer: kubectl get failed: ${left}; let another control plane speak (cp1, cp2): --kubectl-host, or kubectl_host in a scope by hand`,
    ]);
  });

  test('is asked by no other one where there is none', () => {
    const left = 'error: no route to host';
    expect(judge('scale-in', ['cp1'], { left }, { controlPlanes: ['cp1', 'cp3'] }).problems).toEqual([
      `the API of the cluster does not answer: kubectl get failed: ${left}`,
    ]);
  });
});

describe('a worker that leaves', () => {
  test('leaves when another one that is ready stays', () => {
    expect(judge('scale-in', ['worker1'])).toMatchObject({
      problems: [],
      out: ['worker1'],
      clean: ['worker1'],
    });
  });

  test.each([
    ['all go', ['worker1', 'worker10'], {}, {}, 'no worker that is ready would stay, and 1 is the minimum'],
    [
      'the other is sick',
      ['worker1'],
      { nodes: { worker10: { ready: false } } },
      {},
      'no worker that is ready',
    ],
    [
      'the other takes no work',
      ['worker1'],
      { nodes: { worker10: { cordoned: true } } },
      {},
      'no worker that is ready',
    ],
    ['more shall stay', ['worker1'], {}, { minimum: '2' }, 'only worker10 would stay, and 2 is the minimum'],
  ])('stays when %s', (_, targets, world, asked, problem) => {
    expect(judge('scale-in', targets, world, asked).problems[0]).toContain(problem);
  });

  test('that is gone already has nothing left to lose', () => {
    const held = { machine: 'worker1', server: '', named: '', ours: false, traces: false };
    expect(judge('scale-in', ['worker1'], { gone: ['worker1'] }, { held })).toMatchObject({
      problems: [],
      out: ['worker1'],
      clean: [],
    });
  });
});

describe('pods on a node that goes', () => {
  const emptyDir = { spec: { nodeName: 'worker1', volumes: [{ name: 'cache', emptyDir: {} }] } };
  const bare = { metadata: { namespace: 'shop', name: 'lone', labels: {} } };
  const budget = {
    metadata: { namespace: 'shop', name: 'shop' },
    spec: { selector: { matchLabels: { app: 'web' } } },
    status: { disruptionsAllowed: 0 },
  };

  test.each([
    [
      'local-data',
      { pods: [pod('web', 'worker1', emptyDir)] },
      'shop/web on worker1 keeps data in an emptyDir',
    ],
    ['bare-pods', { pods: [pod('lone', 'worker1', bare)] }, 'nobody would start shop/lone on worker1 again'],
    [
      'budgets',
      { pods: [pod('web', 'worker1')], budgets: [budget] },
      'the disruption budget shop protects shop/web on worker1',
    ],
  ])('protect it by %s, unless somebody says otherwise', (kind, world, problem) => {
    expect(judge('scale-in', ['worker1'], world).problems).toEqual([
      `${problem} (node_preflight_despite=${kind} goes on all the same)`,
    ]);
    expect(judge('scale-in', ['worker1'], world, { despite: [kind] }).problems).toEqual([]);
  });

  test('protect nothing when they run elsewhere, end with their node anyway, or lost it already', () => {
    const daemon = {
      metadata: { namespace: 'shop', name: 'd', ownerReferences: [{ kind: 'DaemonSet', controller: true }] },
      ...emptyDir,
    };
    const elsewhere = { spec: { nodeName: 'worker10', volumes: [{ name: 'c', emptyDir: {} }] } };
    const pods = [pod('d', 'worker1', daemon), pod('web', 'worker10', elsewhere)];
    expect(judge('scale-in', ['worker1'], { pods }).problems).toEqual([]);
    const lost = { pods: [pod('web', 'worker1', emptyDir)], nodes: { worker1: { ready: false } } };
    expect(judge('heal-node', ['worker1'], lost).problems).toEqual([]);
  });
});
