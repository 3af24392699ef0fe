import { describe, expect, test } from 'vitest';
import { importKubespray } from '../../../generators/import/inventory/index.ts';
import { jumpIn } from '../../../generators/import/jump-host.ts';
import { clusterOf, made, wishing } from '../../support/definitions/imports.ts';

describe('the jump host of arguments of ssh', () => {
  test.each([
    ['-J ops@192.0.2.4:2222', 'ops@192.0.2.4:2222'],
    ['-Jops@192.0.2.4', 'ops@192.0.2.4'],
    ['-o ProxyJump=ops@192.0.2.4 -C', 'ops@192.0.2.4'],
    ['-o "proxyjump ops@192.0.2.4"', 'ops@192.0.2.4'],
    ['-o ProxyCommand="ssh -W %h:%p -q ops@192.0.2.4"', 'ops@192.0.2.4'],
    ['-o ProxyCommand="ssh -W %h:%p -q ops@192.0.2.4" -o StrictHostKeyChecking=no', 'ops@192.0.2.4'],
    [`-o 'ProxyCommand=/usr/bin/ssh -qW [%h]:%p -p 2222 -l ops bastion'`, 'ops@bastion:2222'],
    ['-o ProxyCommand="ssh -W %h:%p bastion.example.org -l ops"', 'ops@bastion.example.org'],
    ['-o ProxyCommand="ssh -W %h:%p ops@192.0.2.4 -p 2222"', 'ops@192.0.2.4:2222'],
    ['-o ProxyCommand="ssh -W %h:%p ops@192.0.2.4 -i ~/.ssh/id_rsa -o ConnectTimeout=5"', 'ops@192.0.2.4'],
    ['-o ProxyCommand="ssh -W %h:%p -l ops 2001:db8::4"', 'ops@[2001:db8::4]'],
    ['-o ProxyCommand=ssh -W %h:%p -q ops@192.0.2.4', 'ops@192.0.2.4'],
    ['-o ProxyJump=first -o ProxyJump=second', 'first'],
  ])('%s', (args, expected) => {
    expect(jumpIn(args)?.host).toBe(expected);
  });

  test.each(['-o ProxyJump=none', '-o ProxyCommand=none -J ops@192.0.2.4'])('is none in %s', (args) => {
    expect(jumpIn(args)).toMatchObject({ host: undefined });
  });

  test.each([
    '',
    '-o ControlPersist=60s',
    '-J first,second',
    '-o ProxyCommand="ssh ops@192.0.2.4 nc %h %p"',
    '-o ProxyCommand="ssh -W %h:%p -J first second"',
    '-o ProxyCommand="ssh -W %h:%p -o User=ops bastion"',
    '-o ProxyCommand="ssh -W %h:%p {{ user }}@192.0.2.4"',
    '-o ProxyCommand="ncat --proxy proxy:3128 %h %p"',
  ])('is not known from %s', (args) => {
    expect(jumpIn(args)).toBeUndefined();
  });

  test.each([
    ['-J ops@192.0.2.4', true],
    ['-J ops@192.0.2.4 -C', false],
    ['-o StrictHostKeyChecking=no -o ProxyCommand="ssh -q -W %h:%p ops@192.0.2.4"', true],
    ['-o ProxyCommand="ssh -W %h:%p ops@192.0.2.4 -i ~/.ssh/id_rsa"', false],
    ['-o ProxyCommand=ssh -W %h:%p -q ops@192.0.2.4', true],
  ])('%s says nothing else: %s', (args, expected) => {
    expect(jumpIn(args)?.isAlone).toBe(expected);
  });
});

describe('machines of an inventory', () => {
  const imported = (...lines: readonly string[]) =>
    importKubespray(
      [
        {
          file: 'hosts.ini',
          text: `${['[kube_control_plane]', 'n1 ip=10.3.0.1', '[etcd]', 'n1', '[kube_node]', 'n1', ...lines].join('\n')}\n`,
        },
      ],
      wishing({ user: 'ops' }),
    );

  test('are reached by the arguments that come last, where the first name no way', () => {
    const found = imported(
      '[all:vars]',
      'ansible_ssh_common_args=-C',
      'ansible_ssh_extra_args=-J ops@192.0.2.4',
    );
    expect(clusterOf(found).machines[0]?.ssh.proxyJump).toBe('ops@192.0.2.4');
    expect(made(found).leftOver.map(({ path }) => path)).toEqual(['all.ansible_ssh_common_args']);
  });

  test('are not reached through the bastion where they say so', () => {
    const bastion = ['[bastion]', 'jump ansible_host=203.0.113.4 ansible_user=ops'];
    const direct = ['[kube_node:vars]', 'ansible_ssh_common_args=-o ProxyJump=none'];
    expect(clusterOf(imported(...bastion)).machines[0]?.ssh.proxyJump).toBe('ops@203.0.113.4');
    const found = imported(...bastion, ...direct);
    expect(clusterOf(found).machines[0]?.ssh.proxyJump).toBe('');
    expect(made(found).leftOver).toEqual([]);
  });

  test('whose way is no jump host are told, with the place and without what it says', () => {
    const found = made(
      imported('[all:vars]', 'ansible_ssh_common_args=-o ProxyCommand="nc -x canary:1 %h %p"'),
    );
    expect(found.warnings.map(({ line, message }) => `${line} ${message}`)).toContain(
      '8 these arguments of ssh lead to the host in a way that is no single jump host, so none is taken over',
    );
    expect(found.leftOver.map(({ path }) => path)).toEqual(['all.ansible_ssh_common_args']);
  });
});
