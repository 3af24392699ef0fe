import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RunnerEvent } from '../../../generators/report/events.ts';
import type { HostRecap } from '../../../tasks/runtime/events.ts';
import type { RunRecord } from '../../../tasks/runtime/agent/run-records.ts';

/** Three control planes, and workers up to a number of hosts. */
export const clusterOf = (hosts: number): string => `apiVersion: playsmith/v1
kind: Cluster
metadata: { name: edge-a }
ansibleServer: { host: 198.51.100.5, user: ansible }
installer: { kubeadm: { version: 1.35.9 } }
network: { plugin: static-routes, podSubnet: 172.16.0.0/12 }
ssh: { user: ubuntu, privateKey: ~/.ssh/id_ed25519 }
controlPlaneEndpoint: { address: 10.1.255.250/16, port: 8443 }
nodes:
${hostsOf(hosts)
  .map(
    (name, index) =>
      `  - { name: ${name}, roles: [${index < 3 ? 'control-plane' : 'worker'}], address: 10.1.${Math.floor(index / 250)}.${(index % 250) + 1} }`,
  )
  .join('\n')}
`;

export const hostsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    index < 3 ? `master${index + 1}` : `worker${String(index - 2).padStart(4, '0')}`,
  );

export interface Played {
  readonly hosts: number;
  readonly tasks: number;
  /** The last task fails on the host of this place. */
  readonly failsOn?: number;
  /** Without its end: the run goes on. */
  readonly isRunning?: boolean;
}

const start = Date.parse('2026-11-22T00:26:36.000Z');

/** The events of a run as ansible-runner writes them: plays of ten tasks, of which every fifth changes a file. */
export function eventsOf({ hosts, tasks, failsOn = -1, isRunning = false }: Played): readonly RunnerEvent[] {
  const names = hostsOf(hosts);
  const events: RunnerEvent[] = [];
  let now = start;
  const tell = (event: string, event_data: object, stdout = ''): void => {
    // Without a zone, as ansible-runner writes it.
    events.push({ event, created: new Date(now).toISOString().replace('Z', '000'), stdout, event_data });
  };
  for (let number = 0; number < tasks; number += 1) {
    if (number % 10 === 0) tell('playbook_on_play_start', { name: `Play ${number / 10 + 1}` });
    const task = { task: `Task ${number + 1}`, task_uuid: `uuid-${number}` };
    tell('playbook_on_task_start', { ...task, name: task.task, is_conditional: false });
    const begun = now;
    names.forEach((host, place) => {
      const seconds = 0.4 + ((place * 7 + number * 3) % 11) / 10;
      now = begun + seconds * 1000;
      const data = { ...task, host, duration: seconds, task_action: 'ansible.builtin.copy' };
      const isLast = number === tasks - 1;
      if (isRunning && isLast && place > hosts / 2) return;
      if (isLast && place === failsOn)
        tell('runner_on_failed', {
          ...data,
          res: {
            msg: 'non-zero return code',
            rc: 1,
            cmd: ['kubeadm', 'join'],
            stdout: '[preflight] Running pre-flight checks',
            stderr: 'error: <b>the port</b> 10250 is in use',
          },
        });
      else if (number % 5 === 4) {
        tell(
          'runner_on_file_diff',
          data,
          `--- before\r\n+++ after\r\n@@ -1 +1 @@\r\n-old ${number}\r\n+new ${number}`,
        );
        tell('runner_on_ok', { ...data, res: { changed: true } });
      } else tell('runner_on_ok', { ...data, res: { changed: false } });
    });
    now = begun + 1500;
  }
  return events;
}

/** The record of such a run. */
export function recordOf(played: Played, more: Partial<RunRecord> = {}): RunRecord {
  const { hosts, tasks, failsOn = -1, isRunning = false } = played;
  const changed = Math.floor(tasks / 5);
  const recap = hostsOf(hosts).map((name, place): readonly [string, HostRecap] => [
    name,
    {
      ...{ ok: tasks, changed, failed: place === failsOn ? 1 : 0 },
      ...{ unreachable: 0, skipped: 0, rescued: 0, ignored: 0 },
    },
  ]);
  return {
    run: '20261122T002636Z-instantiate-9640',
    cluster: 'edge-a',
    playbook: 'instantiate.yml',
    digest: 'd'.repeat(64),
    options: {},
    meta: {
      operator: 'Ada <ada@example.org>, ada@laptop',
      definitionDigest: 'e'.repeat(64),
      commit: 'c'.repeat(40),
      dirty: false,
      plays: Math.ceil(tasks / 10),
      tasks,
      commandLine: ['task', 'run'],
    },
    started: new Date(start).toISOString(),
    ended: isRunning ? null : new Date(start + tasks * 1500).toISOString(),
    seconds: isRunning ? null : tasks * 1.5,
    status: isRunning ? 'running' : failsOn >= 0 ? 'failed' : 'successful',
    recap: isRunning ? null : Object.fromEntries(recap),
    versions: { 'ansible-core': '2.14.18', 'ansible-runner': '2.3.1' },
    ...more,
  };
}

/** Writes a run as its copy lies below `.playsmith`. */
export function keepRun(folder: string, played: Played, more: Partial<RunRecord> = {}): RunRecord {
  const record = recordOf(played, more);
  const path = join(folder, '.playsmith', 'runs', record.cluster, record.run);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'record.json'), JSON.stringify(record));
  const lines = eventsOf(played).map((event) => JSON.stringify(event));
  writeFileSync(join(path, 'events.ndjson.gz'), gzipSync(`${lines.join('\n')}\n`));
  return record;
}
