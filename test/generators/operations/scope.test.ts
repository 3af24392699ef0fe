import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { chosen } from '../../../generators/operations/choose.ts';
import { operations } from '../../../generators/operations/table.ts';
import { operationOf, playbooks } from '../../../generators/playbooks.ts';
import { scopeInventory, scopeOf, wholeCluster, type Scope } from '../../../generators/operations/scope.ts';
import { outline, type PlayOutline } from '../../../generators/outline/outline.ts';
import { render } from '../../../generators/render.ts';
import { endpoint, kubeadmCluster, machine } from '../../support/definitions/clusters.ts';
import { templates } from '../../support/definitions/templates.ts';

const worker = (name: string, address: string, id = ''): ReturnType<typeof machine> =>
  machine(name, address, {
    roles: ['worker'],
    labels: id === '' ? [] : [{ key: 'example.org/vnfc-id', value: id }],
  });

/** Names that are prefixes of each other, and addresses with the same last octet. */
const given = (): Cluster => {
  const heads = [1, 2, 3].map((n) =>
    machine(`master${n}`, `10.0.0.1${n}`, { roles: ['control-plane', 'etcd'] }),
  );
  const workers = [
    worker('worker1', '10.0.0.21', 'a-1'),
    worker('worker10', '10.0.1.21'),
    worker('worker11', '10.0.0.22'),
  ];
  return kubeadmCluster({ machines: [...heads, ...workers], endpoint: endpoint(heads) });
};

function scope(name: string, targets: readonly string[], leader = ''): Scope | readonly string[] {
  const cluster = given();
  const operation = operationOf(cluster, name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const found = scopeOf(cluster, { operation, targets, leader });
  return found.ok ? found.value : found.failure;
}

const others = ['master1', 'master2', 'master3', 'worker10', 'worker11'];

describe('a scope', () => {
  test('is the whole cluster when nobody is named, with the first control plane to speak for it', () => {
    expect(wholeCluster(given())).toEqual({
      ...{ targets: [], others: [], unaffected: [], leaving: [], skipped: [] },
      kubectl_host: ['master1'],
    });
    expect(scope('instantiate', [])).toEqual(wholeCluster(given()));
  });

  test('of a worker leaves every other machine alone, and the control plane as a whole', () => {
    expect(scope('scale-out', ['worker1'])).toEqual({
      ...{ targets: ['worker1'], others, unaffected: others, leaving: [], skipped: [] },
      kubectl_host: ['master1'],
    });
  });

  test('of workers that go says that they do', () => {
    expect(scope('scale-in', ['worker11', 'worker1'])).toMatchObject({
      targets: ['worker1', 'worker11'],
      leaving: ['worker1', 'worker11'],
    });
  });

  test('of a control plane involves the others; another one speaks for the cluster, the first one too', () => {
    expect(scope('replace-node', ['master1'])).toMatchObject({ unaffected: [], kubectl_host: ['master2'] });
    expect(scope('heal-node', ['master1'], 'master3')).toMatchObject({ kubectl_host: ['master3'] });
  });

  test.each([
    ['scale-out', ['worker12'], ['worker12 is no machine of the cluster; is it worker1?']],
    ['scale-out', ['worker1', 'worker1'], ['worker1 is named twice']],
    ['scale-out', [], ['scale-out needs the name of one node or more']],
    ['heal-node', [], ['heal-node needs the name of a node']],
    ['heal-node', ['worker1', 'worker10'], ['heal-node takes one node at a time']],
    ['terminate', ['worker1'], ['terminate is about the whole cluster and takes no machine names']],
    ['scale-in', ['master1', 'worker1'], ['master1: control planes are added and removed one at a time']],
  ])('%s of %j is refused', (name, targets, reasons) => {
    expect(scope(name, targets)).toEqual(reasons);
  });

  test('refuses a speaker that goes itself, and the last control plane', () => {
    expect(scope('heal-node', ['master1'], 'master1')).toEqual([
      'master1 cannot be the kubectl host; master2, master3 can',
    ]);
    const lone = kubeadmCluster({ machines: [machine('only', '10.0.0.1')] });
    const operation = operationOf(lone, 'heal-node');
    if (operation === undefined) throw new Error('no heal-node');
    const found = scopeOf(lone, { operation, targets: ['only'] });
    expect(found).toMatchObject({ ok: false, failure: [expect.stringContaining('npx task heal-cluster')] });
  });

  test('is an inventory of groups and names, and nothing else', () => {
    const { text } = scopeInventory('sample', scope('scale-in', ['worker1']) as Scope);
    expect(text).toContain('    targets:\n      hosts:\n        worker1: {}\n');
    expect(text).toContain('    skipped:\n      hosts: {}\n');
    expect(text).not.toContain('worker1: {}\n        worker10');
  });
});

describe('who is meant', () => {
  const choose = (words: readonly string[], count = 0, policy: 'newest' | 'oldest' = 'newest'): unknown => {
    const found = chosen(given(), { words, count, policy });
    return found.ok ? found.value : found.failure;
  };

  test('is who is named, or has the label', () => {
    expect(choose(['worker10', 'example.org/vnfc-id=a-1'])).toEqual(['worker10', 'worker1']);
    expect(choose(['example.org/vnfc-id=a'])).toEqual([
      'no node of the definition has the label example.org/vnfc-id=a',
    ]);
  });

  test('is a number of the newest or the oldest workers, never all of them', () => {
    expect(choose([], 2)).toEqual(['worker11', 'worker10']);
    expect(choose([], 1, 'oldest')).toEqual(['worker1']);
    expect(choose([], 3)).toEqual(['the cluster has 3 workers, and one has to stay']);
    expect(choose(['worker1'], 1)).toEqual(['give a number of workers, or names, not both']);
  });
});

describe('what an operation does to whom', () => {
  const files = render(given(), templates);
  const plays = (name: string, targets: readonly string[]): readonly PlayOutline[] =>
    outline(files, `${name}.yml`, {
      scope: scopeInventory('sample', scope(name, targets) as Scope).text,
    }).plays;
  const touching = (host: string, all: readonly PlayOutline[]): readonly string[] =>
    all
      .filter(({ hosts, name }) => hosts.includes(host) && !name.startsWith('Require a scope'))
      .map(({ name }) => name);
  const toldOnly = [
    'Connect to every host before any change',
    'Write all machines of the cluster to /etc/hosts of every node',
    'Install the routes between the pods of all hosts',
  ];

  test('a new worker is prepared alone; the other nodes learn its name and its route, and no more', () => {
    const all = plays('scale-out', ['worker1']);
    for (const other of ['worker10', 'worker11', 'master2', 'master3'])
      expect(touching(other, all)).toEqual(toldOnly);
    expect(touching('worker1', all)).toContain('Join the workers');
  });

  test('with a plugin that finds new nodes itself, they learn the name alone', () => {
    const cluster = given();
    const plugged = { ...cluster, podNetwork: { ...cluster.podNetwork, plugin: 'none' as const } };
    const { plays: all } = outline(render(plugged, templates), 'scale-out.yml', {
      scope: scopeInventory('sample', scope('scale-out', ['worker1']) as Scope).text,
    });
    expect(touching('worker10', all)).toEqual(toldOnly.slice(0, 2));
  });

  test('a worker that leaves is out of its cluster before it is cleaned, loses the names and gets no route again', () => {
    const all = plays('scale-in', ['worker1']);
    const names = all.map(({ name }) => name);
    expect(names.indexOf('Remove the targets from the cluster')).toBeLessThan(
      names.indexOf('Clean up the targets that answer'),
    );
    expect(touching('worker1', all)).toContain(
      'Write all machines of the cluster to /etc/hosts of every node',
    );
    expect(touching('worker1', all)).not.toContain('Install the routes between the pods of all hosts');
    expect(touching('worker10', all)).toEqual(toldOnly);
  });

  test('a control plane that is replaced concerns the others and their balancers; workers only learn of it', () => {
    const all = plays('replace-node', ['master1']);
    expect(touching('worker1', all)).toEqual(toldOnly);
    expect(touching('master2', all)).toContain('Balance the Kubernetes API, one load balancer at a time');
    expect(touching('master2', all)).toContain('Initialise the cluster on the first control plane');
    expect(touching('master2', all)).not.toContain('Run containerd on every node');
  });

  test('the member leaves etcd before the node leaves the cluster, and after its API server', () => {
    const names = plays('replace-node', ['master1']).map(({ name }) => name);
    const order = [
      'Refuse changes that would break the cluster',
      'Drain the targets',
      'Stop the API server of a leaving control plane',
      'Remove the targets from the cluster',
      'Clean up the targets that answer',
      'Examine every host',
      'Initialise the cluster on the first control plane',
      'Join the other control planes of a running cluster, one at a time',
    ].map((name) => names.indexOf(name));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
  });

  test('what is lost has to be confirmed by its name', () => {
    const confirmed = operations
      .filter(({ danger, applies }) => danger !== 'none' && applies(given()))
      .map(({ name }) => name);
    const asking = playbooks(given())
      .filter(({ run, parameters }) => run === 'operation' && parameters.some(isConfirmation))
      .map(({ file }) => file.replace('.yml', ''));
    expect(asking).toEqual(confirmed);
  });
});

const isConfirmation = ({ variable, required }: { variable: string; required: boolean }): boolean =>
  required && variable.endsWith('_confirm');
