import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { describe, down, exec, type Lab } from '../../lab/index.ts';
import { longestWait, startWriter, stopWriter } from '../support/hosts/kubernetes.ts';
import { definitionOf, must, raiseLab } from '../support/hosts/lab.ts';
import { loseControlPlane } from '../support/hosts/losses.ts';
import { command, node } from './command.ts';
import { atMost, median, seconds, seen, type Figure } from './figure.ts';
import type { Bench } from './options.ts';

const name = 'bench-scale';

/** New workers by `scale-out`, against the whole of `instantiate` that finds one; and a control plane made anew, against the loss of one. */
export async function scale({ repetitions, say }: Bench): Promise<readonly Figure[]> {
  const rounds: Round[] = [];
  for (let round = 0; round < repetitions; round += 1) {
    say(`scale: round ${round + 1} of ${repetitions}`);
    rounds.push(await measured(say));
    say(`scale: ${JSON.stringify(rounds.at(-1))}`);
  }
  const of = (figure: keyof Round): number => median(rounds.map((each) => each[figure]));
  return [
    seen('scale: scale-out of one worker', of('one'), 's'),
    seen('scale: scale-out of five workers at once', of('five'), 's'),
    seen('scale: the whole of instantiate with one new worker', of('whole'), 's'),
    atMost('scale: scale-out of one worker : the whole from bare hosts', of('one') / of('bare'), {
      unit: 'ratio',
      goal: 0.35,
    }),
    seen('scale: scale-out of one worker : the whole with one new worker', of('one') / of('whole'), 'ratio'),
    seen('scale: longest wait of a writer, a control plane loses its power', of('lost'), 's'),
    seen('scale: longest wait of a writer, a control plane is made anew', of('anew'), 's'),
    atMost('scale: made anew : lost', of('anew') / of('lost'), { unit: 'ratio', goal: 1 }),
  ];
}

interface Round {
  /** Seconds of `instantiate` on bare hosts: three control planes and one worker. */
  readonly bare: number;
  readonly one: number;
  readonly whole: number;
  readonly five: number;
  readonly lost: number;
  readonly anew: number;
}

async function measured(say: Bench['say']): Promise<Round> {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-bench-'));
  try {
    const lab = await raiseLab(name, { kubernetes: true, workers: 8 });
    const task = (...words: readonly string[]): Promise<string> => command([...node, ...words], {}, folder);
    const timed = async (workers: number, ...words: readonly string[]): Promise<number> => {
      writeFileSync(join(folder, 'cluster.yml'), withWorkers(lab, workers));
      await task('render');
      say(`scale: ${words.join(' ')}`);
      return seconds(() => task(...words));
    };
    const grown = {
      bare: await timed(1, 'run'),
      one: await timed(2, 'scale-out', 'worker2'),
      whole: await timed(3, 'run'),
      five: await timed(8, 'scale-out', 'worker4', 'worker5', 'worker6', 'worker7', 'worker8'),
    };
    await task('kubeconfig');
    return { ...grown, ...(await outages({ lab, folder, task })) };
  } finally {
    must(await down(name));
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Built {
  readonly lab: Lab;
  readonly folder: string;
  readonly task: (...words: readonly string[]) => Promise<string>;
}

/** Both times the control plane that holds the virtual address. */
async function outages({ lab, folder, task }: Built): Promise<Pick<Round, 'lost' | 'anew'>> {
  const kubeconfig = readFileSync(join(folder, '.playsmith', name, 'kubeconfig'), 'utf8');
  const first = await holderOf(lab);
  const witness = controlPlanes.find((each) => each !== first) ?? '';
  const workers = Array.from({ length: 8 }, (_, index) => `worker${index + 1}`);
  const allReady = [...controlPlanes, ...workers].map((each) => `${each}=True`).join(' ');
  const lost = await loseControlPlane(lab, first, { kubeconfig, allReady, witness });
  const second = await holderOf(lab);
  await startWriter(lab, kubeconfig, 'anew');
  await task('heal-node', second, '--set', 'node_preflight_recreate=true');
  return { lost: lost.longestWait, anew: longestWait(await stopWriter(lab)) };
}

const controlPlanes = ['cp1', 'cp2', 'cp3'];

async function holderOf(lab: Lab): Promise<string> {
  const { vip } = describe(lab);
  for (const host of controlPlanes) {
    const shown = must(await exec(lab, host, ['ip', '-oneline', 'address', 'show', 'to', vip]));
    if (shown.stdout !== '') return host;
  }
  throw new Error('nobody holds the virtual address');
}

/** The lab's definition with the first so many of its workers. */
function withWorkers(lab: Lab, count: number): string {
  const document = parseDocument(definitionOf(lab));
  const { nodes } = document.toJS() as { readonly nodes: readonly { readonly name: string }[] };
  for (const index of nodes.map((_, at) => at).toReversed()) {
    const [, number = '0'] = /^worker(\d+)$/.exec(nodes[index]?.name ?? '') ?? [];
    if (Number(number) > count) document.deleteIn(['nodes', index]);
  }
  return document.toString();
}
