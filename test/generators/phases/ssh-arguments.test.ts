import { expect, test } from 'vitest';
import { verifiedSshThrough } from '../../../generators/phases/ssh-arguments.ts';
import { machine } from '../../support/definitions/clusters.ts';

const { ssh } = machine('any', '10.0.0.1');

test('a pinned machine must show its own key; its jump host one of the bundle or of the user', () => {
  const pinned = {
    ...ssh,
    hostKeys: ['ssh-ed25519 AAAA'],
    privateKey: '',
    proxyJump: 'jump@bastion.example.org:2200',
  };
  const found = `{{ [playbook_dir ~ '/known_hosts', inventory_dir ~ '/../known_hosts'] | select('file') | first }}`;
  expect(verifiedSshThrough(pinned)).toBe(
    `-o 'UserKnownHostsFile="${found}"' -o StrictHostKeyChecking=yes -o GlobalKnownHostsFile=/dev/null ` +
      `-o "ProxyCommand=ssh -F /dev/null -o 'UserKnownHostsFile=\\"${found}\\" ~/.ssh/known_hosts' ` +
      `-o StrictHostKeyChecking=yes -o BatchMode=yes -l jump -p 2200 -W [%h]:%p bastion.example.org"`,
  );
});

test('a machine without a key in the definition is left to the known_hosts of the user', () => {
  const own = verifiedSshThrough({ ...ssh, hostKeys: [], proxyJump: 'bastion.example.org' });
  expect(own).toMatch(
    /^-o 'UserKnownHostsFile=~\/\.ssh\/known_hosts' -o StrictHostKeyChecking=yes -o "ProxyCommand/,
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
