import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Vault } from 'ansible-vault';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SecretReference } from '../../../../generators/cluster/cluster.ts';
import { resolveReference, resolveSecrets } from '../../../../tasks/runtime/secrets/resolve.ts';
import { Secret } from '../../../../tasks/runtime/secrets/secret.ts';
import { seal } from '../../../../tasks/runtime/secrets/vault.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'playsmith-secrets-'));
  process.env['PLAYSMITH_TEST_SECRET'] = 'from env';
  writeFileSync(join(folder, 'file'), 'from file\n');
  writeFileSync(join(folder, 'empty'), '\n');
  writeFileSync(join(folder, 'latin'), Buffer.from('canaryä\n', 'latin1'));
  const vault = await new Vault({ password: 'from env' }).encrypt(
    'haproxy: from vault\nlist: [1]\npin: 0755\nlong: 12345678901234567890\nword: yes\n',
    '',
  );
  writeFileSync(join(folder, 'vault.yml'), `${vault}\n`);
});
afterAll(() => {
  delete process.env['PLAYSMITH_TEST_SECRET'];
  rmSync(folder, { recursive: true });
});

const env: SecretReference = { kind: 'env', name: 'PLAYSMITH_TEST_SECRET' };
const vault = (key: string, password: SecretReference = env): SecretReference => ({
  kind: 'vault',
  path: 'vault.yml',
  key,
  password,
});

describe('a secret', () => {
  test('prints itself nowhere', () => {
    const secret = new Secret('canary');
    expect(
      [secret.toString(), JSON.stringify({ secret }), inspect({ secret }), String(secret)].join(),
    ).not.toContain('canary');
    expect(secret.reveal()).toBe('canary');
  });
});

describe('a reference', () => {
  test.each<[string, SecretReference]>([
    ['from env', env],
    ['from file', { kind: 'file', path: 'file' }],
    ['from command', { kind: 'command', argv: ['printf', 'from command\n'] }],
    ['from command', { kind: 'command', argv: ['printf', 'from command\nuser: ada\n'] }],
    ['from vault', vault('haproxy')],
    ['0755', vault('pin')],
    ['12345678901234567890', vault('long')],
    ['yes', vault('word')],
  ])('gives its value %j', async (expected, reference) => {
    const found = await resolveReference(reference, folder);
    expect(found.ok && found.value.reveal()).toBe(expected);
  });

  test.each<[RegExp, SecretReference]>([
    [/variable NOT_SET_AT_ALL is not set/, { kind: 'env', name: 'NOT_SET_AT_ALL' }],
    [/there is no file gone/, { kind: 'file', path: 'gone' }],
    [/is empty/, { kind: 'file', path: 'empty' }],
    [/the file latin gives bytes that are not UTF-8/, { kind: 'file', path: 'latin' }],
    [
      /the command printf gives bytes that are not UTF-8/,
      { kind: 'command', argv: ['printf', String.raw`canary\344`] },
    ],
    [/the command no-such-program is not installed/, { kind: 'command', argv: ['no-such-program'] }],
    [/ended with status 3/, { kind: 'command', argv: ['sh', '-c', 'echo canary >&2; echo canary; exit 3'] }],
    [/printed nothing/, { kind: 'command', argv: ['true'] }],
    [/no text under the key nothing/, vault('nothing')],
    [/no text under the key list/, vault('list')],
    [/no text under the key toString/, vault('toString')],
    [/does not open with that password/, vault('haproxy', { kind: 'file', path: 'file' })],
    [/the password of vault.yml: there is no file gone/, vault('haproxy', { kind: 'file', path: 'gone' })],
  ])('without a value says why: %s', async (expected, reference) => {
    const found = await resolveReference(reference, folder);
    expect(found.ok ? 'a value' : found.failure).toMatch(expected);
    expect(JSON.stringify(found)).not.toContain('canary');
  });

  test('all that are missing are told at once', async () => {
    const gone = (name: string): SecretReference => ({ kind: 'env', name });
    const told = await resolveSecrets(
      [
        { variable: 'vault_a', path: 'a.password', reference: gone('GONE_A') },
        { variable: 'vault_b', path: 'b.password', reference: env },
        { variable: 'vault_c', path: 'c.password', reference: gone('GONE_C') },
      ],
      folder,
    );
    expect(told.ok ? '' : told.failure.message).toBe(
      [
        '2 of 3 secrets have no value:',
        '  a.password (vault_a): the environment variable GONE_A is not set',
        '  c.password (vault_c): the environment variable GONE_C is not set',
      ].join('\n'),
    );
  });
});

describe('sealed secrets', () => {
  test('open with the password of their run alone, and each value stays text', async () => {
    const values = new Map([
      ['vault_a', new Secret('{{ jinja }} 0755')],
      ['vault_b', new Secret('line\nline')],
    ]);
    const [one, two] = [await seal(values), await seal(values)];
    expect(one?.password).not.toBe(two?.password);
    const plain = await new Vault({ password: one?.password ?? '' }).decrypt(
      one?.vault.trim() ?? '',
      undefined,
    );
    expect(plain).toBe('vault_a: !unsafe "{{ jinja }} 0755"\nvault_b: !unsafe "line\\nline"\n');
    expect(one?.values).toEqual(['{{ jinja }} 0755', 'line\nline']);
    expect(await seal(new Map())).toBeNull();
  });
});
