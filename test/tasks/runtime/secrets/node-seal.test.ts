import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealForNode } from '../../../../tasks/runtime/secrets/node-seal.ts';
import { python } from '../../../support/python.ts';

const secrets = { vault: '$ANSIBLE_VAULT;1.1;AES256\n00\n', password: 'pässword', values: ['canary-value'] };
const folder = mkdtempSync(join(tmpdir(), 'playsmith-seal-'));
const keyFile = (name: string): { readonly path: string; readonly key: string } => {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const path = join(folder, name);
  writeFileSync(path, pair.privateKey, { mode: 0o600 });
  return { path, key: pair.publicKey };
};

const opening = `
from playsmith.mesh import sealed
from playsmith.fault import Fault
def opened(it):
    sealed.KEY = it["path"]
    try:
        return {"key": sealed.public_key()["key"], "opened": sealed.opened(it["request"])}
    except Fault as fault:
        return fault.failure
`;
let node: ReturnType<typeof python>;

beforeAll(() => {
  node = python(opening, 'opened(it)');
});
afterAll(() => {
  node.close();
  rmSync(folder, { recursive: true });
});

test('only the node opens its secrets, and only for the run that they were sealed for', async () => {
  const own = keyFile('own');
  const other = keyFile('other');
  const sealed = sealForNode(secrets, { key: own.key, token: 'token-1' });
  expect(JSON.stringify(sealed)).not.toContain('canary-value');
  const ask = (path: string, token: string): Promise<unknown> =>
    node.ask({ path, request: { secrets: sealed, token } });
  expect(await ask(own.path, 'token-1')).toEqual({ key: own.key, opened: secrets });
  expect(await ask(other.path, 'token-1')).toMatchObject({ kind: 'server' });
  expect(await ask(own.path, 'token-2')).toMatchObject({ kind: 'server' });
  expect(await ask(join(folder, 'none'), 'token-1')).toMatchObject({ kind: 'server' });
});

test('what was not sealed to a node is left as it is', async () => {
  const { path, key } = keyFile('plain');
  for (const given of [null, secrets])
    expect(await node.ask({ path, request: { secrets: given, token: 't' } })).toEqual({ key, opened: given });
});
