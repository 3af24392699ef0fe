import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { down, faults, type Lab } from '../../lab/index.ts';
import { kubectl, longestWait, readiness, startWriter, stopWriter } from '../support/hosts/kubernetes.ts';
import { definitionWithout, must, on, raiseLab, until } from '../support/hosts/lab.ts';
import { changes, project, recapOf, type Ended, type Project } from '../support/project.ts';

const name = 'operations';
const controlPlanes = ['cp1', 'cp2', 'cp3'];
let lab: Lab;
let here: Project;

beforeAll(async () => {
  lab = await raiseLab(name, { kubernetes: true, workers: 3 });
  here = await project(definitionWithout(lab, 'worker3'));
  await here.done('render');
  await here.done('run', '--json');
  await here.done('kubeconfig');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

async function defined(...gone: readonly string[]): Promise<void> {
  await here.define(definitionWithout(lab, ...gone));
  await here.done('render');
}

/** Host → how many tasks it took part in, and how many of them changed it. */
const touched = (ended: Ended): Record<string, readonly [number, number]> =>
  Object.fromEntries(
    Object.entries(recapOf(ended).recap).map(([host, { ok, changed }]) => [host, [ok, changed]]),
  );

const ready = (...nodes: readonly string[]): string =>
  [...controlPlanes, ...nodes].map((node) => `${node}=True`).join(' ');

/** Names that we wrote, one a line, into /etc/hosts of a host. */
const namedOn = async (host: string): Promise<string> =>
  (await on(lab, host, 'sed', '-n', '/^# BEGIN machines/,/^# END machines/{/^#/d;s/.* //p}', '/etc/hosts'))
    .split('\n')
    .join(' ');

/** Nodes that are marked as workers. */
const marked = async (): Promise<string> =>
  (
    await kubectl(lab, 'cp1', 'get', 'nodes', '-l', 'node-role.kubernetes.io/worker', '-o', 'name')
  ).replaceAll(/\s*node\//g, ' ');

const seconds = (what: string, ended: Ended): void => {
  process.stderr.write(`${what}: ${recapOf(ended).seconds.toFixed(1)} s\n`);
};

/** As after a new installation: nothing of a cluster, another machine id, and everything that ran is gone. */
async function installedAnew(host: string): Promise<void> {
  await on(
    lab,
    host,
    'sh',
    '-c',
    'systemctl disable --now kubelet; rm -rf /etc/kubernetes /var/lib/etcd/* /var/lib/playsmith/applied; rm -f /var/lib/kubelet/*.yaml /var/lib/kubelet/*.env; rm -rf /var/lib/kubelet/pki; rm /etc/machine-id; systemd-machine-id-setup',
  );
  must(await faults.power.inject(lab, { host }));
  must(await faults.power.undo(lab, { host }));
}

describe('a new worker', () => {
  test('joins, and the others learn of it and no more', async () => {
    await defined();
    const ended = await here.done('scale-out', 'worker3', '--json');
    seconds('scale-out of one worker', ended);
    expect(await readiness(lab, 'cp1')).toBe(ready('worker1', 'worker2', 'worker3'));
    expect(await marked()).toBe(' worker1 worker2 worker3');
    expect(await namedOn('worker1')).toBe('cp1 cp2 cp3 worker1 worker2 worker3');
    const { cp2 = [99, 99], worker1 = [99, 99] } = touched(ended);
    // Whether it answers; its name; and what static routes look at and change.
    expect(cp2[1]).toBeLessThanOrEqual(3);
    expect(worker1[1]).toBeLessThanOrEqual(3);
    expect(worker1[0]).toBeLessThanOrEqual(10);
  });

  test('is there: the second time nothing changes', async () => {
    expect(changes(await here.done('scale-out', 'worker3', '--json'))).toEqual({});
    const whole = await here.done('run', '--json');
    seconds('the whole of instantiate', whole);
    expect(changes(whole)).toEqual({});
  });
});

describe('a worker that leaves', () => {
  test('is refused without its name, and while a pod keeps data on it', async () => {
    expect((await here.task('scale-in', 'worker3')).status).toBe(2);
    const overrides = {
      spec: {
        nodeName: 'worker3',
        containers: [
          { name: 'c', image: 'docker.io/lab/echo:1', volumeMounts: [{ name: 'd', mountPath: '/d' }] },
        ],
        volumes: [{ name: 'd', emptyDir: {} }],
      },
    };
    await kubectl(
      lab,
      'cp1',
      'run',
      'keeper',
      '--image=docker.io/lab/echo:1',
      `--overrides=${JSON.stringify(overrides)}`,
    );
    const refused = await here.task('scale-in', 'worker3', '--confirm', 'worker3');
    expect(refused.status).toBe(20);
    expect(refused.stderr).toContain('default/keeper on worker3 keeps data in an emptyDir');
    await kubectl(lab, 'cp1', 'delete', 'pod', 'keeper', '--grace-period=1');
  });

  test('leaves, whatever cut the run in its middle, and the second time nothing changes', async () => {
    const running = here.begin('scale-in', 'worker3', '--confirm', 'worker3', '--json');
    // The task before the one that is cut: what follows is over before somebody has cancelled it.
    await running.seen(
      (event) => event.type === 'task-started' && event.name === 'Remove their etcd members and Node objects',
    );
    await here.done('cancel');
    expect((await running.ended).status).toBe(22);
    await here.done('scale-in', 'worker3', '--confirm', 'worker3', '--json');
    expect(await readiness(lab, 'cp1')).toBe(ready('worker1', 'worker2'));
    expect(await namedOn('worker1')).toBe('cp1 cp2 cp3 worker1 worker2');
    expect(await namedOn('worker3')).toBe('');
    expect(changes(await here.done('scale-in', 'worker3', '--confirm', 'worker3', '--json'))).toEqual({});
    await defined('worker3');
    expect(changes(await here.done('run', '--json'))).toEqual({});
  });

  test('comes back when it is wanted again', async () => {
    await defined();
    await here.done('scale-out', 'worker3', '--json');
    expect(await readiness(lab, 'cp1')).toBe(ready('worker1', 'worker2', 'worker3'));
  });
});

describe('a sick worker', () => {
  test('is recreated where another one is unhealthy as well, one after the other', async () => {
    for (const host of ['worker1', 'worker2']) await installedAnew(host);
    await until(
      'both are silent',
      async () => (await readiness(lab, 'cp1')).includes('worker2=Unknown'),
      120,
    );
    const ended = await here.done('heal-node', 'worker1', '--json');
    seconds('heal-node of a worker', ended);
    await here.done('heal-node', 'worker2', '--json');
    expect(await readiness(lab, 'cp1')).toBe(ready('worker1', 'worker2', 'worker3'));
    expect(await marked()).toBe(' worker1 worker2 worker3');
  });

  test('that is well is only looked at', async () => {
    expect(changes(await here.done('heal-node', 'worker1', '--json'))).toEqual({});
  });
});

describe('a control plane', () => {
  test.each(['cp2', 'cp3', 'cp1'])(
    '%s is replaced by a new machine, and no accepted write is lost',
    async (host) => {
      const kubeconfig = await readFile(join(here.folder, '.playsmith', name, 'kubeconfig'), 'utf8');
      await installedAnew(host);
      const other = controlPlanes.find((each) => each !== host) ?? '';
      await until('it is silent', async () => (await readiness(lab, other)).includes(`${host}=Unknown`), 120);
      await startWriter(lab, kubeconfig, `replace-${host}`);
      const ended = await here.done('replace-node', host, '--confirm', host, '--json');
      const writes = await stopWriter(lab);
      seconds(`replace-node of ${host}`, ended);
      process.stderr.write(`the longest wait of a writer was ${longestWait(writes).toFixed(1)} s\n`);
      const kept = await kubectl(lab, host, 'get', 'configmaps', '--output', 'name');
      const missing = writes.filter((write) => !kept.split('\n').includes(`configmap/${write.name}`));
      expect(missing).toEqual([]);
      expect(await readiness(lab, host)).toBe(ready('worker1', 'worker2', 'worker3'));
    },
  );

  test('that was replaced is only looked at, as it is well', async () => {
    expect(changes(await here.done('replace-node', 'cp1', '--confirm', 'cp1', '--json'))).toEqual({});
  });

  test('that is healthy is recreated when somebody says so, while clients go on', async () => {
    const kubeconfig = await readFile(join(here.folder, '.playsmith', name, 'kubeconfig'), 'utf8');
    await startWriter(lab, kubeconfig, 'anew');
    await here.done('heal-node', 'cp3', '--set', 'node_preflight_recreate=true', '--json');
    const wait = longestWait(await stopWriter(lab));
    process.stderr.write(`the longest wait of a writer was ${wait.toFixed(1)} s\n`);
    expect(wait).toBeLessThan(15);
  });

  test('is not taken while another member of etcd is sick, and the run says which', async () => {
    await on(lab, 'cp3', 'mv', '/etc/kubernetes/manifests/etcd.yaml', '/root/');
    await until(
      'its etcd is gone',
      async () => (await on(lab, 'cp3', 'sh', '-c', 'pgrep -x etcd || true')) === '',
    );
    const refused = await here.task('heal-node', 'cp1', '--set', 'node_preflight_recreate=true');
    await on(lab, 'cp3', 'mv', '/root/etcd.yaml', '/etc/kubernetes/manifests/');
    expect(refused.status).toBe(20);
    expect(refused.stderr).toContain('cp3 of etcd is sick');
    await until('all are back', async () => (await readiness(lab, 'cp3')).startsWith('cp1=True'), 120);
  });
});

test('the cluster goes, its records stay, and nothing of it is left on its hosts', async () => {
  await here.done('terminate', '--confirm', name, '--json');
  for (const host of [...controlPlanes, 'worker1']) {
    expect(
      await on(lab, host, 'sh', '-c', 'ls -A /etc/kubernetes 2>/dev/null | grep -v manifests || true'),
    ).toBe('');
    expect(await on(lab, host, 'sh', '-c', 'grep -c "by Playsmith" /etc/hosts || true')).toBe('0');
  }
  expect((await here.done('runs')).stdout).toContain('terminate');
});
