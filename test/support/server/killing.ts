import { setTimeout as pause } from 'node:timers/promises';
import type { Result } from '../../../generators/result.ts';
import type { Failure } from '../../../tasks/runtime/failures.ts';
import type { Server } from '../../../tasks/runtime/server.ts';
import { cancel, unlock } from '../../../tasks/steps/run/lock.ts';
import type { StartedRun } from '../../../tasks/steps/run/start.ts';

/** Where runs are killed. */
export interface Field {
  readonly cluster: string;
  readonly server: Server;
  readonly hosts: readonly string[];
  /** A run whose command writes the word on each host, on and on, deaf to all signals that can be ignored. */
  readonly begin: (word: string) => Promise<Result<StartedRun, Failure>>;
  /** Kills a process of the runs, there or on a host; says which, or nothing when there was none. */
  readonly kill: (seed: string) => Promise<string>;
  /** What was written on a host, a word a line. */
  readonly trail: (host: string) => Promise<readonly string[]>;
}

export interface Outcome {
  readonly killed: number;
  readonly begun: number;
  readonly cancelled: number;
  /** What must not be, in words. */
  readonly wrong: readonly string[];
}

/** Rounds of one run each, whose processes are killed at random moments; the same seed gives the same choices. */
export async function killAtRandom(
  field: Field,
  { seed, rounds }: { readonly seed: number; readonly rounds: number },
): Promise<Outcome> {
  const random = generator(seed);
  const ends = new Map<string, readonly number[]>();
  let killed = 0;
  let begun = 0;
  for (let round = 0; round < rounds; round++) {
    await free(field);
    const word = `word${round}`;
    const beginning = field.begin(word);
    const kills = 1 + Math.floor(random() * 3);
    // Half of them while the run begins, the others once its command writes.
    if (random() < 0.5) await writes(field, word);
    for (let each = 0; each < kills; each++) {
      await pause(random() * 2000);
      if ((await field.kill(`${seed}.${round}.${each}`)) !== '') killed++;
    }
    const run = await beginning;
    if (!run.ok) continue;
    begun++;
    if (random() < 0.7) await ended(field, { word, run: run.value.run, ends });
    if (round % 10 === 9)
      console.log({ round, killed, begun, cancelled: ends.size, wrong: await wrong(field, ends) });
  }
  await free(field);
  const last = await field.begin('last');
  if (!last.ok) throw new Error(JSON.stringify(last.failure));
  await ended(field, { word: 'last', run: last.value.run, ends });
  return { killed, begun, cancelled: ends.size, wrong: await wrong(field, ends) };
}

/** Until the first host has the word, or for so long that there must have been a reason why it has not. */
async function writes({ hosts: [host = ''], trail }: Field, word: string): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    if ((await trail(host)).includes(word)) return;
    await pause(500);
  }
}

/** Remembers how much was written on each host when `cancel` answered that nothing goes on. */
async function ended(
  field: Field,
  {
    word,
    run,
    ends,
  }: { readonly word: string; readonly run: string; readonly ends: Map<string, readonly number[]> },
): Promise<void> {
  const answer = await cancel(field.server, { cluster: field.cluster, run, who: 'the test' });
  if (!answer.ok || answer.value.unstopped.length > 0 || answer.value.status === 'running') return;
  const trails = await Promise.all(field.hosts.map((host) => field.trail(host)));
  ends.set(
    word,
    trails.map((trail) => trail.length),
  );
}

/** Nobody holds the lock: a run that still does is cancelled, as a person would. */
async function free({ server, cluster }: Field): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    const free = await unlock(server, { cluster, force: false });
    if (free.ok) return;
    if (free.failure.kind !== 'locked') throw new Error(JSON.stringify(free.failure));
    await cancel(server, { cluster, run: '', who: 'the test' });
    await pause(200);
  }
  throw new Error('the lock does not get free');
}

async function wrong(
  { hosts, trail }: Field,
  ends: ReadonlyMap<string, readonly number[]>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [index, host] of hosts.entries()) {
    const words = await trail(host);
    const order = words.filter((word, at) => word !== words[at - 1]);
    for (const word of new Set(order.filter((each, at) => order.indexOf(each) !== at)))
      found.push(`${host}: ${word} was written after another run had begun to write`);
    for (const [word, at] of ends)
      if (words.lastIndexOf(word) >= (at[index] ?? 0))
        found.push(`${host}: ${word} after cancel had answered`);
  }
  return found;
}

/** mulberry32. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
