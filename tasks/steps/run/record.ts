import { closeSync, existsSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { RunRecord } from '../../runtime/agent/run-records.ts';
import { partsOfRecord } from '../../runtime/agent/shapes.ts';
import { readEventLines } from '../../runtime/event-lines.ts';
import type { Failure } from '../../runtime/failures.ts';
import { createFolder } from '../../runtime/folders.ts';
import type { Server } from '../../runtime/server.ts';
import { endless } from '../../runtime/transport.ts';
import { flushFolder, replaceDurably } from '../definition/durable.ts';

export interface RecordRequest {
  readonly cluster: string;
  /** Empty: the latest. */
  readonly run: string;
  /** The git-ignored folder, like `.playsmith`. */
  readonly folder: string;
}

/** Copies record and events of a run to `<folder>/runs/<cluster>/<run>/`, whole or not at all. */
export async function fetchRecord(
  server: Server,
  { cluster, run, folder }: RecordRequest,
  most = mostOfEvents,
): Promise<Result<{ readonly record: RunRecord; readonly path: string }, Failure>> {
  const parent = join(folder, 'runs', cluster);
  let partial = '';
  try {
    createFolder(parent);
    partial = await mkdtemp(join(parent, '.partial-'));
    const record = await receive(server, { cluster, run, folder: partial }, most);
    if (!record.ok) return record;
    if (!isFolderName(record.value.run)) return failed(foreignRecord(server.name, record.value.run));
    if (run !== '' && record.value.run !== run) return failed(otherRun(server.name, record.value.run, run));
    const path = join(parent, record.value.run);
    const old = `${partial}.old`;
    // A copy that is there stays until the new one has its name.
    if (existsSync(path)) await rename(path, old);
    await rename(partial, path);
    await flushFolder(parent);
    await rm(old, { recursive: true, force: true });
    return ok({ record: record.value, path });
  } catch (error) {
    return failed({
      kind: 'file',
      message: `Cannot keep the record in ${parent}: ${(error as Error).message}`,
    });
  } finally {
    if (partial !== '') await rm(partial, { recursive: true, force: true });
  }
}

/** Writes each piece as it comes. */
async function receive(
  server: Server,
  { cluster, run, folder }: RecordRequest,
  most: number,
): Promise<Result<RunRecord, Failure>> {
  const events = openSync(join(folder, 'events.ndjson.gz'), 'wx', 0o600);
  try {
    let size = 0;
    const agent = server.agent();
    const record = await agent.ask('record', { cluster, run }, (event) => {
      if (!('data' in event)) return;
      const piece = Buffer.from(event.data, 'base64');
      size += piece.length;
      if (size > most) agent.close();
      else writeSync(events, piece);
    });
    if (size > most) return failed(endless(server.name));
    fsyncSync(events);
    if (record.ok)
      await replaceDurably(join(folder, 'record.json'), `${JSON.stringify(record.value, null, 2)}\n`, 0o600);
    return record;
  } finally {
    closeSync(events);
  }
}

/** Bytes of the events of a run, compressed, of which a day of work has a few millions. A server could give without an end. */
const mostOfEvents = 2 ** 30;

/** The name comes from the server, and what has that name here is replaced. */
const isFolderName = (run: unknown): boolean => typeof run === 'string' && /^\w[\w.-]*$/.test(run);

const foreignRecord = (server: string, run: unknown): Failure => ({
  kind: 'server',
  message: `${server} gives a run a name that is none; nothing was copied`,
  evidence: String(run),
  next: 'Look at what runs there: it is not what Playsmith started',
});

/** What is asked for here would be replaced by what nobody asked for. */
export const otherRun = (server: string, told: string, asked: string): Failure => ({
  kind: 'server',
  message: `${server} was asked about the run ${asked}, and answers about ${told}; nothing was kept`,
  evidence: '',
  next: 'Look at what answers there: it is not what Playsmith sent',
});

/** The copies that lie here, the latest last. */
export async function localRecords(folder: string, cluster: string): Promise<RunRecord[]> {
  const parent = join(folder, 'runs', cluster);
  const names = (await readdir(parent).catch(() => [])).filter((name) => !name.startsWith('.')).sort();
  const texts = await Promise.all(
    names.map((name) => readFile(join(parent, name, 'record.json'), 'utf8').catch(() => '')),
  );
  return texts
    .map((text) => parseObject(text) as RunRecord | undefined)
    .filter((record): record is RunRecord => typeof record?.run === 'string' && partsOfRecord(record));
}

/** An object; undefined for what is none, as a file that was cut short. */
function parseObject(text: string): object | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** What Ansible printed in a run whose copy lies here; undefined when there is none. */
export async function localLog(folder: string, cluster: string, run: string): Promise<string | undefined> {
  const path = join(folder, 'runs', cluster, run, 'events.ndjson.gz');
  if (!existsSync(path)) return undefined;
  const printed: string[] = [];
  const unread = await readEventLines(path, ({ stdout }: { readonly stdout?: unknown }) => {
    if (typeof stdout === 'string' && stdout !== '') printed.push(stdout);
  });
  if (unread > 0) printed.push(`(${String(unread)} lines of this run's events cannot be read)`);
  return printed.map((text) => `${text.replaceAll('\r\n', '\n')}\n`).join('');
}
