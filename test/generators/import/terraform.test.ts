import { describe, expect, test } from 'vitest';
import { importTerraform } from '../../../generators/import/terraform/index.ts';
import { clusterOf, fixtures, made, refusal, wishing } from '../../support/definitions/imports.ts';

const imported = (name: string) =>
  importTerraform(fixtures(`terraform/${name}.json`), wishing({ user: 'ubuntu' }));

const rows = (name: string) =>
  clusterOf(imported(name)).machines.map((machine) => [
    machine.name,
    machine.roles.join(),
    machine.address,
    machine.ssh.host,
  ]);

describe('outputs of Terraform', () => {
  test('with floating addresses only, and a bastion', () => {
    expect(rows('openstack')).toEqual([
      ['master01', 'control-plane,etcd', '203.0.113.11', '203.0.113.11'],
      ['worker01', 'worker', '203.0.113.21', '203.0.113.21'],
      ['worker02', 'worker', '203.0.113.22', '203.0.113.22'],
    ]);
    expect(clusterOf(imported('openstack')).machines[0]?.ssh.proxyJump).toBe('ubuntu@203.0.113.4');
    expect(made(imported('openstack')).assumptions.join('\n')).toContain('only floating addresses');
  });

  test('with private and public addresses by name, and a load balancer', () => {
    expect(rows('objects')).toEqual([
      ['edge-cp-0', 'control-plane,etcd', '192.0.2.11', '203.0.113.11'],
      ['edge-cp-1', 'control-plane,etcd', '192.0.2.12', '203.0.113.12'],
      ['edge-cp-2', 'control-plane,etcd', '192.0.2.13', '203.0.113.13'],
      ['edge-w-0', 'worker', '192.0.2.21', '192.0.2.21'],
    ]);
    expect(clusterOf(imported('objects')).endpoint).toMatchObject({
      address: '192.0.2.80',
      placement: 'external',
    });
  });

  test('that hold a whole inventory', () => {
    expect(rows('inventory').map(([name]) => name)).toEqual(['m1', 'w1']);
  });

  test('that tell no machines are refused', () => {
    const texts = [{ file: 'o.json', text: '{"network_id": {"value": "x"}}' }];
    expect(refusal(importTerraform(texts, wishing()), texts)).toContain(
      'no output tells which machines there are',
    );
  });
});
