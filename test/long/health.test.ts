import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describe as describeLab, down, type Lab } from '../../lab/index.ts';
import { kubectl, readiness } from '../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab, until } from '../support/hosts/lab.ts';
import { project, type Project } from '../support/project.ts';

const name = 'health';
const etc = '/etc/kubernetes';
const allReady = 'cp1=True cp2=True cp3=True worker1=True';
let lab: Lab;
let here: Project;

beforeAll(async () => {
  lab = await raiseLab(name, { kubernetes: true, workers: 1 });
  here = await project(definitionOf(lab));
  await here.done('render');
  await here.done('run');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

/** What a run says that has to fail. */
async function refused(...words: readonly string[]): Promise<string> {
  const ended = await here.task(...words);
  expect(ended.status, ended.said).toBe(20);
  return (ended.stdout + ended.stderr).replaceAll(/\s+/g, ' ');
}

/** How many containers of that name run on the third control plane. */
const running = (component: string): Promise<string> =>
  on(lab, 'cp3', 'sh', '-c', `crictl ps --quiet --name "^${component}$" --state Running | wc -l`);

/** How often the kubelet began the newest container of that name anew, on the third control plane. */
async function attempts(component: string): Promise<number> {
  const listed = await on(
    lab,
    'cp3',
    'crictl',
    'ps',
    '--all',
    '--name',
    `^${component}$`,
    '--output',
    'json',
  );
  const { containers } = JSON.parse(listed) as {
    readonly containers: readonly {
      readonly createdAt: string;
      readonly metadata: { readonly attempt: number };
    }[];
  };
  return (
    containers.toSorted((a, b) => Number(a.createdAt) - Number(b.createdAt)).at(-1)?.metadata.attempt ?? 0
  );
}

describe('verify', () => {
  test('is content with a cluster that is well', async () => {
    await here.done('run', 'verify');
  });

  test('sees a cordoned node', async () => {
    await kubectl(lab, 'cp1', 'cordon', 'worker1');
    expect(await refused('run', 'verify')).toContain('worker1 is cordoned');
    await kubectl(lab, 'cp1', 'uncordon', 'worker1');
  });

  test('sees a component that ends again and again, which nobody else misses', async () => {
    const scheduler = `${etc}/manifests/kube-scheduler.yaml`;
    await on(lab, 'cp3', 'sed', '-i', 's/- kube-scheduler$/&\\n    - --no-such-argument/', scheduler);
    try {
      // Its first moments look like those of any other.
      await until('it ended twice', async () => (await attempts('kube-scheduler')) > 1, 180);
      expect(await refused('run', 'verify')).toContain('kube-scheduler ends again and again');
    } finally {
      await on(lab, 'cp3', 'sed', '-i', '/no-such-argument/d', scheduler);
    }
    // A component that ended often waits before it begins again.
    await until('it runs', async () => (await running('kube-scheduler')) === '1', 400);
    await here.done('run', 'verify');
  });

  test('sees a key that is missing, and one that everybody may read; heal-node finds the first by itself', async () => {
    await on(lab, 'cp2', 'rm', `${etc}/pki/ca.key`);
    await on(lab, 'cp3', 'chmod', '0644', `${etc}/admin.conf`);
    const said = await refused('run', 'verify');
    expect(said).toContain(`cp2: it lacks ${etc}/pki/ca.key`);
    expect(said).toContain(`everybody on it may read ${etc}/admin.conf`);
    await on(lab, 'cp3', 'chmod', '0600', `${etc}/admin.conf`);
    await here.done('heal-node', 'cp2');
    expect(await on(lab, 'cp2', 'stat', '--format=%a', `${etc}/pki/ca.key`)).toBe('600');
    await here.done('run', 'verify');
  });
});

test.each(['preflight', 'keepalived', 'verify'])(
  'a stranger at the virtual address is seen by %s while a load balancer holds it',
  async (phase) => {
    const address = `${describeLab(lab).vip}/32`;
    await on(lab, 'client', 'ip', 'address', 'add', address, 'dev', 'eth0');
    try {
      expect(await refused('run', phase)).toMatch(
        /answers (on|at) .*[0-9a-f]{2}(:[0-9a-f]{2}){5}|:[0-9a-f]{2}, which is no/,
      );
    } finally {
      await on(lab, 'client', 'ip', 'address', 'delete', address, 'dev', 'eth0');
    }
    await here.done('run', phase);
  },
);

test('where etcd has lost its quorum, who does not run it is named, and nobody is to be reset', async () => {
  for (const host of ['cp2', 'cp3']) await on(lab, host, 'mv', `${etc}/manifests/etcd.yaml`, '/root/');
  await until('etcd ends', async () => (await running('etcd')) === '0');
  const run = await refused('run', 'control-plane');
  expect(run).toContain('etcd has lost its quorum: it does not run on cp2, cp3');
  expect(run).toContain('Reset none of cp1, cp2, cp3');
  expect(run).not.toContain('npx task run reset');
  const heal = await refused('heal-node', 'cp2');
  expect(heal).toContain(
    'etcd has lost its quorum: it does not run on cp2, cp3, and 2 of 3 members are needed',
  );
  for (const host of ['cp2', 'cp3']) await on(lab, host, 'mv', '/root/etcd.yaml', `${etc}/manifests/`);
  await until('all are ready', async () => (await readiness(lab, 'cp1')) === allReady, 400);
  await here.done('run', 'verify');
});
