import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { importTask } from '../../../tasks/commands/define/import.ts';
import type { Event } from '../../../tasks/runtime/events.ts';
import { program } from '../../../tasks/runtime/program.ts';
import type { World } from '../../../tasks/runtime/world.ts';
import type { Outcome } from '../../../tasks/task.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/import');
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playsmith-import-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

interface Done {
  readonly outcome: Outcome;
  readonly printed: readonly string[];
  readonly told: string;
}

/** What the task does in an empty folder. */
async function imported(values: Readonly<Record<string, unknown>>, json = false): Promise<Done> {
  const printed: string[] = [];
  const events: Event[] = [];
  const world: World = {
    cwd: folder,
    report: (event) => events.push(event),
    print: (text) => printed.push(text),
    json,
    isTerminal: false,
    ask: () => Promise.resolve(undefined),
    commandLine: [],
  };
  const given = {
    file: 'cluster.yml',
    name: '',
    vip: '',
    'node-subnet': '',
    'ansible-server': '',
    user: '',
    kubernetes: '',
    fix: false,
    draft: false,
    force: false,
  };
  const outcome = await importTask.run({ ...given, ...values } as never, world);
  return { outcome, printed, told: events.map((event) => ('text' in event ? event.text : '')).join('\n') };
}

const written = (): string => readFileSync(join(folder, 'cluster.yml'), 'utf8');

describe('npx task import', () => {
  test.each([
    [{ kind: 'kubespray', sources: ['x'], kubeconfig: 'k' }, 'for no other kind'],
    [{ kind: 'cluster', sources: ['x'], kubeconfig: 'k' }, 'stands for all sources'],
    [{ kind: 'cluster', sources: [] }, '--kubeconfig reads a running cluster'],
    [{ kind: 'hosts', sources: [] }, 'hosts has no sources'],
  ])('refuses sources that do not go together: %j', async (values, words) => {
    const { outcome } = await imported(values);
    expect(outcome).toMatchObject({
      failure: { kind: 'usage', message: expect.stringContaining(words) as string },
    });
  });

  test('says what to do where there is no kubectl', async () => {
    const path = process.env['PATH'];
    // zx looks for a shell when the first program starts, and keeps it.
    await program(['true']);
    process.env['PATH'] = folder;
    const { outcome } = await imported({ kind: 'cluster', sources: [], kubeconfig: 'k' });
    process.env['PATH'] = path;
    expect(outcome).toMatchObject({
      failure: { kind: 'connection', next: expect.stringContaining('Install kubectl') as string },
    });
  });

  test('reads a folder, writes a definition and tells what was assumed and what to set', async () => {
    const { outcome, told } = await imported({
      kind: 'kubespray',
      sources: [join(fixtures, 'kubespray/current')],
    });
    expect(outcome.ok).toBe(true);
    expect(written()).toContain('- { name: worker75, roles: [worker], address: 10.10.0.75');
    expect(told).toContain('assumed: this machine is the Ansible server');
    expect(told).toContain(
      'set SSH_PASSWORD before a run: the login password of master229, master228, master230',
    );
    expect(told).toContain('cluster.yml written');
  });

  test('leaves a file alone that is there', async () => {
    writeFileSync(join(folder, 'cluster.yml'), 'mine');
    const words = { kind: 'hosts', sources: ['10.0.0.11'], user: 'ops' };
    expect((await imported(words)).outcome).toMatchObject({ failure: { kind: 'file' } });
    expect(written()).toBe('mine');
    const { outcome, told } = await imported({ ...words, force: true });
    expect(outcome.ok).toBe(true);
    expect(told).toContain('what was in cluster.yml is kept as cluster.yml.1');
    expect(readFileSync(join(folder, 'cluster.yml.1'), 'utf8')).toBe('mine');
  });

  test('tells the problems of a draft also where a file is in its way', async () => {
    writeFileSync(join(folder, 'cluster.yml'), 'mine');
    const words = { kind: 'hosts', sources: ['10.0.0.11-13'], user: 'ops', draft: true };
    expect((await imported(words)).outcome).toMatchObject({
      failure: {
        kind: 'definition',
        message:
          '1 problem; cluster.yml is there already, and no draft was written: choose another --file, or give --force, which keeps what is there beside it',
        report: expect.stringContaining('Fix: --vip 192.0.2.80/24') as unknown,
      },
    });
    expect(written()).toBe('mine');
  });

  test('loses nothing that was edited in a draft, however often it is written anew', async () => {
    const words = { kind: 'hosts', sources: ['10.0.0.11-13'], user: 'ops', draft: true, force: true };
    await imported(words);
    const first = written();
    const again = await imported(words);
    expect(again.told).not.toContain('is kept');
    for (const edit of ['# mine\n', '# mine too\n']) {
      writeFileSync(join(folder, 'cluster.yml'), first + edit);
      const { outcome, told } = await imported(words);
      expect(outcome).toMatchObject({ failure: { kind: 'definition', message: '1 problem' } });
      expect(told).toContain('what was in cluster.yml is kept as cluster.yml.');
      expect(written()).toBe(first);
    }
    expect(readFileSync(join(folder, 'cluster.yml.1'), 'utf8')).toBe(`${first}# mine\n`);
    expect(readFileSync(join(folder, 'cluster.yml.2'), 'utf8')).toBe(`${first}# mine too\n`);
  });

  test('says that a draft could not be written, and its problems', async () => {
    const words = { kind: 'hosts', sources: ['10.0.0.11-13'], user: 'ops', draft: true };
    const { outcome } = await imported({ ...words, file: 'nowhere/cluster.yml' });
    expect(outcome).toMatchObject({
      failure: {
        kind: 'definition',
        message: expect.stringMatching(/^1 problem; there is no folder for .*nothing was written/) as unknown,
        report: expect.stringContaining('Fix: --vip 192.0.2.80/24') as unknown,
      },
    });
  });

  test('writes nothing where something is missing, but a draft if that is asked for', async () => {
    const words = { kind: 'hosts', sources: ['10.0.0.11-13'], user: 'ops' };
    const { outcome } = await imported(words);
    expect(outcome).toMatchObject({
      failure: {
        kind: 'definition',
        report: expect.stringContaining('Fix: --vip 192.0.2.80/24') as unknown,
      },
    });
    expect(written).toThrow();
    await imported({ ...words, draft: true });
    expect(written()).toContain('address: 10.0.0.13');
  });

  test('prints for programs what it did', async () => {
    const { printed } = await imported({ kind: 'hosts', sources: ['10.0.0.11'], user: 'ops' }, true);
    expect(JSON.parse(printed[0] ?? '')).toMatchObject({ file: 'cluster.yml', secrets: [], kept: [] });
  });

  test('prints the command for an operation of Tacker', async () => {
    const of = (name: string): string => join(fixtures, 'tacker/kubespray', `${name}.json`);
    await imported({ kind: 'tacker', sources: [of('request'), of('heat')], name: 'edge' });
    const { printed } = await imported({
      kind: 'tacker',
      sources: [of('instance'), of('heat')],
      operation: of('heal-worker'),
    });
    expect(printed).toEqual(['npx task heal-node worker75']);
  });

  test('names a file that is not there', async () => {
    const { outcome } = await imported({ kind: 'tacker', sources: ['nowhere.json'] });
    expect(outcome).toMatchObject({
      failure: { kind: 'file', message: expect.stringContaining('nowhere.json') as unknown },
    });
  });
});
