import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const sources = ['generators', 'tasks', 'lab'].flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(room, name)),
);

/** The only tasks that know of the lab. */
const labTasks = ['tasks/lab.ts', 'tasks/lab-demo.ts', 'tasks/init.ts'];
/** Lowest first; above them stands what the face of the lab offers. */
const labFloors = ['machine', 'images', 'kubernetes', 'state', 'hosts', 'faults', 'client'];

const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import)\s+'([^']+)'/g)].map(
    (match) => match[1] ?? '',
  );

const localImportsOf = (file: string): string[] =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join(dirname(file), name)));

describe('the rooms', () => {
  test('generators import nothing from tasks', () => {
    const wrong = sources
      .filter((file) => file.startsWith('generators/'))
      .flatMap((file) =>
        localImportsOf(file)
          .filter((target) => !target.startsWith('generators/'))
          .map((target) => `${file} → ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  test('the product knows the lab only in its tasks of the lab', () => {
    const wrong = sources
      .filter((file) => file.startsWith('tasks/') && !labTasks.includes(file))
      .flatMap((file) =>
        localImportsOf(file)
          .filter((target) => target.startsWith('lab/'))
          .map((target) => `${file} → ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  test('the lab takes of the product only what is pure, what starts programs and what prepares artifacts', () => {
    const wrong = sources
      .filter((file) => file.startsWith('lab/'))
      .flatMap((file) =>
        localImportsOf(file)
          .filter((target) => !/^(?:lab|generators|tasks\/runtime|tasks\/artifacts)\//.test(target))
          .map((target) => `${file} → ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  test('in the lab a file imports its own floor or a lower one', () => {
    const floorOf = (file: string): number => {
      const floor = labFloors.findIndex((name) => file.startsWith(`lab/${name}/`));
      return floor === -1 ? labFloors.length : floor;
    };
    const wrong = sources
      .filter((file) => file.startsWith('lab/'))
      .flatMap((file) =>
        localImportsOf(file)
          .filter((target) => target.startsWith('lab/') && floorOf(target) > floorOf(file))
          .map((target) => `${file} → ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  test('generators are pure: no disk, network, process or clock', () => {
    const impure =
      /^(?:node:)?(?!crypto$)(?:fs|net|http|https|child_process|os|process|dns|tls|timers|worker_threads|readline)(?:\/|$)|^(?:zx|ssh2|ssh2-sftp-client|yargs)$/;
    const wrong = sources
      .filter((file) => file.startsWith('generators/'))
      .flatMap((file) => [
        ...importsOf(file)
          .filter((name) => impure.test(name))
          .map((name) => `${file} imports ${name}`),
        ...(/\bnew Date\b|\bDate\.now\b|\bprocess\.|\bMath\.random\b/.test(
          readFileSync(join(root, file), 'utf8'),
        )
          ? [`${file} reads the world`]
          : []),
      ]);
    expect(wrong).toEqual([]);
  });

  test('the facts of the catalog import nothing but facts', () => {
    const wrong = sources
      .filter((file) => file.startsWith('generators/catalog/'))
      .flatMap(localImportsOf)
      .filter((target) => !target.startsWith('generators/catalog/'));
    expect(wrong).toEqual([]);
  });

  test('no file imports itself over any way round', () => {
    expect(circles()).toEqual([]);
  });

  test.each([
    'zx',
    'ssh2',
    'ssh2-sftp-client',
    'ansible-vault',
    'handlebars',
    'ssh-config',
    'tar-stream',
    'preact',
    'echarts',
  ])('%s is imported in one place', (name) => {
    const importers = sources.filter((file) =>
      importsOf(file).some((each) => each === name || each.startsWith(`${name}/`)),
    );
    expect(importers.length, importers.join(', ')).toBeLessThanOrEqual(1);
  });

  test('every program of this machine is started with zx, from runtime/program.ts', () => {
    const starting = (name: string): readonly string[] =>
      sources.filter((file) => importsOf(file).some((each) => each.replace('node:', '') === name));
    expect(starting('child_process')).toEqual([]);
    expect(starting('zx/core')).toEqual(['tasks/runtime/program.ts']);
  });

  test('only cli.ts exits, and only the world and the reporters write', () => {
    const exits = sources.filter((file) =>
      /process\.exit(?:Code)?\b/.test(readFileSync(join(root, file), 'utf8')),
    );
    const writers = sources.filter((file) =>
      /process\.std(?:out|err)\b/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(exits).toEqual(['tasks/cli.ts']);
    expect(writers.sort()).toEqual(['tasks/cli.ts', 'tasks/runtime/reporters.ts', 'tasks/runtime/world.ts']);
  });
});

/** Circles of imports as `a → b → a`; types count too, since they tie rooms together just as well. */
function circles(): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) found.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
    else if (!done.has(file)) {
      for (const next of localImportsOf(file)) walk(next, [...trail, file]);
      done.add(file);
    }
  };
  for (const file of sources) walk(file, []);
  return found;
}
