import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Event } from '../../tasks/runtime/events.ts';

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What a test shows when it ended otherwise than it should: the errors, and the end of what was told. */
  readonly said: string;
  /** What `--json` told; empty without it. */
  readonly events: readonly Event[];
}

/** A person's own folder with a definition, and the built command line in it. */
export interface Project {
  readonly folder: string;
  readonly define: (text: string, file?: string) => Promise<void>;
  /** Runs a task to its end. */
  readonly task: (...words: readonly string[]) => Promise<Ended>;
  /** Runs a task that has to end well. */
  readonly done: (...words: readonly string[]) => Promise<Ended>;
  /** Starts a task and gives it back while it runs; `seen` waits for an event of `--json`. */
  readonly begin: (...words: readonly string[]) => Running;
  readonly remove: () => Promise<void>;
}

export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly seen: (wanted: (event: Event) => boolean) => Promise<Event>;
}

const cli = join(import.meta.dirname, '..', '..', 'dist', 'tasks', 'cli.js');

export async function project(text: string): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'playsmith-project-'));
  const define = (definition: string, file = 'cluster.yml'): Promise<void> =>
    writeFile(join(folder, file), definition);
  await define(text);
  const start = (...words: readonly string[]): Running => begin(folder, words);
  return {
    folder,
    define,
    task: (...words) => start(...words).ended,
    done: async (...words) => {
      const ended = await start(...words).ended;
      if (ended.status !== 0) throw new Error(`${words.join(' ')} ended with ${ended.status}: ${ended.said}`);
      return ended;
    },
    begin: start,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function begin(cwd: string, words: readonly string[]): Running {
  const child = spawn(process.execPath, [cli, ...words], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const events: Event[] = [];
  const waiting = new Set<(event: Event) => void>();
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    if (!words.includes('--json') || !line.startsWith('{')) return;
    const event = JSON.parse(line) as Event;
    events.push(event);
    for (const tell of waiting) tell(event);
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const ended = once(child, 'close').then(([status]: (number | null)[]) => ({
    status: status ?? null,
    stdout: lines.join('\n'),
    stderr,
    said: `${stderr}\n${lines.slice(-12).join('\n').slice(-6000)}`,
    events,
  }));
  const seen = (wanted: (event: Event) => boolean): Promise<Event> =>
    new Promise((resolve, reject) => {
      const tell = (event: Event): void => {
        if (!wanted(event)) return;
        waiting.delete(tell);
        resolve(event);
      };
      waiting.add(tell);
      events.forEach(tell);
      void ended.then(({ status }) => {
        reject(
          new Error(
            `ended with ${status ?? 'a signal'} before it was seen: ${stderr} ${lines.slice(-5).join('\n')}`,
          ),
        );
      });
    });
  return { process: child, ended, seen };
}

/** The recap of a run that was followed with `--json`. */
export function recapOf({ events, stderr }: Ended): Extract<Event, { type: 'run-finished' }> {
  const finished = events.find((event) => event.type === 'run-finished');
  if (finished === undefined)
    throw new Error(`the run did not finish: ${stderr} ${JSON.stringify(events.at(-1))}`);
  return finished;
}

/** How much a run changed on each host that took part in it. */
export const changesByHost = (ended: Ended): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(recapOf(ended).recap).map(([host, { changed }]) => [host, changed]));

/** The same without the hosts on which nothing changed. */
export const changes = (ended: Ended): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(changesByHost(ended)).filter(([, count]) => count > 0));

interface Shown {
  readonly steps: readonly { readonly operation: string; readonly targets: readonly string[] }[];
}

/** The steps of the plan, as a person says them: `scale-in cp2 cp3`. */
export async function planned({ done }: Project): Promise<readonly string[]> {
  const lines = (await done('plan', '--json')).stdout.split('\n');
  const { steps } = JSON.parse(lines.find((line) => line.includes('"type":"plan"')) ?? '') as Shown;
  return steps.map(({ operation, targets }) => [operation, ...targets].join(' '));
}

/** The places of the tasks that began, in their order; handlers have none. */
export const numbersOf = (events: readonly Event[]): readonly number[] =>
  events.flatMap((event) => (event.type === 'task-started' && !event.handler ? [event.number] : []));
