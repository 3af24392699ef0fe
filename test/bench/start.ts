import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { packageRoot } from '../../tasks/runtime/package.ts';
import { command, node } from './command.ts';
import { definitionOf } from './definition.ts';
import { atMost, seen, type Figure } from './figure.ts';
import { interleaved, timed, type Work } from './interleaved.ts';
import type { Bench } from './options.ts';

/** How long a person waits for a command that asks no server: each is a whole process, Node.js and all. */
export async function start({
  repetitions,
  say,
}: Pick<Bench, 'repetitions' | 'say'>): Promise<readonly Figure[]> {
  say('start: help, completion, check');
  const cwd = mkdtempSync(join(tmpdir(), 'playsmith-bench-'));
  try {
    writeFileSync(join(cwd, 'cluster.yml'), definitionOf(10));
    const work = (...words: readonly string[]): Work => timed(() => command([...node, ...words], {}, cwd));
    const times = await interleaved(
      {
        nothing: timed(() => command([process.execPath, '--eval', '0'], {}, cwd)),
        help: work('--help'),
        npx: timed(() => command(['npx', '--no', 'task', '--help'], {}, packageRoot)),
        ofTask: work('run', '--help'),
        tasks: work('--get-yargs-completions', 'task', 'he'),
        options: work('--get-yargs-completions', 'task', 'run', '--che'),
        names: work('--get-yargs-completions', 'task', 'run', 'hap'),
        check: work('check'),
      },
      repetitions,
    );
    return [
      seen('start: Node.js alone', times.nothing, 's'),
      atMost('start: npx task --help', times.help, { unit: 's', goal: 0.25 }),
      seen('start: the same with npx itself', times.npx, 's'),
      atMost('start: npx task run --help', times.ofTask, { unit: 's', goal: 0.25 }),
      atMost('start: completion of a task', times.tasks, { unit: 's', goal: 0.25 }),
      atMost('start: completion of an option', times.options, { unit: 's', goal: 0.25 }),
      seen('start: completion of a name in a definition', times.names, 's'),
      atMost('start: npx task check, 10 nodes', times.check, { unit: 's', goal: 0.4 }),
    ];
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
