import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pack } from '../../generators/bundle.ts';
import { render as renderFiles } from '../../generators/render.ts';
import { check, diff, load, plan, render, version, type Cluster } from '../../library/index.ts';
import { packageRoot } from '../../library/package.ts';
import { changed, sound } from '../generators/definition/support.ts';
import { exampleClusters } from '../support/definitions/examples.ts';
import { templates } from '../support/definitions/templates.ts';

const example = readFileSync(join(packageRoot, 'examples/ha-stacked.yml'), 'utf8');

function clusterOf(text: string): Cluster {
  const loaded = load(text);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.cluster;
}

test('the version is that of the package', () => {
  expect(readFileSync(join(packageRoot, 'package.json'), 'utf8')).toContain(`"version": "${version}"`);
});

describe('a definition', () => {
  test('that is sound becomes a cluster, with what of it others may build on', () => {
    const cluster = clusterOf(example);
    expect(cluster.name).toBe('ha-stacked');
    expect(cluster.kubernetes).toMatch(/^\d+\.\d+\.\d+$/);
    expect(cluster.machines.filter(({ isControlPlane }) => isControlPlane)).toHaveLength(3);
    expect(Object.isFrozen(cluster)).toBe(true);
    expect(Object.isFrozen(cluster.machines)).toBe(true);
  });

  test('that is wrong tells every problem with its place, and throws nothing', () => {
    const wrong = changed(['192.0.2.11', '192.0.2.300'], ['roles: [control-plane]', 'roles: [master]']);
    const loaded = load(wrong, { file: 'edge.yml' });
    expect(loaded.ok).toBe(false);
    expect(
      check(wrong, { file: 'edge.yml' }).map(({ severity, file, path }) => [severity, file, path]),
    ).toEqual(
      expect.arrayContaining([
        ['error', 'edge.yml', 'nodes[0].address'],
        ['error', 'edge.yml', 'nodes[0].roles[0]'],
      ]),
    );
    expect(check(sound)).toEqual([]);
    expect(load('{').ok).toBe(false);
  });

  test('tells what is less than ideal once nothing is wrong', () => {
    const unpinned = sound.replaceAll(/,? *hostKey: [^,}\n]+/g, '');
    const severities = (text: string): readonly string[] => check(text).map(({ severity }) => severity);
    expect(severities(unpinned)).toEqual(['warning']);
    expect(severities(unpinned.replace('192.0.2.11', '192.0.2.300'))).toEqual(['error']);
  });

  test('may name files, which are handed in by their paths', () => {
    const text = readFileSync(join(packageRoot, 'examples/cnf.yml'), 'utf8');
    const said = check(text).map(({ message }) => message);
    expect(said.filter((message) => message.includes('was not read'))).not.toEqual([]);
    const folder = join(packageRoot, 'examples');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\/.*\.\w+$/.test(name),
    );
    const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
    expect(check(text, { files }).filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

describe('a bundle', () => {
  test('is what the command line renders, byte for byte', () => {
    const model = exampleClusters.find(({ name }) => name === 'ha-stacked');
    expect(model && pack(model, renderFiles(model, templates))).toEqual(render(clusterOf(example)));
  });

  test('is made only of what load returned', () => {
    expect(() => render({ ...clusterOf(sound) })).toThrow('give the one that load() returned');
  });
});

describe('from one definition to another', () => {
  const before = clusterOf(example);
  const after = clusterOf(example.replace('worker02', 'worker03'));

  test('a plan has the steps and their reasons; bare machines are built first', () => {
    expect(plan(undefined, before).steps.map(({ operation }) => operation)).toEqual(['instantiate']);
    expect(plan(before, before)).toEqual({ steps: [], unneeded: [], refused: [] });
    const steps = plan(before, after).steps.map(({ operation, targets }) =>
      [operation, ...targets].join(' '),
    );
    expect(steps).toContain('scale-out worker03');
    expect(steps).toContain('scale-in worker02');
    const renamed = clusterOf(example.replace('name: ha-stacked', 'name: other'));
    expect(plan(before, renamed).refused.join()).toContain('another name is another cluster');
  });

  test('a kind that has no plan is refused with the reason, as by the command line', () => {
    const fleet = clusterOf(readFileSync(join(packageRoot, 'examples/fleet.yml'), 'utf8'));
    const refused = [expect.stringContaining('kind Fleet has no plan of its own') as string];
    for (const from of [undefined, before, fleet])
      expect(plan(from, fleet)).toEqual({ steps: [], unneeded: [], refused });
    expect(plan(fleet, before).refused).toEqual(refused);
  });

  test('a difference is told in words and as text, or as Markdown for a merge request', () => {
    expect(diff(before, before)).toBe('');
    const text = diff(before, after);
    expect(text).toContain('machine worker03 is added');
    expect(text).toMatch(/^\+.*worker03/m);
    expect(diff(before, after, { format: 'markdown' })).toMatch(
      /^## Cluster ha-stacked: \d+ files of the bundle change/,
    );
  });
});

describe('an argument that is wrong is told, for callers without types', () => {
  const wrong = (call: () => unknown): string => {
    try {
      call();
    } catch (error) {
      if (error instanceof TypeError) return error.message;
      throw error;
    }
    return '';
  };
  const untyped: Readonly<Record<'load' | 'check' | 'diff', (...given: unknown[]) => unknown>> = {
    load: load as (...given: unknown[]) => unknown,
    check: check as (...given: unknown[]) => unknown,
    diff: diff as (...given: unknown[]) => unknown,
  };

  test.each<[string, () => unknown, string]>([
    ['bytes', () => untyped.load(Buffer.from(example)), "a string, not a Buffer: readFileSync(file, 'utf8')"],
    ['nothing', () => untyped.check(), 'a string, not undefined'],
    [
      'a name of a file',
      () => untyped.load(example, 'a.yml'),
      "like { file: 'cluster.yml', files: {} }, not",
    ],
    ['null', () => untyped.load(example, null), 'not null'],
    ['a name that is none', () => untyped.load(example, { file: 5 }), 'not 5'],
    [
      'files that are none',
      () => untyped.load(example, { files: { a: Buffer.from('') } }),
      'files are texts by',
    ],
    ['files as a Map', () => untyped.load(example, { files: new Map([['a', 'b']]) }), 'files are texts by'],
    ['a Map in place of names', () => untyped.load(example, new Map()), 'not a Map'],
    [
      'a format by itself',
      () => untyped.diff(clusterOf(example), clusterOf(example), 'markdown'),
      'like { format: \'markdown\' }, not "markdown"',
    ],
    [
      'no options',
      () => untyped.diff(clusterOf(example), clusterOf(example), null),
      "like { format: 'markdown' }, not null",
    ],
    [
      'a format',
      () => untyped.diff(clusterOf(example), clusterOf(example), { format: 'html' }),
      'format is text or markdown, not "html"',
    ],
    ['a result', () => untyped.diff(load(example), load(example)), 'the one that load() returned'],
  ])('%s', (_, call, told) => {
    expect(wrong(call)).toContain(told);
  });
});
