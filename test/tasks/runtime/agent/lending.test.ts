import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ok } from '../../../../generators/result.ts';
import { Lending } from '../../../../tasks/runtime/agent/lending.ts';
import { localTransport } from '../../../../tasks/runtime/local-transport.ts';
import { Server } from '../../../../tasks/runtime/server.ts';
import type { RemoteProcess, Transport } from '../../../../tasks/runtime/transport.ts';

let directory: string;
let opened: { lost: boolean; closed: boolean; programs: RemoteProcess[] }[];
let ways: Lending;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'playsmith-lending-'));
  opened = [];
  ways = new Lending(() => Promise.resolve(ok(watched(localTransport()))));
});

afterEach(async () => {
  vi.useRealTimers();
  await ways.close();
  await rm(directory, { recursive: true });
});

/** The same way, and what becomes of it. */
function watched(way: Transport): Transport {
  const seen: (typeof opened)[number] = { lost: false, closed: false, programs: [] };
  opened.push(seen);
  return {
    ...way,
    isLost: () => seen.lost,
    spawn: async (line) => {
      const program = await way.spawn(line);
      if (program.ok) seen.programs.push(program.value);
      return program;
    },
    close: () => {
      seen.closed = true;
      return way.close();
    },
  };
}

const take = async (): Promise<Transport> => {
  const taken = await ways.take();
  if (!taken.ok) throw new Error('nothing was lent');
  return taken.value;
};

/** Asks the server at the other end something as one of many does, and leaves. */
async function ask(way: Transport): Promise<void> {
  const server = new Server(way, directory, () => ways.take(), { node: '', sealingKey: '', lending: ways });
  const answer = await server.agent().ask('list', { cluster: '', limit: 1 });
  expect(answer).toMatchObject({ ok: true });
  await server.close();
}

test('the key of a node is asked once for all that go to it, until it may be another one', async () => {
  const asked: string[] = [];
  const server = new Server(await take(), directory, () => ways.take(), {
    ...{ node: 'exec1', sealingKey: '', lending: ways },
  });
  server.ahead = ((operation: string) => {
    asked.push(operation);
    return () => Promise.resolve(ok({ key: 'k' }));
  }) as typeof server.ahead;
  for (let time = 0; time < 2; time += 1) expect(await server.keyAhead()()).toEqual(ok({ key: 'k' }));
  expect(asked).toEqual(['sealing-key']);
  server.forgetKey();
  await server.keyAhead()();
  expect(asked).toEqual(['sealing-key', 'sealing-key']);
});

const programs = () => opened.map((each) => each.programs.length);

test('who comes next has the same way, and talks with the program that is there', async () => {
  await ask(await take());
  await ask(await take());
  expect(programs()).toEqual([1]);
  const [one, other] = [await take(), await take()];
  await Promise.all([ask(one), ask(other)]);
  expect(programs()).toEqual([1, 1]);
  await ways.close();
  expect(opened.map(({ closed }) => closed)).toEqual([true, true]);
});

test('a program that ended meanwhile is begun again', async () => {
  await ask(await take());
  const [program] = opened[0]?.programs ?? [];
  program?.stop();
  await program?.ended;
  await ask(await take());
  expect(programs()).toEqual([2]);
});

test('one that still answers is hung up on, and nobody else hears its answer', async () => {
  const way = await take();
  const server = new Server(way, directory, () => ways.take(), { node: '', sealingKey: '', lending: ways });
  void server.agent().ask('list', { cluster: '', limit: 1 });
  await server.close();
  await ask(await take());
  expect(programs()).toEqual([2]);
});

test('a way that is lost, or that nobody used for a while, is lent to nobody', async () => {
  await ask(await take());
  if (opened[0]) opened[0].lost = true;
  await ask(await take());
  expect(opened.map(({ closed }) => closed)).toEqual([true, false]);
  vi.useFakeTimers({ now: Date.now() + 6000, toFake: ['Date'] });
  await ask(await take());
  expect(opened.map(({ closed }) => closed)).toEqual([true, true, false]);
});

test('who opens a way anew, since nobody answers on it, has another one, and that one is lent to nobody', async () => {
  const server = new Server(await take(), directory, () => ways.take(), {
    ...{ node: '', sealingKey: '', lending: ways },
  });
  expect(await server.reopen()).toMatchObject({ ok: true });
  expect(opened.map(({ closed }) => closed)).toEqual([true, false]);
  await server.close();
  await server.close();
  const [one, other] = [await take(), await take()];
  expect(one).not.toBe(other);
});
