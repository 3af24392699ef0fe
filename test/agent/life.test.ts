import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localTransport } from '../../tasks/runtime/local-transport.ts';
import { Server } from '../../tasks/runtime/server.ts';
import { readLife } from '../../tasks/steps/state/life.ts';

let directory: string;
let server: Server;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'playsmith-life-'));
  await mkdir(join(directory, 'kept/c'), { recursive: true, mode: 0o700 });
  server = new Server(localTransport(), directory, () => Promise.reject(new Error('once is enough')));
});

afterEach(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

/** Why nothing is known of the cluster, in the words of a failure of the server. */
async function refusal(): Promise<string> {
  const read = await readLife(server, 'c');
  if (read.ok || read.failure.kind !== 'server') throw new Error(JSON.stringify(read));
  return `${read.failure.message}\n${read.failure.evidence}`;
}

const ledger = (facts: unknown): string =>
  JSON.stringify({ apiVersion: 'playsmith/v1', kind: 'Applied', base: null, snapshots: {}, facts });

describe('what a disk or a person left in the place of what was applied is told, and is no bug', () => {
  test.each<[string, string | Buffer]>([
    ['bytes that are no text', Buffer.from([0x7b, 0xff, 0xfe, 0x80])],
    ['half a file', ledger([]).slice(0, 30)],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number in the place of runs', ledger(5)],
    ['runs that are none', ledger([5, {}, { run: 1, status: 'running' }])],
  ])('%s', async (_, written) => {
    await writeFile(join(directory, 'kept/c/applied.json'), written);
    const told = await refusal();
    expect(told).toMatch(/has an applied\.json that cannot be read$/m);
    expect(told).not.toContain('properties of null');
  });

  test('a folder', async () => {
    await mkdir(join(directory, 'kept/c/applied.json'));
    expect(await refusal()).toContain('kept/c/applied.json cannot be read');
  });
});

const journal = (step: object): string =>
  JSON.stringify({
    ...{ fence: 'f', state: 'open', plan: 'p', who: 'Ada', started: 'then' },
    steps: [
      {
        ...{ operation: 'scale-in', state: 'failed', run: 'r', bundle: 'b', targets: ['w1'], from: 'wanted' },
        ...{ reasons: [], danger: 'none', confirm: 'w1', brings: [], completes: '', required: true, ...step },
      },
    ],
  });

test('a journal is read', async () => {
  await writeFile(join(directory, 'kept/c/journal.json'), journal({}));
  expect(await readLife(server, 'c')).toMatchObject({ ok: true, value: { journal: { fence: 'f' } } });
});

test.each([
  ...[{ targets: 5 }, { targets: null }, { targets: [{}] }, { reasons: 1 }, { brings: {} }],
  ...[{ targets: ['w1; reboot'] }, { confirm: '$(reboot)' }, { operation: 'reset --yes' }],
])('nor does one whose step has %j', async (step) => {
  await writeFile(join(directory, 'kept/c/journal.json'), journal(step));
  expect(await readLife(server, 'c')).toMatchObject({ ok: true, value: { journal: undefined } });
});

test.each(['[]', '{"steps":5}', '{"steps":[{}]}', '{"steps":[{"state":"running"}]}', '\u0000'])(
  'a journal that is none, %j, stands in nobody’s way',
  async (written) => {
    await writeFile(join(directory, 'kept/c/journal.json'), written);
    expect(await readLife(server, 'c')).toMatchObject({ ok: true, value: { journal: undefined } });
  },
);
