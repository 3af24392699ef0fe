import { parseDocument } from 'yaml';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drillOf, type Drill } from '../../../generators/report/drill.ts';
import { down, faults, type Lab } from '../../../lab/index.ts';
import { readiness } from '../../support/hosts/kubernetes.ts';
import { definitionOf, holders, must, on, raiseLab, until } from '../../support/hosts/lab.ts';
import { project, recapOf, type Ended, type Project } from '../../support/project.ts';

const name = 'drills';
const controlPlanes = ['cp1', 'cp2', 'cp3'];
const allReady = 'cp1=True cp2=True cp3=True worker1=True worker2=True';
let lab: Lab;
let here: Project;

beforeAll(async () => {
  lab = await raiseLab(name, { kubernetes: true, workers: 2, volumes: [{ megabytes: 64 }] });
  here = await project(definitionOf(lab));
  await defined({});
  await here.done('run', '--json');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

async function defined(drills: object): Promise<void> {
  const document = parseDocument(definitionOf(lab));
  document.set('drills', document.createNode(drills));
  // A time of day is a number to some readers of YAML.
  await here.define(document.toString({ defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN' }));
  await here.done('render');
}

/** What the run measured; said on standard error as well. */
function measured(ended: Ended): Drill {
  const drill = drillOf(recapOf(ended).results);
  if (drill === undefined) throw new Error(`nothing was measured: ${ended.said}`);
  for (const { host, text } of drill.findings) process.stderr.write(`${host}: ${text}\n`);
  for (const { fault, longest, failed, asked, recovered } of drill.rounds)
    process.stderr.write(
      `${fault}: ${longest.toFixed(1)} s, ${failed} of ${asked} requests failed, whole after ${recovered.toFixed(1)} s\n`,
    );
  return drill;
}

/** Nothing of a drill is left on any host, and the cluster is as it was. */
async function expectWhole(): Promise<void> {
  await until('all are ready', async () => (await readiness(lab, 'cp1')) === allReady, 240);
  await until('one holds the address', async () => (await holders(lab)).length === 1);
  for (const host of [...controlPlanes, 'worker1', 'worker2']) {
    expect(
      await on(lab, host, 'systemctl', 'list-units', '--plain', '--no-legend', 'playsmith-drill*'),
      host,
    ).toBe('');
    expect(await on(lab, host, 'systemctl', 'is-active', 'kubelet'), host).toBe('active');
  }
  for (const host of controlPlanes)
    expect(await on(lab, host, 'systemctl', 'is-active', 'haproxy', 'keepalived'), host).toBe(
      'active\nactive',
    );
}

describe('undisturbed', () => {
  test('a drill would be done, and check mode makes no fault', async () => {
    const ended = await here.done('drill', 'vip', '--confirm', name, '--check', '--json');
    expect(recapOf(ended).results).toBeUndefined();
    expect(Object.values(recapOf(ended).recap).every(({ failed }) => failed === 0)).toBe(true);
  });

  test('the virtual address finds another holder twice, and everything is taken back', async () => {
    const drill = measured(await here.done('drill', 'vip', '--confirm', name, '--json'));
    expect(drill.rounds.map(({ fault, by, answered }) => [fault, by, answered])).toEqual([
      ['haproxy', 'run', true],
      ['keepalived', 'run', true],
    ]);
    for (const { asked, host, witness } of drill.rounds) {
      expect(asked).toBeGreaterThan(200);
      expect([controlPlanes.includes(host), witness]).toEqual([true, 'worker1']);
    }
    // HAProxy is gone before Keepalived can know.
    expect(drill.rounds[0]?.failed).toBeGreaterThan(0);
    await expectWhole();
  });

  test('the leader of etcd goes, and clients go on', async () => {
    const drill = measured(await here.done('drill', 'control-plane', '--confirm', name, '--json'));
    expect(drill.rounds).toMatchObject([{ fault: 'control_plane', by: 'run', answered: true }]);
    expect(drill.rounds[0]?.held).toBeGreaterThanOrEqual(30);
    await expectWhole();
  });

  test('a worker goes silent, and clients of the API feel nothing of it', async () => {
    const drill = measured(await here.done('drill', 'worker', 'worker2', '--confirm', name, '--json'));
    expect(drill.rounds).toMatchObject([{ fault: 'worker', host: 'worker2', by: 'run', answered: true }]);
    await expectWhole();
  });

  test('the way of a test volume is cut, and Kubernetes has its own as before', async () => {
    const drill = measured(await here.done('drill', 'storage', '--confirm', name, '--json'));
    expect(drill.rounds).toMatchObject([
      { fault: 'storage', host: 'storage1', witness: 'worker1', by: 'run', answered: false },
    ]);
    expect(drill.rounds[0]?.longest).toBeGreaterThan(19);
    const findings = new Map(drill.findings.map(({ host, text }) => [host, text]));
    expect([...findings.keys()].toSorted()).toEqual([...controlPlanes, 'storage1', 'worker1', 'worker2']);
    expect(findings.get('cp1')).toContain('pv1 is Available');
    expect(await on(lab, 'worker1', 'sh', '-c', 'ls -d /run/netns/playsmith-drill 2>/dev/null || true')).toBe(
      '',
    );
    expect(await on(lab, 'storage1', 'ls', '-A', '/volume/pv1')).toBe('');
    await expectWhole();
  });

  test('a snapshot is restored beside the live etcd, and holds the same', async () => {
    const drill = measured(await here.done('drill', 'etcd-restore', '--json'));
    expect(drill.findings).toHaveLength(1);
    expect(drill.findings[0]?.text).toMatch(
      /with [1-9]\d* keys as of revision \d+, holds when restored what the live etcd/,
    );
    expect(await on(lab, 'cp1', 'sh', '-c', 'ls -d /var/lib/playsmith-drill-etcd 2>/dev/null || true')).toBe(
      '',
    );
    await expectWhole();
  });

  test('certificates are renewed on trial on every control plane, and stay what they are', async () => {
    const sums = async (): Promise<string> =>
      on(lab, 'cp2', 'sh', '-c', 'find /etc/kubernetes -type f -exec sha256sum {} + | sort');
    const before = await sums();
    const drill = measured(await here.done('drill', 'certificates', '--json'));
    expect(drill.findings.map(({ host }) => host).toSorted()).toEqual(controlPlanes);
    for (const { text } of drill.findings)
      expect(text).toMatch(/expires first, in 36\d days; \d+ certificates were renewed on trial until /);
    expect(await sums()).toBe(before);
    expect(
      await on(lab, 'cp2', 'sh', '-c', 'ls -d /run/playsmith-drill-certificates 2>/dev/null || true'),
    ).toBe('');
    await expectWhole();
  });

  test('slower than the definition allows has an exit code of its own, and is compared with the last time', async () => {
    await defined({ limits: { vip: '1ms' } });
    const slow = await here.task('drill', 'vip', '--confirm', name);
    expect(slow.status, slow.said).toBe(26);
    expect(slow.stderr).toMatch(/last time \d+\.\d s; limit 0\.0 s/);
    await expectWhole();
    const page = join(here.folder, 'drill.html');
    await here.done('report', '--to', page);
    expect(await readFile(page, 'utf8')).toContain('HAProxy stopped on the holder of the address');
  });
});

describe('refused', () => {
  test('without the name of the cluster, and outside of the window', async () => {
    expect((await here.task('drill', 'vip')).status).toBe(2);
    const [today] = [['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][(new Date().getUTCDay() + 3) % 7]];
    await defined({ window: { from: '00:00', to: '23:59', days: [today] } });
    const refused = await here.task('drill', 'vip', '--confirm', name);
    expect(refused.status, refused.said).toBe(20);
    expect(refused.stderr).toContain('outside of the maintenance window');
    await defined({ atMost: '120s' });
  });
});

describe('cut', () => {
  test('the client is killed: the run goes on, and takes the fault back', async () => {
    const running = here.begin('drill', 'control-plane', 'cp2', '--confirm', name, '--json');
    await running.seen(
      (event) =>
        event.type === 'task-started' && event.name === 'Wait until clients are answered steadily again',
    );
    running.process.kill('SIGKILL');
    await running.ended;
    const ended = await here.done('attach', '--json');
    expect(measured(ended).rounds).toMatchObject([{ host: 'cp2', by: 'run' }]);
    await expectWhole();
  });

  test('the run is killed: the host takes the fault back by itself', async () => {
    const running = here.begin('drill', 'control-plane', 'cp2', '--confirm', name, '--json');
    await running.seen(
      (event) =>
        event.type === 'task-started' && event.name === 'Wait until clients are answered steadily again',
    );
    expect((await here.task('cancel')).status).toBe(0);
    expect((await running.ended).status).toBe(22);
    expect(await on(lab, 'cp2', 'sh', '-c', 'systemctl is-active kubelet || true')).toBe('inactive');
    const refused = await here.task('drill', 'control-plane', '--confirm', name);
    expect(refused.status, refused.said).toBe(20);
    expect(refused.stderr).toContain('the host reverts its fault by itself');
    await until(
      'the host took it back',
      async () => (await on(lab, 'cp2', 'sh', '-c', 'systemctl is-active kubelet || true')) === 'active',
      300,
    );
    // Who asks ends by itself too, some minutes later.
    await on(lab, 'worker1', 'systemctl', 'stop', 'playsmith-drill-witness.service');
    await expectWhole();
  });

  test('the Ansible server loses its power: the host takes the fault back by itself', async () => {
    const running = here.begin('drill', 'control-plane', 'cp2', '--confirm', name, '--json');
    await running.seen(
      (event) =>
        event.type === 'task-started' && event.name === 'Wait until clients are answered steadily again',
    );
    must(await faults.power.inject(lab, { host: 'ansible' }));
    expect(await on(lab, 'cp2', 'sh', '-c', 'systemctl is-active kubelet || true')).toBe('inactive');
    must(await faults.power.undo(lab, { host: 'ansible' }));
    expect((await running.ended).status).not.toBe(0);
    expect((await here.done('runs', '--limit', '1')).stdout).toContain(' lost ');
    expect((await here.task('run', 'preflight')).status).toBe(15);
    await here.done('unlock');
    await until(
      'the host took it back',
      async () => (await on(lab, 'cp2', 'sh', '-c', 'systemctl is-active kubelet || true')) === 'active',
      300,
    );
    await on(lab, 'worker1', 'systemctl', 'stop', 'playsmith-drill-witness.service');
    await expectWhole();
    const drill = measured(await here.done('drill', 'control-plane', 'cp2', '--confirm', name, '--json'));
    expect(drill.rounds).toMatchObject([{ host: 'cp2', by: 'run', answered: true }]);
    await expectWhole();
  });
});
