import ssh2 from 'ssh2';
import { describe, expect, test } from 'vitest';
import type { Trust } from '../../../../tasks/runtime/ssh/hop.ts';
import {
  fingerprint,
  hostKeyOf,
  judge,
  preferredAlgorithms,
} from '../../../../tasks/runtime/ssh/host-key.ts';
import { parseKnownHosts } from '../../../../tasks/runtime/ssh/known-hosts.ts';

const keyOf = (): { type: string; key: string } => {
  const [type = '', key = ''] = ssh2.utils.generateKeyPairSync('ed25519').public.split(' ');
  return { type, key };
};
const shown = keyOf();
const other = keyOf();
const trust = (pin = ''): Trust => ({ pin, files: [], name: 'lab', port: 22 });
const known = (text: string): ReturnType<typeof parseKnownHosts> =>
  parseKnownHosts(text, '~/.ssh/known_hosts');

describe('a host key', () => {
  test('is read from the wire with its type', () => {
    expect(hostKeyOf(Buffer.from(shown.key, 'base64'))).toEqual(shown);
    expect(fingerprint(shown)).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
  });

  test('that a line knows is right, whatever other lines say', () => {
    const lines = `lab ${other.type} ${other.key}\nlab ${shown.type} ${shown.key}`;
    expect(judge(shown, { trust: trust(), known: known(lines) })).toBeUndefined();
  });

  test('is never right because of a certificate authority, which we do not check', () => {
    const lines = `@cert-authority * ${shown.type} ${shown.key}`;
    expect(judge(shown, { trust: trust(), known: known(lines) })?.kind).toBe('host-key');
  });

  test('that a line revokes is wrong, also where it is pinned', () => {
    const lines = known(`@revoked * ${shown.type} ${shown.key}`);
    for (const pin of ['', `${shown.type} ${shown.key}`, fingerprint(shown)])
      expect(judge(shown, { trust: trust(pin), known: lines })?.message).toContain('revokes');
  });

  test('of another type than the one that is known has changed', () => {
    const refused = judge(shown, { trust: trust(), known: known('lab ssh-rsa AAAAB3NzaC1yc2E=') });
    expect(refused?.message).toContain('~/.ssh/known_hosts:1 says rsa SHA256:');
  });

  test('that is pinned is not looked up', () => {
    const lines = known(`lab ${other.type} ${other.key}`);
    expect(judge(shown, { trust: trust(fingerprint(shown)), known: lines })).toBeUndefined();
    expect(judge(other, { trust: trust(fingerprint(shown)), known: lines })?.kind).toBe('host-key');
  });
});

describe('the algorithms offered', () => {
  test('begin with those of the known keys, RSA with its newer signatures', () => {
    expect(preferredAlgorithms(trust(), known('lab ssh-rsa AAAA')).slice(0, 2)).toEqual([
      'rsa-sha2-512',
      'rsa-sha2-256',
    ]);
    expect(preferredAlgorithms(trust('ecdsa-sha2-nistp256 AAAA'), [])[0]).toBe('ecdsa-sha2-nistp256');
    expect(preferredAlgorithms(trust(), [])[0]).toBe('ssh-ed25519');
  });

  test('never hold SHA-1', () => {
    expect(preferredAlgorithms(trust(), known('lab ssh-rsa AAAA'))).not.toContain('ssh-rsa');
  });
});
