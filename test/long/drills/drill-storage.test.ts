import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drillOf, type Drill } from '../../../generators/report/drill.ts';
import { describe as describeLab, down, type Lab } from '../../../lab/index.ts';
import { definitionOf, must, on, raiseLab, until } from '../../support/hosts/lab.ts';
import { project, recapOf, type Ended, type Project } from '../../support/project.ts';

const name = 'drill-storage';
const typed = ['--confirm', name] as const;
let lab: Lab;
let here: Project;

beforeAll(async () => {
  lab = await raiseLab(name, {
    ...{ controlPlanes: 1, workers: 1, standInApi: false, client: false },
    volumes: [{ megabytes: 64 }],
  });
  here = await project(definitionOf(lab));
  await defined({ atMost: '60s' });
  await here.done('run', 'nfs-server');
  await here.done('run', 'nfs-client');
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

const inShell = (host: string, script: string): Promise<string> => on(lab, host, 'sh', '-euc', script);

const server = (): string => describeLab(lab).hosts.find((each) => each.name === 'storage1')?.address ?? '';

function measured(ended: Ended): Drill {
  const drill = drillOf(recapOf(ended).results);
  if (drill === undefined) throw new Error(`nothing was measured: ${ended.said}`);
  for (const { host, text } of drill.findings) process.stderr.write(`${host}: ${text}\n`);
  for (const { longest, failed, asked, held, recovered } of drill.rounds)
    process.stderr.write(
      `waited ${longest.toFixed(1)} s, ${failed} of ${asked} turns failed, cut for ${held} s, whole after ${recovered.toFixed(1)} s\n`,
    );
  return drill;
}

const namespaces = (): Promise<string> => inShell('worker1', 'ip netns');

const units = (): Promise<string> =>
  inShell('worker1', "systemctl list-units --plain --no-legend 'playsmith-drill*'");

/** Nothing of a drill is left, and what belongs to others is as it was. */
async function expectNothingLeft(): Promise<void> {
  expect(await units()).toBe('');
  expect(await namespaces()).toBe('');
  expect(await inShell('storage1', 'ls -A /volume/pv1; cat /volume/pv1/kept')).toBe('kept\nprecious');
}

/** Another client on the same node, which reads from the same export all the time; how often, and how often not in two seconds. */
async function neighbour(): Promise<() => Promise<string>> {
  const file = `nfs://${server()}/volume/pv1/kept?version=4&uid=65534&gid=65534`;
  const ask = `timeout 2 nfs-cat '${file}' | grep --quiet precious || echo silent; echo asked`;
  const loop = `while :; do ${ask}; sleep 0.2; done >> /run/neighbour`;
  await on(lab, 'worker1', 'systemd-run', '--quiet', '--collect', '--unit', 'neighbour', 'sh', '-c', loop);
  return () =>
    inShell('worker1', 'systemctl stop neighbour; sort /run/neighbour | uniq -c; rm /run/neighbour');
}

describe('a test volume', () => {
  test('would be cut, and check mode only looks', async () => {
    await inShell('storage1', 'echo precious > /volume/pv1/kept');
    const ended = await here.done('drill', 'storage', ...typed, '--check', '--json');
    expect(recapOf(ended).results).toBeUndefined();
    for (const { failed, changed } of Object.values(recapOf(ended).recap)) expect(failed + changed).toBe(0);
    await expectNothingLeft();
  });

  test('is cut for 20 s, which its writer feels and its neighbour on the same node does not', async () => {
    const silence = await neighbour();
    const drill = measured(await here.done('drill', 'storage', ...typed, '--json'));
    const [asked = '', ...silent] = (await silence()).split('\n');
    expect(silent).toEqual([]);
    expect(Number(/(\d+) asked/.exec(asked)?.[1])).toBeGreaterThan(30);
    expect(drill.rounds).toMatchObject([
      { fault: 'storage', host: 'storage1', witness: 'worker1', by: 'run', answered: false },
    ]);
    const [{ asked: turns, failed, longest, held }] = drill.rounds as [Drill['rounds'][0]];
    expect(turns).toBeGreaterThan(40);
    expect(failed).toBeGreaterThan(0);
    expect(held).toBeGreaterThanOrEqual(20);
    expect(longest).toBeGreaterThan(19);
    expect(longest).toBeLessThan(90);
    expect(drill.findings.map(({ host }) => host).toSorted()).toEqual(['cp1', 'storage1', 'worker1']);
    await expectNothingLeft();
  });

  test('whose writer waits longer than the definition allows has an exit code of its own', async () => {
    await defined({ atMost: '60s', limits: { storage: '20001ms' } });
    const slow = await here.task('drill', 'storage', 'storage1', ...typed);
    expect(slow.status, slow.said).toBe(26);
    expect(slow.stderr).toMatch(/last time \d+\.\d s; limit 20\.0 s/);
    const page = join(here.folder, 'drill.html');
    await here.done('report', '--to', page);
    expect(await readFile(page, 'utf8')).toContain('The way of a test volume on /volume/pv1 cut');
    await expectNothingLeft();
  });
});

describe('refused', () => {
  const refused = async (words: RegExp, ...more: readonly string[]): Promise<void> => {
    const ended = await here.task('drill', 'storage', ...more, ...typed);
    expect(ended.status, ended.said).toBe(20);
    expect(ended.stderr).toMatch(words);
  };

  test('without the name of the cluster, outside of the window, and for a server that there is not', async () => {
    expect((await here.task('drill', 'storage')).status).toBe(2);
    await refused(/There is no export at all for a test volume on storage9/, 'storage9');
    const [today] = [['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][(new Date().getUTCDay() + 3) % 7]];
    await defined({ atMost: '60s', window: { from: '00:00', to: '23:59', days: [today] } });
    await refused(/outside of the maintenance window/);
    await defined({ atMost: '60s' });
    await expectNothingLeft();
  });

  test('where a file of its name is not its own, which stays as it is', async () => {
    const file = '/volume/pv1/.playsmith-drill-worker1';
    await inShell('storage1', `echo mine > ${file}; chown nobody:nogroup ${file}`);
    await refused(/is there and is no file of a drill; so nothing was disturbed/);
    expect(await inShell('storage1', `cat ${file}; rm ${file}`)).toBe('mine');
    await expectNothingLeft();
  });

  test('where something else is served than the definition says, or nothing', async () => {
    const settings = '/etc/ganesha/ganesha.conf';
    await inShell('storage1', `cp ${settings} /tmp/kept; echo '# by hand' >> ${settings}`);
    await refused(/ganesha\.conf is not as the definition says/);
    await inShell('storage1', `cp /tmp/kept ${settings}; systemctl stop nfs-ganesha`);
    await refused(/nfs-ganesha does not run; nothing answers at TCP port 2049/);
    await inShell('storage1', 'systemctl start nfs-ganesha');
    await until('it is served again', async () => (await here.task('run', 'nfs-client')).status === 0, 120);
    await expectNothingLeft();
  });
});

describe('cut off', () => {
  const begun = async (): Promise<ReturnType<Project['begin']>> => {
    const running = here.begin('drill', 'storage', ...typed, '--json');
    await running.seen((event) => event.type === 'task-started' && event.name === 'Wait for 20 s');
    return running;
  };

  test('the client is killed: the run goes on, and takes the fault back', async () => {
    const running = await begun();
    running.process.kill('SIGKILL');
    await running.ended;
    expect(measured(await here.done('attach', '--json')).rounds).toMatchObject([{ by: 'run' }]);
    await expectNothingLeft();
  });

  test('the run is killed: the node takes the fault back by itself, and removes what it made', async () => {
    const running = await begun();
    expect((await here.task('cancel')).status).toBe(0);
    expect((await running.ended).status).toBe(22);
    const link = 'ip -n playsmith-drill -brief link show lo';
    expect(await inShell('worker1', link)).toContain('DOWN');
    const refused = await here.task('drill', 'storage', ...typed);
    expect(refused.status, refused.said).toBe(20);
    expect(refused.stderr).toContain('another drill has not ended here');
    await until('the node took it back', async () => (await units()) === '', 240);
    await expectNothingLeft();
  });

  test('the writer is killed with all that it has: the next drill begins as if nothing had been', async () => {
    const running = await begun();
    await on(
      lab,
      'worker1',
      'systemctl',
      'kill',
      '--kill-whom=all',
      '--signal=KILL',
      'playsmith-drill-volume',
    );
    expect((await running.ended).status).toBe(20);
    expect(await units()).toBe('');
    expect(await namespaces()).toBe('');
    expect(measured(await here.done('drill', 'storage', ...typed, '--json')).rounds).toHaveLength(1);
    await expectNothingLeft();
  });
});
