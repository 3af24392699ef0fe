import { expect, test } from 'vitest';
import { verifiedSshThrough } from '../../../generators/phases/ssh-arguments.ts';
import { machine } from '../../support/clusters.ts';

const { ssh } = machine('any', '10.0.0.1');

test('a jump host is verified by the same files as the machine behind it', () => {
  const known = `"{{ inventory_dir }}/../known_hosts" ~/.ssh/known_hosts`;
  expect(verifiedSshThrough({ ...ssh, privateKey: '', proxyJump: 'jump@bastion.example.org:2200' })).toBe(
    `-o 'UserKnownHostsFile=${known}' -o StrictHostKeyChecking=yes ` +
      `-o "ProxyCommand=ssh -o 'UserKnownHostsFile=${known.replaceAll('"', '\\"')}' ` +
      `-o StrictHostKeyChecking=yes -o BatchMode=yes -l jump -p 2200 -W [%h]:%p bastion.example.org"`,
  );
});

test('an IPv6 literal loses its brackets, and the port is 22 when none is given', () => {
  expect(verifiedSshThrough({ ...ssh, proxyJump: '[2001:db8::1]' })).toContain(
    '-p 22 -W [%h]:%p 2001:db8::1"',
  );
});

test.each(['', '-oProxyCommand=id', 'a b', 'a;id', 'a@b@c', '$(id)', 'host:port', '-l@host'])(
  '%o is no jump host',
  (proxyJump) => {
    expect(() => verifiedSshThrough({ ...ssh, proxyJump })).toThrow('is no jump host');
  },
);

test.each([`a'b`, 'a"b', 'a$(id)b', 'a`id`b', 'a\\b', 'a%hb', 'a\nb'])(
  'a key %o cannot leave its quotes',
  (privateKey) => {
    expect(() => verifiedSshThrough({ ...ssh, privateKey, proxyJump: 'host' })).toThrow(
      'cannot stand in a command',
    );
  },
);
