import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { summaries } from '../../../tasks/overview/summaries.ts';
import { packageRoot } from '../../../library/package.ts';
import { contents } from '../../support/server/ansible-server.ts';

let project: string;
let installed: string;

/** A project of a user with nothing but what `npm install` of the packed file would bring. */
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'playsmith-installed-'));
  writeFileSync(join(project, 'package.json'), '{ "name": "ours", "type": "module", "private": true }\n');
  installed = join(project, 'node_modules', 'playsmith');
  mkdirSync(installed, { recursive: true });
  const packed = ended(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', project],
    packageRoot,
  );
  const [{ filename = '' } = {}] = JSON.parse(packed) as readonly { readonly filename?: string }[];
  ended('tar', ['-xzf', join(project, filename), '--strip-components=1', '-C', installed], project);
  const needed = ended('npm', ['ls', '--omit=dev', '--all', '--parseable'], packageRoot).trim().split('\n');
  for (const folder of needed.filter((path) => path.includes('node_modules')))
    cpSync(folder, join(project, relative(packageRoot, folder)), { recursive: true });
  mkdirSync(join(project, 'node_modules', '.bin'));
  const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    readonly bin: Readonly<Record<string, string>>;
  };
  for (const [name, path] of Object.entries(bin))
    symlinkSync(join(installed, path), join(project, 'node_modules', '.bin', name));
});

afterAll(() => {
  rmSync(project, { recursive: true });
});

function ended(program: string, words: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' });
  expect({ program, words, status, stderr }).toMatchObject({ status: 0 });
  return stdout + stderr;
}

/** Path below the folder → text. */
const below = (folder: string): ReadonlyMap<string, string> =>
  new Map([...contents(folder)].map(([path, text]) => [relative(folder, path), text]));

const task = (...words: readonly string[]): string =>
  ended(join(project, 'node_modules', '.bin', 'task'), words, project);

describe('a project with the packed package', () => {
  test('has the command, which renders what the repository has, byte for byte', () => {
    task('render', '--quiet', '--file', join('node_modules/playsmith/examples/ha-stacked.yml'));
    expect(below(join(project, 'playbooks/ha-stacked'))).toEqual(
      below(join(packageRoot, 'playbooks/ha-stacked')),
    );
    expect(task('--help')).toContain('One cluster definition');
  });

  test('makes a definition, and checks it', () => {
    task('init', 'edge-a', '--profile', 'ha-stacked', '--vip', '192.0.2.80/24', '--quiet');
    expect(readFileSync(join(project, 'cluster.yml'), 'utf8')).toContain('name: edge-a');
    expect(task('check', '--file', 'node_modules/playsmith/examples/ha-stacked.yml')).toContain(
      'no problems',
    );
  });

  test.each(['agent', 'templates', 'collection/plugins', 'lab/files', 'schema', 'docs', 'examples'])(
    'has every file of %s',
    (room) => {
      const known = ended('git', ['ls-files', room], packageRoot).trim().split('\n');
      const lacking = known.filter(
        (path) => existsSync(join(packageRoot, path)) && !existsSync(join(installed, path)),
      );
      expect(lacking).toEqual([]);
    },
  );

  test('has a page for man, which names every task and of which groff has nothing to say', () => {
    const page = join(installed, 'dist/playsmith.1');
    const { man } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      readonly man: string;
    };
    expect(join(installed, man)).toBe(page);
    const shown = spawnSync('groff', ['-man', '-Tascii', '-P-cbou', '-ww', page], { encoding: 'utf8' });
    expect(shown).toMatchObject({ status: 0, stderr: '' });
    for (const name of Object.keys(summaries)) expect(shown.stdout).toMatch(new RegExp(`^ +${name}\\b`, 'm'));
    for (const word of ['NAME', 'EXIT STATUS', 'ENVIRONMENT', 'FILES', 'PLAYSMITH_CACHE', '--check'])
      expect(shown.stdout).toContain(word);
    expect(task('help', 'man')).toBe(readFileSync(page, 'utf8'));
  });

  test.each(['task', 'playsmith'])('completes what follows %s in bash', (name) => {
    const script = join(installed, `dist/completions/${name}.bash`);
    const asked = `. ${script}; COMP_WORDS=(${name} rend); COMP_CWORD=1; _${name}_yargs_completions; echo "\${COMPREPLY[@]}"`;
    const path = `${join(project, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`;
    const { stdout } = spawnSync('bash', ['-c', asked], {
      encoding: 'utf8',
      env: { PATH: path, SHELL: '/bin/bash' },
    });
    expect(stdout.trim()).toBe('render');
  });

  test('has no tests, and no sources in TypeScript but types', () => {
    const files = [...below(installed).keys()];
    expect(files.filter((path) => path.startsWith('test/') || /(?<!\.d)\.ts$/.test(path))).toEqual([]);
  });
});

describe('the library in it', () => {
  const page = readFileSync(join(packageRoot, 'docs/library.md'), 'utf8');
  const examples = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, text = '']) => text);

  test('has types of its own alone, with which the examples of its page compile', () => {
    const files = examples.map((text, index) => {
      const file = join(project, `example-${index}.ts`);
      writeFileSync(file, text);
      return file;
    });
    const program = ts.createProgram(files, {
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      types: ['node'],
      typeRoots: [join(packageRoot, 'node_modules/@types')],
    });
    const said = ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    expect(said).toEqual([]);
    const ours = program.getSourceFiles().map(({ fileName }) => relative(installed, fileName));
    expect(ours.filter((path) => !path.startsWith('..'))).toEqual(['dist/library/index.d.ts']);
  });

  test('runs as the page says: the first example writes the bundle', () => {
    const { outputText } = ts.transpileModule(examples[0] ?? '', {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
    });
    const folder = join(project, 'portal');
    mkdirSync(folder);
    cpSync(join(installed, 'examples/ha-stacked.yml'), join(folder, 'cluster.yml'));
    writeFileSync(join(folder, 'render.js'), outputText);
    expect(ended(process.execPath, ['render.js'], folder)).toMatch(/^\d+ files, [0-9a-f]{64}$/m);
    expect(below(join(folder, 'playbooks/ha-stacked'))).toEqual(
      below(join(packageRoot, 'playbooks/ha-stacked')),
    );
  });

  test('has one door', () => {
    const program = `import('playsmith/dist/tasks/cli.js').catch((error) => console.log(error.code))`;
    expect(ended(process.execPath, ['--input-type=module', '--eval', program], project)).toContain(
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    );
    expect(
      dirname(
        ended(
          process.execPath,
          ['--print', "require.resolve('playsmith/schema/cluster.schema.json')"],
          project,
        ),
      ),
    ).toBe(join(installed, 'schema'));
  });
});
