import { describe, expect, test } from 'vitest';
import { importHosts } from '../../../generators/import/hosts.ts';
import type { Wishes } from '../../../generators/import/part.ts';
import { clusterOf, refusal, wishing } from '../../support/definitions/imports.ts';

const typed = (text: string, wishes: Partial<Wishes> = {}) =>
  importHosts([{ file: 'the command line', text }], wishing({ user: 'ops', ...wishes }));

describe('addresses', () => {
  test('become machines with the roles of the inventory builder', () => {
    const { machines } = clusterOf(
      typed('10.0.0.[11:12] 10.0.0.13-14 gw,10.0.0.21,203.0.113.1', { vip: '10.0.0.100' }),
    );
    expect(machines.map(({ name, roles, address, ssh }) => [name, roles.join(), address, ssh.host])).toEqual([
      ['node01', 'control-plane,etcd,worker', '10.0.0.11', '10.0.0.11'],
      ['node02', 'control-plane,etcd,worker', '10.0.0.12', '10.0.0.12'],
      ['node03', 'etcd,worker', '10.0.0.13', '10.0.0.13'],
      ['node04', 'worker', '10.0.0.14', '10.0.0.14'],
      ['gw', 'worker', '10.0.0.21', '203.0.113.1'],
    ]);
  });

  test('become what kubeadm can build where Playsmith installs it', () => {
    const { machines } = clusterOf(typed('10.0.0.11-15', { vip: '10.0.0.100/24', kubernetes: '1.34.1' }));
    expect(machines.map(({ roles }) => roles.join())).toEqual([
      'control-plane,etcd',
      'control-plane,etcd',
      'control-plane,etcd',
      'worker',
      'worker',
    ]);
  });

  test('that are named twice are one machine, under the name that came first', () => {
    const { machines } = clusterOf(typed('a,10.0.0.11 10.0.0.11'));
    expect(machines.map(({ name }) => name)).toEqual(['a']);
  });

  test('one machine needs no virtual address, two need one', () => {
    expect(clusterOf(typed('10.0.0.11')).endpoint.address).toBe('10.0.0.11');
    const texts = [{ file: 'the command line', text: '10.0.0.11-12' }];
    expect(refusal(typed('10.0.0.11-12'), texts)).toContain('Fix: --vip 192.0.2.80/24');
  });

  test.each(['10.0.0.999', '10.0.0.5-3', 'node1', 'Bad_Name,10.0.0.1', '10.0.0.[1:'])(
    '%s is refused',
    (text) => {
      expect(typed(text).ok).toBe(false);
    },
  );
});

test.each(['10.0.0.11-12,203.0.113.1', '10.0.0.[11:12],203.0.113.1'])(
  'one way to the machines of %s is refused, which would drop it',
  (text) => {
    const texts = [{ file: 'the command line', text }];
    expect(refusal(typed(text, { vip: '10.0.0.100' }), texts)).toContain(
      '203.0.113.1 cannot be the way to each of 2 machines',
    );
  },
);

test('a word with more than an address and the way to it is refused, which would drop a machine', () => {
  expect(typed('10.0.0.1,10.0.0.2,10.0.0.3').ok).toBe(false);
  expect(typed('a,10.0.0.1,203.0.113.1').ok).toBe(true);
  expect(typed('a,10.0.0.1,203.0.113.1,10.0.0.3').ok).toBe(false);
  expect(typed('10.0.0.11-10.0.0.12-14', { vip: '10.0.0.100' }).ok).toBe(false);
});
