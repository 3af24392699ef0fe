import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, down, exec, sshArgv, type Lab } from '../../lab/index.ts';
import { localRecords } from '../../tasks/steps/run/record.ts';
import { must } from '../support/hosts/lab.ts';
import { fleetText, raiseMesh, type ExecutionNode, type ListedCluster } from '../support/hosts/mesh-lab.ts';
import { command, node, taskWithPeak } from './command.ts';
import { atMost, seconds, seen, type Figure } from './figure.ts';
import type { Bench } from './options.ts';

const name = 'bench-slots';
/** Machines; each plays several clusters, since the playbook only looks. */
const machines = 10;
/** Runs at a time on each execution node, and of `xargs -P`. */
const slots = 4;
const playbook = 'preflight';

/** One playbook on many clusters: over a mesh of one, two and four execution nodes, and by hand on one Ansible server. */
export async function slotted({ clusters: count, say }: Bench): Promise<readonly Figure[]> {
  say(`slots: making the lab ${name}`);
  const { lab, here } = await raiseMesh(
    name,
    { controlPlanes: 0, edges: machines, mesh: 5 },
    { execution: execution(4), clusters: clustersOver(4, count) },
  );
  const task = (...words: readonly string[]): Promise<string> =>
    command([...node, ...words], {}, here.folder);
  try {
    await task('render', '-f', 'fleet.yml');
    say('slots: building the mesh');
    await task('run', '-f', 'fleet.yml');
    for (const cluster of clustersOver(4, count)) await task('render', '-f', `${cluster.name}.yml`);
    const timed = async (what: string, work: () => Promise<number>): Promise<number> => {
      say(`slots: ${what}`);
      const took = await work();
      say(`slots: ${what}: ${took.toFixed(0)} s`);
      return took;
    };
    const overMesh = async (nodes: number): Promise<number> => {
      const clusters = clustersOver(nodes, count);
      await here.define(fleetText(describe(lab), { execution: execution(4), clusters }), 'fleet.yml');
      return timed(`${count} clusters over ${nodes} of the execution nodes, ${nodes * slots} at a time`, () =>
        seconds(() => task(...runAtOnce(nodes * slots, slots))),
      );
    };
    // The first also brings every bundle to the node where the runs by hand find them.
    const one = await overMesh(1);
    await giveSecret(lab);
    const inSequence = await timed('by hand, one after the other', () => byHand(lab, 1, count));
    const parallel = await timed(`by hand, ${slots} at a time`, () => byHand(lab, slots, count));
    const two = await overMesh(2);
    const four = await overMesh(4);
    const peak = join(here.folder, 'peak');
    const around = { peak, home: process.env['HOME'] ?? '', cwd: here.folder };
    say(`slots: ${count} runs followed at once`);
    await meetingOnHosts(lab, count, () => taskWithPeak(runAtOnce(count, count), around));
    await requireRuns(here.folder, clustersOver(4, count), 4);
    const rate = (time: number): number => (60 * count) / time;
    return [
      seen(`slots: ${playbook} of ${count} clusters by hand, one after the other`, inSequence, 's'),
      seen(`slots: the same with xargs -P ${slots}`, parallel, 's'),
      seen('slots: over 1 execution node', one, 's'),
      seen('slots: over 2 execution nodes', two, 's'),
      seen('slots: over 4 execution nodes', four, 's'),
      seen('slots: runs a minute over 1, by hand one after the other', rate(inSequence), '1/min'),
      seen('slots: runs a minute over 4 execution nodes', rate(four), '1/min'),
      atMost('slots: over 1 execution node : xargs', one / parallel, { unit: 'ratio', goal: 1.15 }),
      seen('slots: over 4 execution nodes : one after the other by hand', four / inSequence, 'ratio'),
      atMost(
        `slots: memory of a client that follows ${count} runs`,
        Number(readFileSync(peak, 'utf8')) / 1024,
        { unit: 'MiB', goal: 200e6 / 2 ** 20 },
      ),
    ];
  } finally {
    await here.remove();
    must(await down(name));
  }
}

const runAtOnce = (atOnce: number, perSite: number): readonly string[] => [
  ...['fleet', 'run', playbook, '--at-once', String(atOnce), '--per-site', String(perSite)],
];

const edges = range(1, machines).map((number) => `edge${number}`);

const execution = (count: number): readonly ExecutionNode[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ name: `exec${index + 1}`, host: `mesh${index + 2}`, site: `site${index + 1}` },
  }));

/** The last numbers of virtual addresses that no host of the lab has. */
const vips = [...range(21, 80), ...range(140, 239)];

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** So many clusters, spread over the first so many execution nodes. */
const clustersOver = (nodes: number, count: number): readonly ListedCluster[] =>
  vips.slice(0, count).map((vip, index) => {
    const number = (index % nodes) + 1;
    return {
      ...{ name: `edge-${index + 1}`, site: `site${number}`, node: `exec${number}` },
      ...{ hosts: edges.slice(index % machines, (index % machines) + 1), vip, virtualRouterId: index + 1 },
    };
  });

const values = '/home/ops/bench-secrets.json';

/** What each of our runs brings along lies in a private file for the person who works by hand. */
async function giveSecret(lab: Lab): Promise<void> {
  const { passwords, user } = describe(lab);
  const script = `install --mode=0600 --owner=${user} /dev/stdin ${values}`;
  const input = JSON.stringify({ vault_ssh_become_password: passwords.become });
  must(await exec(lab, 'mesh2', ['sh', '-c', script], { input }));
}

/** Seconds that the first execution node takes for all bundles that lie there, as an Ansible server without us. */
async function byHand(lab: Lab, atOnce: number, count: number): Promise<number> {
  const one = `cd {} && ansible-playbook --extra-vars @${values} ${playbook}.yml >/tmp/bench-$$.log 2>&1`;
  const line = [
    'cd playsmith/bundles',
    `test $(ls -d */*/ | wc -l) -eq ${count}`,
    'began=$(date +%s%N)',
    `ls -d */*/ | xargs -P ${atOnce} -I{} sh -c '${one}'`,
    'echo $(($(date +%s%N) - began))',
  ].join(' && ');
  return Number(await command(must(sshArgv(lab, 'mesh2', [line])))) / 1e9;
}

const meeting = '/tmp/meeting';
const meets = '/usr/lib/python3/dist-packages/meeting.pth';
/** As Python begins, also for Ansible's modules, it waits for the end of the meeting. */
const waiting = `import os, time; exec("while os.path.exists('${meeting}'): time.sleep(0.2)")\n`;

/** Does work that begins so many runs; each waits on its host until all are there, then host after host goes on. */
async function meetingOnHosts(lab: Lab, count: number, work: () => Promise<unknown>): Promise<void> {
  const everywhere = (script: string, input = ''): Promise<readonly string[]> =>
    Promise.all(
      edges.map(async (host) => must(await exec(lab, host, ['sh', '-c', script], { input })).stdout),
    );
  await everywhere(`touch ${meeting} && cat > ${meets}`, waiting);
  let over = false;
  const working = work().finally(() => {
    over = true;
  });
  while (!over) {
    const here = await everywhere("pgrep --count '^python3' || true");
    over ||= here.reduce((sum, each) => sum + Number(each), 0) >= count;
    await sleep(1000);
  }
  // Not all at once: who becomes root has twelve seconds for it.
  for (const host of edges) {
    must(await exec(lab, host, ['rm', meeting, meets]));
    await sleep(20_000);
  }
  await working;
}

/** A run that failed would make the figures smaller. */
async function requireRuns(folder: string, clusters: readonly ListedCluster[], each: number): Promise<void> {
  for (const { name: cluster } of clusters) {
    const kept = await localRecords(join(folder, '.playsmith'), cluster);
    const well = kept.filter(({ status }) => status === 'successful');
    if (well.length !== each) throw new Error(`${cluster}: ${well.length} runs ended well, not ${each}`);
  }
}
