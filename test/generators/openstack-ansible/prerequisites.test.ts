import { expect, test } from 'vitest';
import { definition, filesWith, said, userConfig } from './support.ts';

const pods = '  podSubnet: 172.29.200.0/22\n';
const proxied = (hosts: string): string => definition({ [pods]: `${pods}proxy: { hosts: ${hosts} }\n` });
/** The same deployment with Open vSwitch. */
const openVSwitch = filesWith(
  userConfig.replace('type: geneve', 'type: vxlan').replace('network-gateway_hosts', 'network_hosts'),
);

test('with OVN the proxy belongs to compute, without it to where the metadata agents run', () => {
  expect(said(proxied('compute_hosts'))).toEqual([]);
  expect(said(proxied('neutron_ovn_controller'))).toEqual([]);
  expect(said(proxied('neutron_metadata_agent'), openVSwitch)).toEqual([]);
  expect(said(proxied('compute_hosts'), openVSwitch)).toEqual([
    expect.stringMatching(/^warning 10: .*do not run on compute_hosts → neutron_metadata_agent/) as string,
  ]);
});

test('where OVN is told by the type of a network alone, it is OVN', () => {
  const files = filesWith(userConfig.replace('network-gateway_hosts', 'network_hosts'));
  expect(said(proxied('network_hosts'), files)).toEqual([
    expect.stringContaining('10: with OVN the metadata agents run on the hosts of compute') as string,
  ]);
});

test('Barbican has to be somewhere when it keeps the certificates', () => {
  const text = definition({ [pods]: `${pods}magnum: { certManager: barbican }\n` });
  expect(said(text)).toEqual([
    expect.stringMatching(/^warning 10: no host is in the group key-manager_hosts/) as string,
  ]);
  expect(said(text, filesWith(`${userConfig}key-manager_hosts: *infra\n`))).toEqual([]);
});

test('certificates on the disk of one host are for one host of Magnum', () => {
  const local = (hosts: string): string =>
    definition({ [pods]: `${pods}magnum: { certManager: local${hosts} }\n` });
  expect(said(local(', hosts: [{ name: infra1, address: 172.29.236.11 }]'))).toEqual([]);
  expect(said(local(''))).toEqual([
    expect.stringMatching(
      /^warning 10: local keeps .* Magnum runs on 3 hosts → x509keypair or barbican/,
    ) as string,
  ]);
});

test('network and flavor of the functional test are named together', () => {
  for (const key of ['externalNetwork: public', 'flavor: m1.medium'])
    expect(said(definition({ [pods]: `${pods}functionalTest: { ${key} }\n` })).join()).toMatch(
      /^10: without \w+ the test would make network and flavor of its own/,
    );
});

test('with Unbound a hook cannot leave out a file that the playbook does not have', () => {
  const files = filesWith(`${userConfig}unbound_hosts: *infra\n`);
  const hooks = definition({ '  configuration': '  hooks: enabled\n  configuration' });
  expect(said(hooks)).toEqual([]);
  expect(said(hooks, files)).toEqual([
    expect.stringMatching(/^7: with Unbound the playbook .* → disabled: osa-deploy-new/) as string,
  ]);
  expect(said(definition(), files)).toEqual([]);
});
