import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { readEventLines } from '../../../tasks/runtime/event-lines.ts';
import { python } from '../../support/python.ts';

const folder = mkdtempSync(join(tmpdir(), 'playsmith-lines-'));
const writer = python('from playsmith.history.events import line_of', 'line_of(it).decode()');
const line = async (event: object): Promise<string> => (await writer.ask(event)) as string;
afterAll(() => {
  writer.close();
  rmSync(folder, { recursive: true });
});

async function seen(
  content: Buffer,
): Promise<{ readonly events: readonly object[]; readonly unread: number }> {
  const path = join(folder, 'events.ndjson.gz');
  writeFileSync(path, content);
  const events: object[] = [];
  return { unread: await readEventLines(path, (event) => events.push(event)), events };
}

const one = { counter: 1, stdout: 'größer "} \u2028' };
const two = { counter: 2, stdout: 'x' };

test('what the server wrote is read as it was written', async () => {
  const text = `${await line(one)}${await line(two)}`;
  expect(await seen(gzipSync(text))).toMatchObject({
    events: [one, two].map((each) => ({ ...each })),
    unread: 0,
  });
});

test('a line that was changed, or lost its checksum, is counted and not read', async () => {
  const text = `${await line(one)}${(await line(two)).replace('"x"', '"y"')}{"counter":3}\n`;
  expect(await seen(gzipSync(text))).toMatchObject({ events: [one], unread: 2 });
});

test('a record of before there were checksums is read', async () => {
  expect(await seen(gzipSync('{"counter":1}\n{"counter":2}\n'))).toMatchObject({
    events: [{}, {}],
    unread: 0,
  });
});

test('a line that no memory holds is counted, and what follows it is read', async () => {
  const zeros = gzipSync(Buffer.alloc(100 * 2 ** 20));
  const packed = [
    gzipSync('{"counter":1}\n'),
    ...Array<Buffer>(6).fill(zeros),
    gzipSync('\n{"counter":2}\n'),
  ];
  expect(await seen(Buffer.concat(packed))).toEqual({ events: [{ counter: 1 }, { counter: 2 }], unread: 1 });
}, 60_000);

test('numbers that JSON does not know are texts', async () => {
  const event = {
    event: 'runner_on_ok',
    event_data: { host: 'a', res: { some: [[1.5, 'NaN', '-Infinity']] } },
  };
  const stats = {
    event: 'playbook_on_stats',
    event_data: { artifact_data: { drill: { longest: 'Infinity' } } },
  };
  const written = python(
    'from playsmith.history.events import line_of\nfrom playsmith.execution.secret import Scrubber',
    'line_of(Scrubber([]).scrub(json.loads(it))).decode()',
  );
  const bare = (each: object): string => JSON.stringify(each).replaceAll(/"(NaN|-?Infinity)"/g, '$1');
  const text = `${(await written.ask(bare(event))) as string}${(await written.ask(bare(stats))) as string}`;
  written.close();
  expect(await seen(gzipSync(text))).toMatchObject({ events: [event, stats], unread: 0 });
});

test('a copy that ends too early gives what came before', async () => {
  const many = Array.from(
    { length: 5000 },
    (_, counter) => `{"counter":${counter},"of":"${Math.random()}"}\n`,
  ).join('');
  const packed = gzipSync(many);
  const { events, unread } = await seen(packed.subarray(0, packed.length / 2));
  expect(events.length).toBeGreaterThan(100);
  expect(unread).toBeGreaterThan(0);
});
