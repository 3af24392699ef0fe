import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFiles } from '../../../tasks/steps/definition/files.ts';
import { misleading } from '../../support/definitions/faults/said-of-wrong.ts';
import { wrongValues } from '../../support/definitions/faults/wrong-values.ts';
import { changed, said } from './support.ts';

const root = join(import.meta.dirname, '../../../examples');
const examples = readdirSync(root).filter((name) => name.endsWith('.yml'));

/** Of how many faults one is tried here; the same ones each time. `EVERY_FAULT=1` tries all, which takes minutes. */
const shares: Readonly<Record<string, number>> = { 'single.yml': 1, 'fleet-pki.yml': 2, 'full.yml': 60 };
const shareOf = (name: string): number => (process.env['EVERY_FAULT'] === '1' ? 1 : (shares[name] ?? 20));

const isChosen = (title: string, share: number): boolean =>
  createHash('sha256').update(title).digest().readUInt32BE() % share === 0;

describe('one fault is told once, where it is, with what would be right', () => {
  test.each(examples)('in %s', { timeout: 1_200_000 }, async (name) => {
    const faults = wrongValues(readFileSync(join(root, name), 'utf8')).filter(({ title }) =>
      isChosen(title, shareOf(name)),
    );
    expect(faults.length).toBeGreaterThan(10);
    const told: string[] = [];
    for (const fault of faults) told.push(...misleading(fault, await readFiles(fault.text, root)));
    expect(told).toEqual([]);
  });
});

test('a key that is there under another name is not missing, and one that nobody knows may have been any', () => {
  expect(said(changed(['nodes:', 'nodess:']))).toEqual([expect.stringContaining('unknown key "nodess"')]);
  expect(said(changed(['ssh: { user: ubuntu }', 'sshh: { user: ubuntu }']))).toEqual([
    expect.stringContaining('unknown key "sshh"'),
  ]);
  expect(said(changed(['ssh: { user: ubuntu }', 'ssh: { login: ubuntu }']))).toEqual([
    expect.stringContaining('unknown key "login"'),
  ]);
});

test('a fault of one part hides none of another', () => {
  const text = changed(
    ['ssh: { user: ubuntu }', 'ssh: ubuntu'],
    ['address: 192.0.2.12', 'address: 192.0.2.11'],
    ['roles: [control-plane]', 'roles: worker'],
  );
  expect(said(text)).toEqual([
    expect.stringContaining('`ssh` must be a mapping'),
    expect.stringContaining('`roles` must be a list'),
    expect.stringContaining('192.0.2.11 is already the address of master01'),
  ]);
});

test.each([
  ['another prefix', '192.0.2.80/32', '192.0.2.80/32'],
  ['another network', '192.0.3.80/24', '192.0.3.0/24'],
])(
  'what follows from %s of the endpoint is told where that stands, and not at each node',
  (_, address, network) => {
    expect(said(changed(['address: 192.0.2.80/24', `address: ${address}`]))).toEqual([
      `10:12 no node is in ${network}, which follows from this address and its prefix → an address and the prefix of the nodes' network, or \`network.nodeSubnet\` with every network of the nodes`,
    ]);
  },
);

test('what is right but for quotes is told without them', () => {
  expect(said(changed(['ssh: { user: ubuntu }', 'ssh: { user: ubuntu, port: "22" }']))).toEqual([
    expect.stringContaining('→ 22, without quotes'),
  ]);
});

test('kinds of addresses are called as everybody calls them', () => {
  const of = (address: string): readonly string[] =>
    said(changed(['address: 192.0.2.21', `address: "${address}"`]));
  expect(of('0.0.0.0')).toEqual([expect.stringContaining('"0.0.0.0" is the unspecified address,')]);
  expect(of('::ffff:192.0.2.21')).toEqual([expect.stringContaining('is an IPv4-mapped address,')]);
});

test('a definition that does not say its kind is judged by its keys', () => {
  const fleet = readFileSync(join(root, 'fleet.yml'), 'utf8');
  expect(said(fleet.replace('kind: Fleet', 'kind: 7'))).toEqual([
    expect.stringContaining('`kind` cannot be'),
  ]);
  expect(said(fleet.replace('kind: Fleet\n', ''))).toEqual([expect.stringContaining('`kind` is missing')]);
});

test('lines that end with CR alone are told as that', () => {
  expect(said(changed().replaceAll('\n', '\r'))).toEqual([
    expect.stringContaining('lines end with CR alone'),
  ]);
});
