import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const sources = ['generators', 'library', 'tasks', 'lab'].flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(room, name)),
);

/** The only tasks that know of the lab. */
const labTasks = [
  'tasks/commands/lab/lab.ts',
  'tasks/commands/lab/lab-demo.ts',
  'tasks/commands/define/init.ts',
];
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

interface Room {
  readonly room: string;
  readonly files: readonly string[];
}

/** Folders of what is written by hand, and the files that lie in each directly. */
const roomsOfSources = (): readonly Room[] =>
  ['generators', 'library', 'tasks', 'lab', 'agent', 'templates', 'test'].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== '__pycache__')
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
      .filter((room) => !/^test\/(?:golden|fixtures)/.test(room))
      .concat(top)
      .map((room) => ({ room, files: filesOf(room) })),
  );

const filesOf = (room: string): readonly string[] =>
  readdirSync(join(root, room), { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [entry.name] : [],
  );

const participle =
  /^(?:[A-Z][a-z]+ed|Begun|Bound|Brought|Built|Done|Found|Given|Gone|Held|Kept|Known|Left|Lost|Made|Meant|Met|Put|Read|Said|Seen|Sent|Set|Shown|Split|Sworn|Taken|Thrown|Told|Understood|Woken|Written)$/;
/** For functions and values, where `read` and `put` tell what is done. */
const participleOfValue =
  /^(?:[a-z]+ed|begun|bound|brought|built|done|found|given|gone|held|kept|known|left|lost|made|meant|met|said|seen|sent|shown|sworn|taken|thrown|told|understood|unknown|woken|written)$/;
/** What ends like a participle and is none; `failed` makes the result of that name. */
const nouns = ['Seed', 'Need', 'Feed', 'Speed', 'feed', 'keepalived', 'failed'];

interface Declaration {
  readonly name: string;
  readonly file: string;
  readonly exported: boolean;
}

/** What files declare outside any function. */
const declared = (keywords: RegExp): readonly Declaration[] =>
  sources.flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        new RegExp(String.raw`^(export )?(?:${keywords.source}) (\w+)\b`, 'gm'),
      ),
    ].map(([, exported, name = '']) => ({ name, file, exported: exported !== undefined })),
  );

const declaredTypes = (): readonly Declaration[] => declared(/interface|type/);
const declaredValues = (): readonly Declaration[] => declared(/(?:async )?function|const|let/);

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

  test('the library takes generators alone', () => {
    const wrong = sources
      .filter((file) => file.startsWith('library/'))
      .flatMap((file) =>
        localImportsOf(file)
          .filter((target) => !/^(?:generators|library)\//.test(target))
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

  test('a file imports its own room, or one on a lower floor', () => {
    const wrong = sources.flatMap((file) =>
      localImportsOf(file)
        .filter((target) => !isBelow(target, file))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('the facts of the catalog know nothing but facts and types', () => {
    const wrong = sources
      .filter((file) => file.startsWith('generators/catalog/'))
      .flatMap(localImportsOf)
      .filter((target) => !/^generators\/(?:catalog|cluster)\//.test(target));
    expect(wrong).toEqual([]);
  });

  test('only the record of a kind asks of which kind a cluster is', () => {
    const asking = sources.filter(
      (file) =>
        file.startsWith('generators/') &&
        !/^generators\/(?:kinds|phases\/(?:fleet|openstack-ansible))\//.test(file) &&
        /\b(?:osa|fleet) [!=]== undefined|\b(?:osa|fleet) \?/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(asking).toEqual([]);
  });

  test('no room is crowded', () => {
    const crowded = roomsOfSources().filter(({ files }) => files.length > 25);
    expect(crowded.map(({ room, files }) => `${room}: ${files.length} files`)).toEqual([]);
  });

  test('no file stands beside a folder of its name, so a room has one door', () => {
    const rooms = new Set(roomsOfSources().map(({ room }) => room));
    const twins = roomsOfSources().flatMap(({ room, files }) =>
      files
        .map((file) => join(room, file))
        .filter((path) => rooms.has(path.replace(/(?:\.test)?\.\w+$/, ''))),
    );
    expect(twins).toEqual([]);
  });

  test('no two types that others import are called alike', () => {
    // The library's are what users import: they have the shortest names, and nothing here imports them.
    const all = declaredTypes().filter(({ exported, file }) => exported && !file.startsWith('library/'));
    const twice = all.filter((one) => all.some(({ name, file }) => name === one.name && file !== one.file));
    expect(twice.map(({ name, file }) => `${file}: ${name}`)).toEqual([]);
  });

  test('no type is called by a participle alone, which says when and not what', () => {
    const wrong = declaredTypes().filter(({ name }) => participle.test(name) && !nouns.includes(name));
    expect(wrong.map(({ name, file }) => `${file}: ${name}`)).toEqual([]);
  });

  test('no function and no value of a file is called by a participle alone either', () => {
    const wrong = declaredValues().filter(
      ({ name }) => participleOfValue.test(name) && !nouns.includes(name),
    );
    expect(wrong.map(({ name, file }) => `${file}: ${name}`)).toEqual([]);
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

/**
 * The floors, lowest first: rooms, and the files that lie in none. A file imports its own room or a lower floor; files of
 * one floor may import one another, and the rooms beside them; rooms of one floor may not.
 */
const generatorFloors: readonly (readonly string[])[] = [
  ['cluster'],
  [
    'digest.ts',
    'engine.ts',
    'markdown.ts',
    'result.ts',
    'shape.ts',
    'yaml.ts',
    'compact-json.ts',
    'rendered-file.ts',
    'data-file.ts',
  ],
  ['source'],
  ['catalog'],
  ['definition'],
  ['resolve'],
  ['outline'],
  ['phases'],
  ['operations'],
  ['topology'],
  ['kinds'],
  ['load.ts', 'playbooks.ts', 'readme.ts', 'collection.ts', 'render.ts', 'bundle.ts', 'definition-digest.ts'],
  ['plan'],
  ['report'],
  ['diff'],
  ['import', 'artifacts', 'update'],
];

/** What is not named is the command line itself, above all of it. */
const taskFloors: readonly (readonly string[])[] = [
  ['runtime'],
  ['steps'],
  ['pipeline.ts'],
  ['apply', 'artifacts', 'drift', 'import', 'report', 'review', 'schedule', 'update'],
  ['fleet'],
  ['overview', 'task.ts'],
  ['commands'],
];

const roomOf = (file: string): string => file.split('/')[1] ?? '';
function floorOf(file: string): number {
  const floors = file.startsWith('tasks/') ? taskFloors : generatorFloors;
  const floor = floors.findIndex((rooms) => rooms.includes(roomOf(file)));
  return floor < 0 && /^tasks\/[a-z-]+\.ts$/.test(file) ? floors.length : floor;
}

const roomsOf = (file: string): string => file.split('/')[0] ?? '';

/** Whether `target` lies where `file` may import it from; a room without a floor is nowhere. */
function isBelow(target: string, file: string): boolean {
  if (/^(?:lab|library)\//.test(file) || roomsOf(file) !== roomsOf(target)) return true;
  const isOneFloor =
    floorOf(target) === floorOf(file) && [target, file].some((each) => roomOf(each).endsWith('.ts'));
  return (
    floorOf(target) >= 0 && (roomOf(target) === roomOf(file) || isOneFloor || floorOf(target) < floorOf(file))
  );
}

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
