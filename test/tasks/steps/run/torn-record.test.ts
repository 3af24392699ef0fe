import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localTransport } from '../../../../tasks/runtime/local-transport.ts';
import { Server } from '../../../../tasks/runtime/server.ts';
import { localLog, localRecords } from '../../../../tasks/steps/run/record.ts';
import { log } from '../../../../tasks/steps/run/runs.ts';
import { recordOf } from '../../../support/definitions/reports.ts';

let root: string;
let server: Server;
const run = '20260101T000000Z-site-0a1b';
const line = (stdout: string): string => `${JSON.stringify({ counter: 1, event: 'verbose', stdout })}\n`;
const torn = `${line('first')}${'\0'.repeat(64)}\n[]\n{"counter": 2, "std\n${line('last')}`;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'playsmith-torn-'));
  server = new Server(localTransport(), join(root, 'server'), () =>
    Promise.reject(new Error('once is enough')),
  );
});

afterEach(async () => {
  await server.close();
  await rm(root, { recursive: true });
});

describe('what a power cut left of a run', () => {
  test('is told by the server without the lines that are none', async () => {
    const folder = join(root, 'server/runs/c', run);
    await mkdir(folder, { recursive: true });
    const record = {
      run,
      cluster: 'c',
      status: 'successful',
      ended: 'then',
      playbook: 'site.yml',
      options: {},
    };
    await writeFile(join(folder, 'record.json'), JSON.stringify(record));
    await writeFile(join(folder, 'events.ndjson'), torn);
    const printed: string[] = [];
    const told = await log(server, { cluster: 'c', run, print: (text) => printed.push(text) });
    expect(told).toMatchObject({ ok: true });
    expect(printed.join('')).toMatch(/^first\s*last\s*\(3 lines [^\n]* cannot be read\)\s*$/);
  });

  test.each([
    [{}, '(the events of this run are gone from the Ansible server)'],
    [{ eventsLost: 3 }, '(3 events of this run did not get onto the disk of the Ansible server)'],
  ])('is told by the server where there is nothing, with %j', async (more, says) => {
    const folder = join(root, 'server/runs/c', run);
    await mkdir(folder, { recursive: true });
    const record = { run, cluster: 'c', status: 'failed', ended: 'then', playbook: 'site.yml', options: {} };
    await writeFile(join(folder, 'record.json'), JSON.stringify({ ...record, ...more }));
    if ('eventsLost' in more) await writeFile(join(folder, 'events.ndjson'), '');
    const printed: string[] = [];
    await log(server, { cluster: 'c', run, print: (text) => printed.push(text) });
    expect(printed.join('')).toBe(`${says}\n`);
  });

  test('is told from the copy here without the lines that are none', async () => {
    const folder = join(root, 'runs/c', run);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'events.ndjson.gz'), gzipSync(torn));
    expect(await localLog(root, 'c', run)).toBe(
      "first\nlast\n(3 lines of this run's events cannot be read)\n",
    );
  });

  test.each(['{}', '[]', '{"run": "x", "ended": null}', '{"run": "x", "ended": "then"}', '{"ru'])(
    'is told as unreadable in the list of the server when its record is %s, and hides no other',
    async (text) => {
      const other = run.replace('0a1b', '0a1c');
      const whole = JSON.stringify(recordOf({ hosts: 1, tasks: 1 }, { run: other, cluster: 'c' }));
      for (const [name, content] of [
        [run, text],
        [other, whole],
      ] as const) {
        await mkdir(join(root, 'server/runs/c', name), { recursive: true });
        await writeFile(join(root, 'server/runs/c', name, 'record.json'), content);
      }
      const told = await server.agent().ask('list', { cluster: 'c', limit: 5 });
      expect(told).toMatchObject({
        ok: true,
        value: { runs: [{ run: other }], unreadable: [join(root, 'server/runs/c', run)] },
      });
    },
  );

  test('hides no other record that lies here', async () => {
    for (const [name, text] of [
      ['1', '{"run": "1", "sta'],
      ['2', '{}'],
      ['3', 'null'],
      ['4', '{"run": "4"}'],
      ['5', '{"run": "5", "recap": 7, "ended": []}'],
      ['6', '{"run": "6", "meta": "Ada"}'],
    ] as const) {
      await mkdir(join(root, 'runs/c', name), { recursive: true });
      await writeFile(join(root, 'runs/c', name, 'record.json'), text);
    }
    expect((await localRecords(root, 'c')).map((record) => record.run)).toEqual(['4']);
  });
});
