import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { ok } from '../../../../generators/result.ts';
import { fingerprintOf } from '../../../../tasks/runtime/secrets/node-seal.ts';
import { Secret } from '../../../../tasks/runtime/secrets/secret.ts';
import type { Server } from '../../../../tasks/runtime/server.ts';
import { start } from '../../../../tasks/steps/run/start.ts';

const keyOf = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 1024 })
    .publicKey.export({ type: 'spki', format: 'pem' })
    .toString();

/** What a node of a mesh is asked when its key is pinned, and the way to it gives another or the same. */
async function asked(pinned: string, given: string): Promise<readonly [string[], unknown]> {
  const words: string[] = [];
  const server = {
    ...{ node: 'exec1', name: 'exec1 over control', sealingKey: pinned },
    agent: () => ({
      ask: (word: string) => {
        words.push(word);
        return Promise.resolve(ok(word === 'sealing-key' ? { key: given } : { run: 'r', warnings: [] }));
      },
    }),
  } as unknown as Server;
  const result = await start(server, {
    bundle: { cluster: 'edge', digest: 'd' },
    ...{ playbook: 'site.yml', options: {}, meta: {} as never },
    secrets: new Map([['vault_word', new Secret('open sesame')]]),
  });
  return [words, result];
}

test('secrets go to a node whose key is the pinned one, or is pinned nowhere', async () => {
  const key = keyOf();
  for (const pinned of [fingerprintOf(key), ''])
    expect((await asked(pinned, key))[0]).toEqual(['sealing-key', 'start']);
});

test('another key than the pinned one, and what is none, gets nothing', async () => {
  for (const given of [keyOf(), 'no key']) {
    const [words, result] = await asked(fingerprintOf(keyOf()), given);
    expect(words).toEqual(['sealing-key']);
    expect(result).toMatchObject({ failure: { kind: 'host-key' } });
  }
});
