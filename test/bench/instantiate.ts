import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, down, exec, type Lab } from '../../lab/index.ts';
import type { RunRecord } from '../../tasks/runtime/agent/run-records.ts';
import { definitionOf, must, raiseLab } from '../support/hosts/lab.ts';
import { plainInstallation } from '../support/hosts/plain-install.ts';
import { command, node, task } from './command.ts';
import { atMost, median, seconds, seen, type Figure } from './figure.ts';
import type { Bench } from './options.ts';

const name = 'bench-kubernetes';

/** Bare hosts to a verified cluster, against a plain script over SSH that does the same work, each on hosts of its own. */
export async function instantiate({ repetitions, say }: Bench): Promise<readonly Figure[]> {
  const ours: Ours[] = [];
  const plain: number[] = [];
  for (let round = 0; round < repetitions; round += 1) {
    say(`instantiate: round ${round + 1} of ${repetitions}, by npx task run`);
    ours.push(await onBareHosts(byPlaysmith));
    say(`instantiate: ${JSON.stringify(ours.at(-1))}; by a plain script`);
    plain.push(await onBareHosts(byScript));
    say(`instantiate: ${(plain.at(-1) ?? 0).toFixed(1)} s`);
  }
  const [first, second] = [median(ours.map((one) => one.first)), median(ours.map((one) => one.second))];
  return [
    seen('instantiate: npx task run, 3 control planes and 2 workers', first, 's'),
    seen('instantiate: plain script over SSH', median(plain), 's'),
    atMost('instantiate: npx task run : plain script', first / median(plain), { unit: 'ratio', goal: 1.25 }),
    atMost('instantiate: second run : first run', second / first, { unit: 'ratio', goal: 0.15 }),
    seen('instantiate: tasks', median(ours.map(({ tasks }) => tasks)), ''),
    seen('instantiate: tasks done on a control plane, first run', median(ours.map(({ done }) => done)), ''),
    seen('instantiate: the same, second run', median(ours.map(({ again }) => again)), ''),
  ];
}

interface Ours {
  readonly first: number;
  readonly second: number;
  readonly tasks: number;
  readonly done: number;
  readonly again: number;
}

interface Bare {
  readonly lab: Lab;
  readonly folder: string;
  readonly file: string;
  readonly output: string;
}

async function onBareHosts<Value>(work: (bare: Bare) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-bench-'));
  try {
    const lab = await raiseLab(name, { kubernetes: true, workers: 2 });
    const [file, output] = [join(folder, 'cluster.yml'), join(folder, 'playbooks')];
    writeFileSync(file, definitionOf(lab));
    await task(['render', '--file', file, '--output', output]);
    // Whoever comes first shall not be the one who reads them from the disk.
    await exec(lab, 'ansible', [
      'find',
      describe(lab).artifacts?.path ?? '/',
      '-type',
      'f',
      '-exec',
      'cksum',
      '{}',
      '+',
    ]);
    return await work({ lab, folder, file, output });
  } finally {
    must(await down(name));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function byPlaysmith({ folder, file, output }: Bare): Promise<Ours> {
  const run = (): Promise<number> =>
    seconds(() => command([...node, 'run', '--file', file, '--output', output], {}, folder));
  const first = await run();
  const built = latest(folder);
  const second = await run();
  const again = latest(folder);
  const changed = Object.values(again.recap ?? {}).reduce((sum, host) => sum + host.changed, 0);
  if (changed > 0) throw new Error(`${changed} changes in a run that had nothing to change`);
  return { first, second, tasks: built.meta.tasks, done: done(built), again: done(again) };
}

/** The record that the last run left beside the definition. */
function latest(folder: string): RunRecord {
  const runs = join(folder, '.playsmith', 'runs', name);
  const run = readdirSync(runs).sort().at(-1) ?? '';
  return JSON.parse(readFileSync(join(runs, run, 'record.json'), 'utf8')) as RunRecord;
}

/** With pipelining each of them is one command over the connection that is open; a copied file is some more. */
const done = ({ tasks = [] }: RunRecord): number =>
  tasks.filter(({ hosts }) => hosts['cp2'] !== undefined && hosts['cp2'].status !== 'skipped').length;

async function byScript({ lab, file, output }: Bare): Promise<number> {
  await task(['push', '--file', file, '--output', output]);
  const line = await plainInstallation({ lab, bundle: join(output, name) });
  return seconds(() => command(line));
}
