import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ansible, type Answer } from '../support/server/ansible.ts';
import { bundleFolder } from '../support/definitions/bundle-folder.ts';
import { collectionFor } from '../support/collection.ts';
import { runModule, type ModuleResult } from '../support/module.ts';

const isRoot = process.getuid?.() === 0;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playsmith-host-files-'));
  bundleFolder(collectionFor(['files']), folder);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

interface Wanted {
  readonly path: string;
  readonly content?: string;
  readonly mode?: string;
}

/** Runs the module as a playbook of the bundle would, on this machine, below `folder/host`. */
async function settle(files: readonly Wanted[], ...words: readonly string[]): Promise<Answer> {
  const task = { name: 'Write', 'playsmith.host.files': { root: join(folder, 'host'), files } };
  const play = { name: 'Files', hosts: 'localhost', connection: 'local', gather_facts: false, tasks: [task] };
  await writeFile(join(folder, 'files.yml'), JSON.stringify([play]));
  return ansible(folder, ['ansible-playbook', '-i', 'localhost,', 'files.yml', ...words]);
}

const text = (path: string): Promise<string> => readFile(join(folder, 'host', path), 'utf8');
const mode = async (path: string): Promise<string> =>
  ((await stat(join(folder, 'host', path))).mode & 0o7777).toString(8);

describe.skipIf(!isRoot)(
  'the module that writes files (it needs root, since files become those of root)',
  () => {
    const wanted = [
      { path: 'etc/a.conf', content: 'one\n' },
      { path: 'usr/lib/b', content: '#!/bin/sh\n', mode: '0755' },
    ];

    test('makes folders and files, and nothing the second time', async () => {
      const first = await settle(wanted);
      expect(first.stdout, first.stderr).toContain('changed=1');
      expect([await text('etc/a.conf'), await mode('etc/a.conf')]).toEqual(['one\n', '644']);
      expect([await text('usr/lib/b'), await mode('usr/lib/b')]).toEqual(['#!/bin/sh\n', '755']);
      expect(await mode('usr/lib')).toBe('755');
      expect((await settle(wanted)).stdout).toContain('changed=0');
    });

    test('shows in check mode what it would write, and writes nothing', async () => {
      await settle(wanted);
      const changed = [{ path: 'etc/a.conf', content: 'two\n' }, ...wanted.slice(1)];
      const { stdout } = await settle(changed, '--check', '--diff');
      expect(stdout).toContain('-one\n+two\n');
      expect(stdout).toContain('changed=1');
      expect(await text('etc/a.conf')).toBe('one\n');
    });

    test('gives a file its mode back, and writes through a link', async () => {
      await settle(wanted);
      await chmod(join(folder, 'host/etc/a.conf'), 0o600);
      await symlink('a.conf', join(folder, 'host/etc/link.conf'));
      const ended = await settle([...wanted, { path: 'etc/link.conf', content: 'one\n' }]);
      expect(ended.stdout).toContain('changed=1');
      expect(await mode('etc/a.conf')).toBe('644');
    });

    test('takes away a file without content, in check mode only says so', async () => {
      await settle(wanted);
      const gone = [{ path: 'etc/a.conf' }, ...wanted.slice(1)];
      const told = await settle(gone, '--check', '--diff');
      expect(told.stdout).toContain('-one\n');
      expect(told.stdout).toContain('changed=1');
      expect(await text('etc/a.conf')).toBe('one\n');
      expect((await settle(gone)).stdout).toContain('changed=1');
      await expect(text('etc/a.conf')).rejects.toThrow('ENOENT');
      expect((await settle(gone)).stdout).toContain('changed=0');
    });

    test('says which path it cannot write, and leaves no half file', async () => {
      await mkdir(join(folder, 'host/etc/a.conf'), { recursive: true });
      const { status, stdout } = await settle(wanted);
      expect(status).toBe(2);
      expect(stdout).toContain(`${join(folder, 'host/etc/a.conf')}: Is a directory`);
    });

    describe('with a program that brings what runs to what the files say', () => {
      /** It brings a file beside it, which stands for what runs, and says so. */
      const script = `#!/bin/sh
cd "$(dirname "$0")" || exit
[ -e broken ] && { echo "no route to there" >&2; exit 3; }
cmp -s table running && exit
echo "bring $(cat table)"
[ "$1" = --dry-run ] || cp table running
`;
      const files = (table: string): readonly Wanted[] => [
        { path: 'bring', content: script, mode: '0755' },
        { path: 'table', content: table },
      ];
      const bring = (table: string, isCheck = false): ModuleResult => {
        const [root, program] = [join(folder, 'host'), join(folder, 'host/bring')];
        return runModule('files', { root, program, files: files(table) }, { isCheck }).result;
      };

      test('calls it once the files are there, and tells what it changed', async () => {
        expect(bring('one')).toMatchObject({ changed: true, lines: ['bring one'] });
        expect(await text('running')).toBe('one');
        expect(bring('one')).toMatchObject({ changed: false, lines: [], paths: [] });
        await writeFile(join(folder, 'host/running'), 'other');
        expect(bring('one')).toMatchObject({ changed: true, lines: ['bring one'], paths: [] });
        expect(await text('running')).toBe('one');
      });

      test('has it say in check mode what it would change, where no file differs', async () => {
        bring('one');
        await writeFile(join(folder, 'host/running'), 'other');
        expect(bring('one', true)).toMatchObject({ changed: true, lines: ['bring one'] });
        expect(bring('two', true)).toMatchObject({ changed: true, lines: [] });
        expect(await text('running')).toBe('other');
      });

      test('fails with what it says', async () => {
        bring('one');
        await writeFile(join(folder, 'host/broken'), '');
        expect(bring('one')).toMatchObject({ failed: true, msg: 'no route to there', rc: 3 });
      });
    });
  },
);
