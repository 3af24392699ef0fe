import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { engine } from '../../../generators/engine.ts';
import { configurations } from '../../../generators/phases/kubeadm/documents.ts';
import { machineVariables } from '../../../generators/phases/inventory.ts';
import { preflight } from '../../../generators/phases/node/preflight.ts';
import { templates } from '../../support/definitions/templates.ts';
import { changed, loaded, saidBesides } from './support.ts';

type Edit = readonly [from: string, to: string];

const families: readonly Edit[] = [
  ['podSubnet: 10.244.0.0/16', "podSubnet: [10.244.0.0/16, 'fd00:10:244::/56']"],
  ['serviceSubnet: 10.96.0.0/16', "serviceSubnet: [10.96.0.0/16, 'fd00:10:96::/112']"],
  ['network:\n', 'installer: { kubeadm: { version: 1.37.2 } }\nnetwork:\n  plugin: static-routes\n'],
];
const second = (last: number, address = `2001:db8::${last}`): Edit => [
  `address: 192.0.2.${last}\n`,
  `address: 192.0.2.${last}\n    secondaryAddress: ${address}\n`,
];
const all = [11, 12, 13, 21].map((last) => second(last));

describe('a dual-stack cluster', () => {
  test('has nodes with an address of each family', () => {
    expect(saidBesides(changed(...families, ...all))).toEqual([]);
  });

  test('is refused where a node has one address alone', () => {
    expect(saidBesides(changed(...families, ...all.slice(0, 3)))).toEqual([
      expect.stringMatching(
        /^\d+:\d+ worker01 has no IPv6 address, and pods and services have both families → `secondaryAddress`, its IPv6 address; or one network each/,
      ),
    ]);
  });

  test.each([
    ['192.0.2.121', /both addresses of worker01 are of IPv4 → its IPv6 address/],
    ['2001:db8::11', /2001:db8::11 is already an address of master01/],
    ['fd00:10:244::21', /fd00:10:244::21 of worker01 is inside fd00:10:244::\/56, which belongs to pods/],
    ['2001:db8::g', /"2001:db8::g" is not an IP address/],
  ])('does not take %s for the second address', (address, expected) => {
    expect(saidBesides(changed(...families, ...all.slice(0, 3), second(21, address)))).toEqual([
      expect.stringMatching(expected),
    ]);
  });

  test('keeps second addresses in the networks of the nodes, where those of their family are given', () => {
    const within = (subnet: string): string =>
      changed(...families, ...all, ['  podSubnet', `  nodeSubnet: [192.0.2.0/24, '${subnet}']\n  podSubnet`]);
    expect(saidBesides(within('2001:db8::/64'))).toEqual([]);
    expect(saidBesides(within('2001:db8:1::/64'))).toHaveLength(4);
  });

  test('tells the kubelet, preflight and Ansible of both', () => {
    const { cluster } = loaded(changed(...families, ...all));
    const [machine] = cluster.machines;
    if (!machine) throw new Error('no machine');
    const told = configurations(cluster).files.map(({ text }) => text);
    expect(told).toEqual([expect.stringContaining('      value: "{{ ip }},{{ secondary_ip }}"\n')]);
    expect(machineVariables(machine)).toMatchObject({ ip: '192.0.2.11', secondary_ip: '2001:db8::11' });
    const playbook = preflight
      .render(cluster, engine(templates, cluster.name))
      .find(({ path }) => path === 'preflight.yml');
    expect(load(playbook?.text ?? '')).toBeDefined();
    expect(playbook?.text).toContain('[secondary_ip] if secondary_ip is defined');
  });
});

test('in a cluster of one family a second address would say nothing', () => {
  expect(saidBesides(changed(second(21)))).toEqual([
    expect.stringMatching(
      /worker01 has two addresses, but pods and services have one family → remove the key/,
    ),
  ]);
});
