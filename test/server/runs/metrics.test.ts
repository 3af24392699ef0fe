import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunOptions } from '../../../tasks/runtime/agent/run-records.ts';
import type { Server } from '../../../tasks/runtime/server.ts';
import { clusterMetrics } from '../../../tasks/report/metrics.ts';
import { metrics } from '../../../tasks/commands/look/metrics.ts';
import { push } from '../../../tasks/steps/bundle/push.ts';
import { start } from '../../../tasks/steps/run/start.ts';
import { bundleOf, localHost } from '../../support/definitions/bundles.ts';
import { kubeadmCluster } from '../../support/definitions/clusters.ts';
import { failure, locally, meta, serverFolder, value, watch } from '../../support/server/ansible-server.ts';
import { quietWorld } from '../../support/world.ts';

let directory: string;
let server: Server;
const textfiles = mkdtempSync(join(tmpdir(), 'playsmith-textfiles-'));
let exporter: ChildProcess | undefined;

beforeAll(async () => {
  directory = serverFolder();
  server = await locally(directory);
});
afterAll(async () => {
  exporter?.kill();
  await server.close();
  for (const folder of [directory, textfiles]) rmSync(folder, { recursive: true, force: true });
});

const play = (...tasks: readonly object[]): string =>
  JSON.stringify([{ name: 'Play', hosts: 'all', gather_facts: false, tasks }]);
const round = { what: 'HAProxy', host: 'one', witness: 'two', asked: 100, failed: 3, longest: 1.25 };
const drill = {
  name: 'vip',
  limit: 5,
  rounds: { 'stop-haproxy': { ...round, held: 10, by: 'run', answered: true, recovered: 2.5 } },
};
/** As the module says them: `collection/tests/unit/plugins/modules/test_kubeadm_certificates.py`. */
const lines = [
  'due apiserver: 12 days, until Dec 07, 2026 18:00 UTC',
  'authority etcd-ca: 3000 days, until Feb 11, 2035 06:30 UTC',
  'stale etcd: started before its certificate was renewed',
];
const bundle = bundleOf({
  'ansible.cfg': '[defaults]\ninventory = inventory\n',
  'inventory/hosts.yml': JSON.stringify({ all: { hosts: { one: localHost, two: localHost } } }),
  'instantiate.yml': play({
    name: 'Differ on one host',
    'ansible.builtin.debug': { msg: 'hello' },
    changed_when: "inventory_hostname == 'one'",
  }),
  'etcd-backup.yml': play({ name: 'Fail', 'ansible.builtin.fail': { msg: 'no space' } }),
  'certificates.yml': play(
    {
      name: 'Show when the certificates expire',
      'ansible.builtin.debug': { msg: lines },
    },
    {
      name: 'Renew the certificates and restart what uses them',
      'ansible.builtin.debug': { msg: 'renewed' },
      changed_when: "inventory_hostname == 'two'",
    },
  ),
  'drill-vip.yml': play({ name: 'Tell', 'ansible.builtin.set_stats': { data: { drill } } }),
});

async function run(playbook: string, options: RunOptions = {}): Promise<void> {
  value(await push(server, bundle));
  const started = value(await start(server, { bundle, playbook, options, secrets: new Map(), meta }));
  await watch(server, started.run);
}

const shown = async (): Promise<string> =>
  value(await clusterMetrics({ server, cluster: kubeadmCluster({ name: 'try' }) }));

test('what real runs left on the server becomes metrics', async () => {
  await run('instantiate.yml');
  await run('instantiate.yml', { check: true, diff: true });
  await run('etcd-backup.yml');
  await run('drill-vip.yml');
  await run('certificates.yml');
  const text = await shown();
  for (const line of [
    'playsmith_run_successful{cluster="try",playbook="instantiate",mode="apply"} 1',
    'playsmith_run_successful{cluster="try",playbook="etcd-backup",mode="apply"} 0',
    'playsmith_runs_going_on{cluster="try"} 0',
    'playsmith_drift_hosts{cluster="try"} 1',
    'playsmith_drift_unknown_hosts{cluster="try"} 0',
    'playsmith_drill_unanswered_seconds{cluster="try",drill="vip",fault="stop-haproxy"} 1.25',
    'playsmith_drill_recovered_seconds{cluster="try",drill="vip",fault="stop-haproxy"} 2.5',
    'playsmith_drill_limit_seconds{cluster="try",drill="vip"} 5',
    `playsmith_certificate_expires_timestamp_seconds{cluster="try",host="one",certificate="apiserver"} ${Date.UTC(2026, 11, 7, 18) / 1000}`,
    `playsmith_certificate_expires_timestamp_seconds{cluster="try",host="one",certificate="etcd-ca"} ${Date.UTC(2035, 1, 11, 6, 30) / 1000}`,
  ])
    expect(text.split('\n')).toContain(line);
  // Whose certificates were renewed after they were read is not told until somebody looks again.
  expect(text).not.toContain('host="two"');
  expect(text).not.toContain('succeeded_timestamp_seconds{cluster="try",playbook="etcd-backup"');
  const [, ended = ''] = /run_ended_timestamp_seconds\S*instantiate\S* (\d+)/.exec(text) ?? [];
  expect(Math.abs(Number(ended) - Date.now() / 1000)).toBeLessThan(120);
});

test("node_exporter's textfile collector reads all of it", async () => {
  const text = await shown();
  writeFileSync(join(textfiles, 'try.prom'), text);
  const read = await exported();
  const samples = text.split('\n').filter((line) => line.startsWith('playsmith_'));
  expect(read).toContain('node_textfile_scrape_error 0');
  // It writes numbers and the order of labels in its own way.
  for (const sample of samples) {
    const [, name = '', labels = '', number = ''] = /^(\w+)\{(.*)\} (\S+)$/.exec(sample) ?? [];
    const line = read
      .split('\n')
      .find(
        (each) => each.startsWith(`${name}{`) && labels.split(',').every((label) => each.includes(label)),
      );
    expect(Number(line?.split(' ').at(-1)), sample).toBe(Number(number));
  }
  expect(samples.length).toBeGreaterThan(12);
});

test('a name that the collector would pass over is refused', async () => {
  const refused = await metrics.run({ file: 'cluster.yml', to: 'try.txt' } as never, quietWorld(directory));
  expect(failure(refused)).toMatchObject({ kind: 'usage' });
});

/** What a real node_exporter gives with nothing but the text files. */
async function exported(): Promise<string> {
  const port = await freePort();
  exporter = spawn(
    'prometheus-node-exporter',
    [
      '--collector.disable-defaults',
      '--collector.textfile',
      `--collector.textfile.directory=${textfiles}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const read = async (): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined);
    return answer === undefined ? '' : answer.text();
  };
  await expect.poll(read, { timeout: 20_000, interval: 200 }).toContain('node_textfile_scrape_error');
  return read();
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const holder = createServer().listen(0, '127.0.0.1', () => {
      const { port } = holder.address() as AddressInfo;
      holder.close(() => {
        resolve(port);
      });
    });
  });
