import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { showProblems } from '../../../generators/source/problems.ts';
import { load } from '../../../generators/load.ts';
import { filesBeside } from '../../support/definitions/files-beside.ts';
import { loaded, sound } from './support.ts';

const examples = join(import.meta.dirname, '../../../examples');
const full = readFileSync(join(examples, 'full.yml'), 'utf8');
const files = filesBeside(full, examples);

/** Loads, shows what there is to show, and checks that every place is in the text. */
function survive(text: string): Cluster | undefined {
  const result = load(text, 'cluster.yml', files);
  const faults = result.ok ? result.value.warnings : result.failure;
  if (!result.ok) expect(faults.length).toBeGreaterThan(0);
  const lines = text.split(/\n/).length + 1;
  for (const { line, column, length } of faults) {
    expect(line).toBeGreaterThan(0);
    expect(line).toBeLessThanOrEqual(lines);
    expect(column).toBeGreaterThan(0);
    expect(length).toBeGreaterThan(0);
  }
  showProblems(faults, text);
  if (result.ok) expect(unsafeIn(withoutManifests(result.value.cluster))).toEqual([]);
  return result.ok ? result.value.cluster : undefined;
}

/** What manifests of CNFs hold is never evaluated: it reaches programs as JSON in Base64. */
const withoutManifests = ({ cnfs, ...cluster }: Cluster): object => ({
  ...cluster,
  cnfs: cnfs.all.map((cnf) => ({ ...cnf, files: [], objects: [] })),
});

/** Keys count too: those of a kubelet's settings reach files as well. Of texts only a certificate has lines. */
const unsafeIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? certificate.test(value) || !/\{[{%#]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(value)
      ? []
      : [value]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, each]) => [...unsafeIn(key), ...unsafeIn(each)])
      : [];

const certificate = /^(?:-----BEGIN CERTIFICATE-----\n[A-Za-z0-9+/=\n]+-----END CERTIFICATE-----\n)+$/;

const hostile = fc.oneof(
  fc.constantFrom(
    '{{ x }}',
    '{% raw %}',
    '{#',
    'a\nb',
    'a\rb',
    '\u0000',
    '\u001b[31m',
    '\u2028',
    '\u202e',
    '\ufeff',
    '\ud800',
    '"; reboot; "',
    "'$(id)'",
    '`id`',
    '${HOME}',
    'a b',
    '#',
    ' ',
    '',
    '-',
    '..',
    '../../etc',
    '[a]',
    'all',
    '__proto__',
    'constructor',
    '%h',
    '-oProxyCommand=id',
    'ı',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

const fragment = fc.oneof(
  hostile,
  fc.constantFrom(
    '- ',
    ': ',
    '\n',
    '\n  ',
    '{',
    '}',
    '[',
    ']',
    '&a ',
    '*a',
    '!!str ',
    '"',
    "'",
    '|\n',
    '? ',
    '<<: ',
    '\t',
    '---\n',
    '...\n',
    '%YAML 1.1\n',
  ),
  fc.constantFrom(
    'null',
    'true',
    'yes',
    '022',
    '1e999',
    '-1',
    '.nan',
    '[]',
    '{}',
    '~',
    '99999999999999999999',
  ),
);

describe('the reader survives', () => {
  test('any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => void survive(text)),
      { numRuns: 500 },
    );
  });

  test('anything made of what YAML is made of', () => {
    const text = fc.array(fragment, { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (each) => void survive(each)),
      { numRuns: 500 },
    );
  });

  test('a definition with a part cut out and something else put in', () => {
    const edit = fc.record({
      at: fc.nat(full.length),
      length: fc.nat(60),
      put: fc.oneof(fragment, fc.constant('')),
    });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
        survive(
          edits.reduce(
            (text, { at, length, put }) => text.slice(0, at) + put + text.slice(at + length),
            full,
          ),
        );
      }),
      { numRuns: 150 },
    );
  });

  test('a definition with any value replaced by any other', { timeout: 120_000 }, () => {
    const values = [...full.matchAll(/(?<=: |- |\[|, )[\w~/:.@"+=-]+(?=[\n,\] }]| #)/g)];
    expect(values.length).toBeGreaterThan(80);
    const accepted = { count: 0 };
    const value = fc.oneof(
      hostile.map((text) => JSON.stringify(text)),
      fc.constantFrom(
        'null',
        '[]',
        '{}',
        '7',
        '-7',
        '0.5',
        'true',
        '[[]]',
        '{ a: b }',
        'lb01',
        'worker01',
        '2222',
        '"2001:db8::1"',
        '192.0.2.99',
      ),
    );
    fc.assert(
      fc.property(fc.nat(values.length - 1), value, (pick, put) => {
        const old = values[pick];
        const from = old?.index ?? 0;
        const to = from + (old?.[0].length ?? 0);
        if (survive(full.slice(0, from) + put + full.slice(to))) accepted.count += 1;
      }),
      { numRuns: 500 },
    );
    expect(accepted.count).toBeGreaterThan(5);
  });

  test('a definition with lines left out, doubled or moved', () => {
    const lines = full.split('\n');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(lines.length), fc.constantFrom('drop', 'double', 'swap')), { maxLength: 4 }),
        (edits) => {
          const copy = [...lines];
          for (const [at, kind] of edits)
            if (kind === 'drop') copy.splice(at, 1);
            else if (kind === 'double') copy.splice(at, 0, copy[at] ?? '');
            else copy.splice(at, 2, copy[at + 1] ?? '', copy[at] ?? '');
          survive(copy.join('\n'));
        },
      ),
      { numRuns: 100 },
    );
  });
});

test('the same text gives the same cluster', () => {
  expect(JSON.stringify(loaded(full, files).cluster)).toBe(JSON.stringify(loaded(full, files).cluster));
});

test('no machine changes the priority of another by coming or going', () => {
  const controlPlane = (last: number): string =>
    `  - { name: master${last}, roles: [control-plane], address: 192.0.2.${last}, ssh: { user: root } }\n`;
  const priorities = (bytes: readonly number[]): Map<string, number> => {
    const text = sound.replace(/nodes:\n[^]*/, `nodes:\n${bytes.map(controlPlane).join('')}`);
    return new Map(loaded(text).cluster.endpoint.balancers.map(({ name, priority }) => [name, priority]));
  };
  const bytes = fc.uniqueArray(fc.integer({ min: 1, max: 79 }), { minLength: 7, maxLength: 7 });
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 3 }), (all, half) => {
      const before = priorities(all.slice(0, 2 * half - 1));
      const after = priorities(all);
      for (const [name, priority] of before) expect(after.get(name)).toBe(priority);
      expect(new Set(after.values()).size).toBe(all.length);
    }),
    { numRuns: 30 },
  );
});

test('a definition of ten thousand nodes is sound', () => {
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWF5R/rGki6T+Vb4BMpf3PZzZ3P+ldk4MJKR8K07W36';
  const definition = (count: number): string =>
    sound
      .replace('192.0.2.80/24', '172.16.0.80/12')
      .replace('10.244.0.0/16', '10.128.0.0/9')
      .replaceAll('192.0.2', '172.16.0') +
    Array.from(
      { length: count },
      (_, n) => `  - { name: node-${n}, address: 172.17.${n >> 8}.${n & 255}, ssh: { hostKey: ${key} } }\n`,
    ).join('');
  const few = loaded(definition(0)).cluster.machines.length;
  expect(loaded(definition(10_000)).cluster.machines).toHaveLength(few + 10_000);
});
