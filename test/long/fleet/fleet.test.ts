import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describe as describeLab, down, exec, faults, type Lab } from '../../../lab/index.ts';
import {
  clusterNames,
  clusters,
  nodes,
  raiseFleet,
  type ClusterName,
  type Node,
} from '../../support/hosts/fleet-lab.ts';
import { must, on, until } from '../../support/hosts/lab.ts';
import { recapOf, type Ended, type Project, type Running } from '../../support/project.ts';

const name = 'mesh';
let lab: Lab;
let here: Project;

beforeAll(async () => {
  ({ lab, here } = await raiseFleet(name));
  for (const file of ['fleet', ...clusterNames]) {
    await here.done('render', '-f', `${file}.yml`);
  }
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

interface Row {
  readonly cluster: ClusterName;
  readonly outcome: string;
}

const linesOf = (ended: Ended): readonly Record<string, unknown>[] =>
  ended.stdout.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);

/** How every cluster came out of it. */
const outcomes = (ended: Ended): Readonly<Record<string, string>> =>
  Object.fromEntries(
    linesOf(ended)
      .filter((line): line is Record<string, unknown> & Row => 'outcome' in line)
      .map(({ cluster, outcome }) => [cluster, outcome]),
  );

const notes = ({ events }: Ended): readonly string[] =>
  events.flatMap((event) => (event.type === 'note' ? [event.text] : []));

/** The runs of a cluster as its node tells them, the latest first. */
async function runsOf(cluster: ClusterName): Promise<readonly { run: string; status: string }[]> {
  const told = await here.done('fleet', 'runs', '--cluster', cluster, '--json');
  const seen = linesOf(told).find((line) => 'runs' in line);
  return (seen?.['runs'] ?? []) as { run: string; status: string }[];
}

/** Starts the whole playbook on clusters and gives it back once it runs on all of them. */
async function underWay(...chosen: readonly ClusterName[]): Promise<Running> {
  const running = here.begin('fleet', 'run', 'site', ...chosen.map((each) => `--cluster=${each}`), '--json');
  for (const cluster of chosen)
    await running.seen((event) => event.type === 'note' && event.text.startsWith(`${cluster}: run `));
  return running;
}

const ofNode = (node: Node): { readonly host: string } => ({ host: nodes[node] });

const meshIsFit = async (): Promise<boolean> => (await here.task('fleet', 'doctor')).status === 0;

describe('a mesh', () => {
  test('is built by its playbooks, and built again without a change', async () => {
    await here.done('run', '-f', 'fleet.yml', '--json');
    const again = await here.done('run', '-f', 'fleet.yml', '--json');
    expect(Object.values(recapOf(again).recap).map(({ changed }) => changed)).toEqual([0, 0, 0, 0, 0]);
  });

  test('has all that its execution nodes need', async () => {
    const examined = await here.done('fleet', 'doctor');
    for (const node of ['exec1', 'exec2', 'exec3'])
      expect(examined.stdout).toMatch(new RegExp(`ok +${node}: certificate`));
  });

  test('refuses work that the control node did not sign', async () => {
    const submit = (host: string): Promise<Awaited<ReturnType<typeof exec>>> =>
      exec(
        lab,
        host,
        [
          ...['timeout', '15', 'receptorctl', '--socket', '/run/receptor/receptor.sock', 'work', 'submit'],
          ...['playsmith', '--node', 'exec1', '--tls-client', 'mesh-client', '--payload-literal', 'x'],
        ],
        { timeout: 60 },
      );
    const unsigned = await submit(nodes.control);
    expect(JSON.stringify(unsigned)).toContain('signature is empty');
    // From a node that may ask nobody there is no answer at all.
    expect((await submit(nodes.exec2)).ok).toBe(false);
    expect(await on(lab, nodes.exec1, 'sh', '-c', 'ls /var/lib/receptor/exec1')).toBe('');
  });

  test('shuts out a node whose certificate is of another authority', async () => {
    await on(lab, nodes.exec3, 'sh', '-euc', foreignCertificate);
    const examined = await here.task('fleet', 'doctor');
    expect(examined.status, examined.said).toBe(23);
    expect(examined.stdout).toMatch(/NO +exec3 \(execution\)/);
    await on(lab, nodes.exec3, 'sh', '-euc', ownCertificate);
    await until('exec3 is back', meshIsFit, 120);
  });
});

const foreignCertificate = `
cd /etc/receptor/playsmith && cp -a node.crt node.crt.own
receptor --cert-init commonname=foreign bits=2048 outcert=/root/ca.crt outkey=/root/ca.key
receptor --cert-makereq commonname=exec3 nodeid=exec3 inkey=node.key outreq=/root/exec3.req
receptor --cert-signreq req=/root/exec3.req cacert=/root/ca.crt cakey=/root/ca.key outcert=/root/exec3.crt verify=true
cat /root/exec3.crt >node.crt && systemctl restart playsmith-receptor`;

const ownCertificate =
  'cd /etc/receptor/playsmith && mv node.crt.own node.crt && systemctl restart playsmith-receptor';

describe('clusters', () => {
  let plan = '';

  test('are planned, all in one plan', async () => {
    const planned = await here.done('fleet', 'plan', '--json');
    const plans = linesOf(planned).filter(({ type }) => type === 'plan');
    expect(plans.map(({ cluster }) => cluster)).toEqual(clusterNames);
    plan = String(linesOf(planned).find(({ type }) => type === 'fleet-plan')?.['id']);
  });

  test('are not applied by another plan than the one that was looked at', async () => {
    const refused = await here.task('fleet', 'apply', '--plan', '000000000000', '--yes');
    expect(refused.status).toBe(17);
    expect(refused.stderr).toContain(`this is plan ${plan} of the fleet`);
  });

  test('are applied in waves, the canary first, each once', async () => {
    const applied = await here.done('fleet', 'apply', '--plan', plan, '--yes', '--canary', '1', '--json');
    expect(outcomes(applied)).toEqual(Object.fromEntries(clusterNames.map((each) => [each, 'successful'])));
    const [first, second] = notes(applied).filter((text) => / run | successful /.test(text));
    expect([first, second].map((text) => text?.slice(0, 'edge-a'.length))).toEqual(['edge-a', 'edge-a']);
    for (const cluster of clusterNames)
      expect(await runsOf(cluster)).toMatchObject([{ status: 'successful' }]);
    const planned = await here.task('fleet', 'plan', '--json');
    const plans = linesOf(planned).filter(({ type }) => type === 'plan');
    expect(plans.map(({ steps }) => steps)).toEqual(clusterNames.map(() => []));
  });

  test('have gone by without a watch that Receptor would keep on the control node', async () => {
    const held = 'pid=$(systemctl show --property MainPID --value playsmith-receptor); ls -l /proc/$pid/fd';
    const open = await on(lab, nodes.control, 'sh', '-c', held);
    expect(open).toContain('socket:');
    expect(open).not.toContain('inotify');
  });

  test('are compared with their bundles, all in one table', async () => {
    const sound = linesOf(await here.done('fleet', 'drift', '--json')).filter(({ type }) => type === 'drift');
    expect(sound.map(({ cluster, differences }) => [cluster, differences])).toEqual(
      clusterNames.map((each) => [each, []]),
    );
    await on(lab, clusters['edge-c'].host, 'sh', '-c', 'echo "# by hand" >>/etc/haproxy/haproxy.cfg');
    const drifted = await here.task('fleet', 'drift', '--cluster', 'edge-c', '--cluster', 'edge-d');
    expect(drifted.status, drifted.said).toBe(25);
    expect(drifted.stdout).toMatch(/^edge-c +paris +exec2 +differ: cp3$/m);
    expect(drifted.stdout).toMatch(/^edge-d +paris +exec2 +as the bundle says$/m);
    await here.done('fleet', 'run', 'site', '--cluster', 'edge-c');
  });

  test('a run that is cancelled is told so to whoever follows it', async () => {
    const running = await underWay('edge-a');
    await here.done('fleet', 'cancel', '--cluster', 'edge-a');
    expect(outcomes(await running.ended)).toEqual({ 'edge-a': 'failed' });
    expect((await runsOf('edge-a'))[0]?.status).toBe('canceled');
  });
});

describe('runs in whose middle', () => {
  /** Every one of these clusters had one more run than before, which ended as an undisturbed one does. */
  async function endedOnce(before: ReadonlyMap<ClusterName, number>): Promise<void> {
    for (const [cluster, count] of before) {
      const runs = await runsOf(cluster);
      expect(runs[0]?.status).toBe('successful');
      expect(runs).toHaveLength(Math.min(count + 1, most));
    }
  }
  const most = 5;
  const counted = async (...chosen: readonly ClusterName[]): Promise<ReadonlyMap<ClusterName, number>> =>
    new Map(await Promise.all(chosen.map(async (each) => [each, (await runsOf(each)).length] as const)));

  test('an execution node loses its power is called lost, and is run again once somebody unlocked its cluster', async () => {
    const again = ['fleet', 'run', 'site', '--cluster', 'edge-a', '--json'];
    const running = await underWay('edge-a', 'edge-c');
    must(await faults.power.inject(lab, ofNode('exec1')));
    must(await faults.power.undo(lab, ofNode('exec1')));
    const ended = await running.ended;
    expect(outcomes(ended)).toEqual({ 'edge-a': 'failed', 'edge-c': 'successful' });
    expect((await runsOf('edge-a'))[0]?.status).toBe('lost');
    expect(outcomes(await here.task(...again))).toEqual({ 'edge-a': 'failed' });
    await here.done('fleet', 'unlock', '--cluster', 'edge-a');
    expect(outcomes(await here.task(...again))).toEqual({ 'edge-a': 'successful' });
  });

  test('the hop is cut off and comes back go on', async () => {
    const before = await counted('edge-b', 'edge-d');
    const running = await underWay('edge-b', 'edge-d');
    must(await faults.link.inject(lab, ofNode('hop')));
    await new Promise((resolve) => setTimeout(resolve, 15_000));
    must(await faults.link.undo(lab, ofNode('hop')));
    expect(outcomes(await running.ended)).toEqual({ 'edge-b': 'successful', 'edge-d': 'successful' });
    await endedOnce(before);
  });

  test('Receptor on the control node is killed go on', async () => {
    const before = await counted('edge-e');
    const running = await underWay('edge-e');
    const service = { ...ofNode('control'), service: 'playsmith-receptor' };
    must(await faults['service-kill'].inject(lab, service));
    must(await faults['service-kill'].undo(lab, service));
    expect(outcomes(await running.ended)).toEqual({ 'edge-e': 'successful' });
    await endedOnce(before);
  });

  test('the control node loses its power, and the client is killed, are followed by another one', async () => {
    const before = await counted('edge-f');
    const running = await underWay('edge-f');
    running.process.kill('SIGKILL');
    must(await faults.power.inject(lab, ofNode('control')));
    must(await faults.power.undo(lab, ofNode('control')));
    await until('the mesh is back', meshIsFit, 120);
    const attached = await here.done('fleet', 'attach', '--cluster', 'edge-f', '--json');
    expect(attached.events.filter(({ type }) => type === 'run-finished')).toHaveLength(1);
    await endedOnce(before);
  });
});

test('no node keeps or shows a secret that runs were given', async () => {
  const secret = (await readFile(describeLab(lab).passwordPath, 'utf8')).trim();
  const running = await underWay('edge-a', 'edge-c', 'edge-e');
  const look = async (): Promise<readonly string[]> => {
    const seen = await Promise.all(
      Object.values(nodes).map(async (host) => {
        const found = await exec(lab, host, ['sh', '-c', searching], { input: `${secret}\n`, timeout: 120 });
        return found.ok ? found.value.stdout.trim() : `${host}: ${JSON.stringify(found.failure)}`;
      }),
    );
    return seen.filter((text) => text !== '');
  };
  expect(await look()).toEqual([]);
  expect((await running.ended).status).toBe(0);
  expect(await look()).toEqual([]);
});

// The secret comes on standard input, so that the search itself shows it nowhere.
const searching = `
umask 077; cat >/root/sought
grep -rlFf /root/sought /var/lib/receptor /home /tmp /run/receptor /var/log 2>/dev/null
for file in /proc/[0-9]*/cmdline /proc/[0-9]*/environ; do grep -lFf /root/sought "$file" 2>/dev/null; done
journalctl --no-pager --boot 2>/dev/null | grep -Ff /root/sought
true`;
