import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRecord, TaskTiming } from '../../../tasks/runtime/agent/run-records.ts';

const hosts = Array.from({ length: 100 }, (_, index) => `node${String(index).padStart(3, '0')}`);
const namesOf = (tasks: number): readonly string[] =>
  Array.from({ length: tasks }, (_, index) => `Do the thing number ${index} of a long playbook`);
const moment = '2026-11-20T12:00:00.000000+00:00';

/** A run that ended, as the server keeps it: so many tasks on a hundred hosts. Tells how many events and bytes it has. */
export function layDownLongRun(
  directory: string,
  cluster: string,
  tasks: number,
): { readonly events: number; readonly megabytes: number } {
  const run = '20261120T120000Z-site-beef';
  const names = namesOf(tasks);
  const folder = join(directory, 'runs', cluster, run);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'record.json'), JSON.stringify(record(cluster, run, names)));
  const file = openSync(join(folder, 'events.ndjson'), 'w', 0o600);
  let counter = 0;
  let bytes = 0;
  const put = (event: string, data: object, stdout = ''): void => {
    counter += 1;
    const keys = {
      uuid: `${counter}`.padStart(36, '0'),
      counter,
      stdout,
      start_line: counter,
      end_line: counter,
    };
    const line = `${JSON.stringify({ ...keys, runner_ident: 'ansible', event, created: moment, event_data: data })}\n`;
    bytes += writeSync(file, line);
  };
  put('playbook_on_play_start', { name: 'A long play', playbook: 'site.yml' });
  for (const [number, task] of names.entries()) {
    put('playbook_on_task_start', { name: task, task_uuid: `${number}` }, `\r\nTASK [${task}] ****`);
    for (const [index, host] of hosts.entries()) runOn({ host, task, changed: index % 10 === 0 }, put);
  }
  put('playbook_on_stats', { processed: counts(1), ok: counts(names.length), changed: counts(50) });
  closeSync(file);
  return { events: counter, megabytes: bytes / 1e6 };
}

const counts = (value: number): Readonly<Record<string, number>> =>
  Object.fromEntries(hosts.map((host) => [host, value]));

function runOn(
  { host, task, changed }: { readonly host: string; readonly task: string; readonly changed: boolean },
  put: (event: string, data: object, stdout?: string) => void,
): void {
  // ansible-runner says more of each event than we read.
  const padding = {
    task_path: `/srv/bundle/site.yml:${task.length}`,
    uuid_of_play: '0'.repeat(36),
    note: 'x'.repeat(900),
  };
  const data = {
    ...padding,
    playbook: 'site.yml',
    play: 'A long play',
    task,
    task_action: 'ansible.builtin.copy',
    host,
  };
  put('runner_on_start', data);
  if (changed) put('runner_on_file_diff', data, '--- before\r\n+++ after\r\n@@ -1 +1 @@\r\n-old\r\n+new');
  const res = {
    changed,
    dest: `/etc/thing/${host}`,
    checksum: 'c'.repeat(40),
    mode: '0644',
    owner: 'root',
    size: 512,
  };
  put('runner_on_ok', { ...data, res, start: moment, end: moment, duration: 0.25 }, `ok: [${host}]`);
}

const record = (cluster: string, run: string, names: readonly string[]): RunRecord => ({
  run,
  cluster,
  playbook: 'site.yml',
  digest: 'd'.repeat(64),
  options: {},
  meta: {
    ...{ operator: 'Ada', definitionDigest: 'd'.repeat(64), commit: '', dirty: false },
    ...{ plays: 1, tasks: names.length, commandLine: ['task', 'run'] },
  },
  started: moment,
  ended: moment,
  seconds: 3600,
  status: 'successful',
  recap: Object.fromEntries(hosts.map((host) => [host, recap])),
  versions: {},
  exitStatus: 0,
  failures: [],
  tasks: names.map(timing),
  eventsLost: 0,
});

const recap = { ok: 500, changed: 50, failed: 0, unreachable: 0, skipped: 0, rescued: 0, ignored: 0 };

const timing = (name: string, index: number): TaskTiming => ({
  ...{ play: 'A long play', name, number: index + 1, handler: false, started: moment, seconds: 7.2 },
  hosts: Object.fromEntries(hosts.map((host) => [host, { status: 'ok', seconds: 0.25 }])),
});
