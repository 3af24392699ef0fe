import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { down, type Lab } from '../../lab/index.ts';
import { answering, definitionOf, holders, must, on, raiseLab } from '../support/hosts/lab.ts';
import { changesByHost, numbersOf, project, type Project } from '../support/project.ts';

const name = 'e2e';
const port = 6440;
let lab: Lab;
let here: Project;

beforeAll(async () => {
  lab = await raiseLab(name);
  here = await project(definitionOf(lab));
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

const nothing = { cp1: 0, cp2: 0, cp3: 0 };
/** The run that brought everything. */
let installed: string;

interface RunRecord {
  readonly meta: { readonly tasks: number };
  readonly tasks: readonly { readonly number: number; readonly handler: boolean }[];
}

async function recordOf(run: string): Promise<RunRecord> {
  const text = await readFile(join(here.folder, '.playsmith', 'runs', name, run, 'record.json'), 'utf8');
  return JSON.parse(text) as RunRecord;
}

const upTo = (tasks: number | undefined): readonly number[] =>
  Array.from({ length: tasks ?? 0 }, (_, index) => index + 1);

describe('a definition, on hosts that have nothing yet', () => {
  test('is refused until it is rendered', async () => {
    const ended = await here.task('run');
    expect(ended.status).toBe(4);
    expect(ended.stderr).toContain('npx task render');
  });

  test('is known to be reachable', async () => {
    await here.done('render');
    const ended = await here.task('doctor');
    expect(ended.stdout + ended.stderr).toContain('answers with the key of the definition');
    expect(ended.status).toBe(0);
  });

  test('changes nothing in check mode', async () => {
    await here.done('run', '--check', '--json');
    expect(await on(lab, 'cp1', 'sh', '-c', 'ls /etc/haproxy /etc/keepalived 2>/dev/null; true')).toBe('');
  });

  test('becomes a virtual address that answers, in exactly as many tasks as were announced', async () => {
    const ended = await here.done('run', '--json');
    const started = ended.events.find((event) => event.type === 'run-started');
    installed = String(started?.run);
    expect(numbersOf(ended.events)).toEqual(upTo(started?.tasks));
    expect(ended.events.findLast(({ type }) => type === 'task-started')).toMatchObject({
      total: started?.tasks,
    });
    expect(await holders(lab)).toHaveLength(1);
    expect(await answering(lab, port)).toMatch(/^cp[123]$/);
  });

  test('changes nothing the second time, and nothing in check mode', async () => {
    const again = await here.task('run', '--json');
    expect(changesByHost(again)).toEqual(nothing);
    // Load balancers that need nothing are passed over, and what is passed over counts as done.
    const started = again.events.find((event) => event.type === 'run-started');
    const numbers = numbersOf(again.events);
    expect(numbers.length).toBeLessThan(started?.tasks ?? 0);
    expect(numbers.at(-1)).toBe(started?.tasks);
    const checked = await here.task('run', '--check', '--json');
    expect(changesByHost(checked)).toEqual(nothing);
  });

  test('keeps a record that names the bundle, the person and every task', async () => {
    const record = await recordOf(installed);
    expect(record).toMatchObject({ status: 'successful', playbook: 'site.yml', cluster: name });
    expect(record.tasks.filter(({ handler }) => !handler)).toHaveLength(record.meta.tasks);
  });
});

describe('a change of the definition', () => {
  test('is shown by check mode with its diff, and changes nothing there', async () => {
    await here.define(
      definitionOf(lab).replace(
        'placement: stacked',
        'placement: stacked\n    haproxy: { balance: first-active }',
      ),
    );
    await here.task('render');
    const before = await on(lab, 'cp1', 'sha256sum', '/etc/haproxy/haproxy.cfg');
    const ended = await here.done('run', 'haproxy', '--check');
    expect(ended.stderr).toContain('backup');
    expect(await on(lab, 'cp1', 'sha256sum', '/etc/haproxy/haproxy.cfg')).toBe(before);
  });

  test('is brought in without a client losing its connection', async () => {
    const main = await on(lab, 'cp1', 'systemctl', 'show', '--property=MainPID', 'haproxy');
    const ended = await here.done('run', 'haproxy', '--json');
    expect(changesByHost(ended)).toMatchObject({ cp1: 2, cp2: 2, cp3: 2 });
    expect(await on(lab, 'cp1', 'systemctl', 'show', '--property=MainPID', 'haproxy')).toBe(main);
    expect(await answering(lab, port)).toBe('cp1');
  });

  test('that was written in the second in which HAProxy began, and never read, is read by the next run', async () => {
    const script = [
      'cd /etc/haproxy; cp haproxy.cfg /root/wanted.cfg',
      `sed -i s/:${port}/:${port + 1}/ haproxy.cfg; systemctl restart haproxy`,
      'cp /root/wanted.cfg haproxy.cfg',
    ].join('; ');
    await on(lab, 'cp2', 'sh', '-c', script);
    expect(changesByHost(await here.done('run', 'haproxy', '--json'))).toEqual({ ...nothing, cp2: 1 });
    expect(changesByHost(await here.done('run', 'haproxy', '--json'))).toEqual(nothing);
  });
});

/** A package whose installation takes long, and is ended like everything else of a run that is cancelled. */
const endedHalfWay = `set -eu
mkdir -p /root/slow/DEBIAN && cd /root
printf 'Package: slow\\nVersion: 1\\nArchitecture: all\\nMaintainer: nobody\\nDescription: slow\\n' > slow/DEBIAN/control
printf '#!/bin/sh\\n[ -e /root/began ] && exit 0; touch /root/began; sleep 311\\n' > slow/DEBIAN/postinst
chmod 0755 slow/DEBIAN/postinst && dpkg-deb --build slow >/dev/null
setsid dpkg --install slow.deb >/dev/null 2>&1 & installing=$!
until [ -e began ]; do sleep 0.1; done
kill -9 -- -$installing $installing 2>/dev/null || kill -9 $installing
wait $installing || true`;

describe('a host', () => {
  test('on which an installation of packages was ended half-way installs again after the next run', async () => {
    await on(lab, 'cp3', 'bash', '-c', endedHalfWay);
    const install = 'apt-get install --yes slow 2>&1 || true';
    expect(await on(lab, 'cp3', 'sh', '-c', install)).toContain('dpkg was interrupted');
    expect(changesByHost(await here.done('run', 'haproxy', '--json'))).toEqual({ ...nothing, cp3: 1 });
    expect(await on(lab, 'cp3', 'sh', '-c', install)).not.toContain('dpkg was interrupted');
    expect(await on(lab, 'cp3', 'dpkg', '--audit')).toBe('');
    expect(changesByHost(await here.done('run', 'haproxy', '--json'))).toEqual(nothing);
  });
});

describe('a run', () => {
  const isTask = (number: number) => (event: { readonly type: string }) =>
    event.type === 'task-started' && 'number' in event && event.number === number;

  test('outlives its client, and is followed again from the exact event', async () => {
    const running = here.begin('run', '--json');
    await running.seen(isTask(6));
    running.process.kill('SIGKILL');
    const first = await running.ended;
    const counters = first.events.flatMap((event) => ('counter' in event ? [event.counter] : []));
    const next = (counters.at(-1) ?? 0) + 1;
    const attached = await here.done('attach', '--json', '--from', String(next));
    const rest = attached.events.flatMap((event) => ('counter' in event ? [event.counter] : []));
    expect(rest.every((counter) => counter >= next)).toBe(true);
    const started = first.events.find((event) => event.type === 'run-started');
    const { tasks } = await recordOf(String(started?.run));
    // Load balancers that need nothing are passed over: it is a short run, and most of it came after its client.
    expect(numbersOf(attached.events).length).toBeGreaterThan(15);
    expect(numbersOf([...first.events, ...attached.events])).toEqual(tasks.map(({ number }) => number));
  });
});
