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

  test('beside an inventory are listed, and what is wrong with it is said where it stands', () => {
    const inventory = '[kube_control_plane]\nm1 ip=10.0.0.1\n[etcd]\nm1\n[kube_node]\nm1\n';
    const outputs = { inventory: { value: inventory }, api_address: { value: '192.0.2.80' } };
    const result = importTerraform(
      [{ file: 'outputs.json', text: JSON.stringify(outputs) }],
      wishing({ user: 'ops' }),
    );
    expect(made(result).leftOver.map(({ path }) => path)).toEqual(['api_address.value']);
    expect(made(result).text).toContain('# Imported from outputs.json (output inventory).');
    const yaml = 'all:\n  children:\n    kube_control_plane: { hosts: { m1: { ip: 10.0.0.1 } } }\n';
    const read = importTerraform(
      [{ file: 'outputs.json', text: JSON.stringify({ inventory: { value: yaml } }) }],
      wishing({ user: 'ops' }),
    );
    expect(clusterOf(read).machines.map(({ name }) => name)).toEqual(['m1']);
  });

  test('that tell no machines are refused', () => {
    const texts = [{ file: 'o.json', text: '{"network_id": {"value": "x"}}' }];
    expect(refusal(importTerraform(texts, wishing()), texts)).toContain(
      'no output tells which machines there are',
    );
  });
});

describe('private and public addresses in outputs of their own', () => {
  const of = (outputs: Readonly<Record<string, unknown>>) => {
    const values = Object.entries(outputs).map(([name, value]) => [name, { value }]);
    return [{ file: 'outputs.json', text: JSON.stringify(Object.fromEntries(values)) }];
  };
  const user = wishing({ user: 'ops' });
  const ways = (outputs: Readonly<Record<string, unknown>>) =>
    clusterOf(importTerraform(of(outputs), user)).machines.map(
      ({ address, ssh }) => `${address} by ${ssh.host}`,
    );

  test('are one machine each, by their order or their names', () => {
    expect(
      ways({
        ...{ master_public_ip: '203.0.113.1', master_private_ip: '10.0.0.1' },
        ...{ worker_ips: ['10.0.0.2', '10.0.0.3'], worker_fips: ['203.0.113.2', '203.0.113.3'] },
      }),
    ).toEqual(['10.0.0.1 by 203.0.113.1', '10.0.0.2 by 203.0.113.2', '10.0.0.3 by 203.0.113.3']);
    expect(
      ways({
        master_ip: '10.0.0.1',
        worker_ip_addresses: { a: '10.0.0.2', b: '10.0.0.3' },
        worker_floating_ips: { b: '203.0.113.3', a: '203.0.113.2' },
      }),
    ).toEqual(['10.0.0.1 by 10.0.0.1', '10.0.0.2 by 203.0.113.2', '10.0.0.3 by 203.0.113.3']);
  });

  test('are refused where nothing tells which belong together', () => {
    const texts = of({
      master_ip: '10.0.0.1',
      worker_ips: ['10.0.0.2', '10.0.0.3'],
      worker_fips: ['203.0.113.2'],
    });
    expect(refusal(importTerraform(texts, user), texts)).toContain(
      'nothing says to which of 2 machines this public address belongs',
    );
  });

  test('lead to the bastion by the public one', () => {
    const bastion = { bastion_info: { jump: { private_ip: '10.0.0.9', public_ip: '203.0.113.9' } } };
    const { machines } = clusterOf(importTerraform(of({ master_ip: '10.0.0.1', ...bastion }), user));
    expect(machines.map(({ ssh }) => ssh.proxyJump)).toEqual(['ops@203.0.113.9']);
  });
});

test('what stands among machines and is no address is told', () => {
  const text =
    '{"master_ips":{"value":["10.0.0.1","10.0.0.999"]},"worker_ips":{"value":[null,["10.0.0.3"],"10.0.0.2"]}}';
  const imported = importTerraform([{ file: 'outputs.json', text }], wishing({ user: 'ops' }));
  const said = imported.ok ? imported.value.warnings.map(({ message }) => message) : [];
  expect(said.filter((each) => each.includes('this is no address of a machine'))).toHaveLength(3);
});

test('of a state it is told what to print instead', () => {
  const texts = [
    { file: 'terraform.tfstate', text: '{"version":4,"terraform_version":"1.9.0","outputs":{}}' },
  ];
  const imported = importTerraform(texts, wishing());
  expect(imported.ok ? '' : imported.failure.problems[0]?.remedy).toContain('terraform output -json');
});
