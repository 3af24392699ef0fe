import { describe, expect, test } from 'vitest';
import { ok } from '../../../generators/result.ts';
import { definition, filesWith, osaOf, said, userConfig } from './support.ts';

const pods = '  podSubnet: 172.29.200.0/22\n';
const near = (network: string, more = ''): string =>
  definition({ [pods]: `  podSubnet: ${network}\n`, '  configuration': `${more}  configuration` });

describe('pods of the control plane overlap nothing', () => {
  test.each([
    ['172.29.240.0/24', 'the network tunnel 172.29.240.0/22'],
    ['10.100.0.0/24', 'what workload clusters use unless their labels say otherwise, 10.100.0.0/16'],
    ['10.254.8.0/22', '10.254.0.0/16'],
    ['10.0.0.0/22', '10.0.0.0/24'],
    ['203.0.113.0/24', 'the external address 203.0.113.10'],
  ])('%s', (network, words) => {
    const found = said(near(network));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^9: the pods of the control plane/);
    expect(found[0]).toContain(words);
  });

  test('nor networks and addresses that stand in the definition, nor a host', () => {
    expect(said(near('198.18.0.0/22', '  networks: [198.18.0.0/15]\n')).join()).toContain(
      'overlap the network 198.18.0.0/15',
    );
    expect(said(near('198.18.0.0/22', '  internalAddress: 198.18.0.9\n')).join()).toContain(
      'overlap the internal address 198.18.0.9',
    );
    const hosts = `  podSubnet: 198.18.0.0/22\n  hosts: [{ name: new1, address: 198.18.0.7 }]\n`;
    expect(said(definition({ [pods]: hosts })).join()).toContain('overlap the address of new1 198.18.0.7');
  });
});

describe('the files of the deploy host', () => {
  test('an address in Jinja is not known, and that is said', () => {
    const files = filesWith(userConfig.replace('172.29.236.9', '"{{ vip }}"'));
    expect(said(definition(), files)).toEqual([
      expect.stringMatching(/^warning 5: the internal virtual address is not known/) as string,
    ]);
  });

  test('a key that stands twice is a fault, which OpenStack-Ansible would not notice', () => {
    const files = filesWith(`${userConfig}cidr_networks: { management: 10.9.0.0/16 }\n`);
    expect(said(definition(), files).join()).toMatch(/user_config.yml is no YAML that can be read: duplicat/);
  });

  test('are read as OpenStack-Ansible reads them: hosts that are merged into a group are in it', () => {
    const merged = userConfig.replace('magnum-infra_hosts: *infra\n', 'magnum-infra_hosts:\n  <<: *infra\n');
    expect(merged).not.toBe(userConfig);
    expect(said(definition(), filesWith(merged))).toEqual([]);
    expect(osaOf(definition(), filesWith(merged))).toEqual(osaOf(definition(), filesWith()));
  });

  test('several of them are one: those of conf.d beside the first', () => {
    const text = definition({ '[user_config.yml]': '[user_config.yml, conf.d/magnum.yml]' });
    const files = new Map([
      ['user_config.yml', ok(userConfig.replace('magnum-infra_hosts: *infra\n', ''))],
      ['conf.d/magnum.yml', ok('magnum-infra_hosts: { infra1: { ip: 172.29.236.11 } }\n')],
    ]);
    expect(said(text, files)).toEqual([]);
    expect(said(definition(), files).join()).toContain('no host is in the group magnum-infra_hosts');
    expect(osaOf(text, files).controlPlane.hosts).toHaveLength(3);
  });

  const besides = (beside: string): readonly string[] =>
    said(
      definition({ '[user_config.yml]': '[user_config.yml, conf.d/more.yml]' }),
      new Map([...filesWith(), ['conf.d/more.yml', ok(beside)]]),
    );

  test.each(['', '---\n# nothing yet\n'])(
    'one without a value says nothing, as on the deploy host: %j',
    (text) => {
      expect(besides(text)).toEqual([]);
    },
  );

  test('an empty mapping takes away what an earlier file said, as on the deploy host', () => {
    expect(besides('magnum-infra_hosts: {}\n').join()).toContain(
      'no host is in the group magnum-infra_hosts',
    );
  });

  test.each([
    ['- infra1\n', 'the file conf.d/more.yml is a list, not groups, networks and overrides by their names'],
    ['infra1\n', 'the file conf.d/more.yml is a text, not groups, networks and overrides by their names'],
    ['compute_hosts: [c1]\n', 'compute_hosts in conf.d/more.yml is a list, not hosts by their names'],
    ['compute_hosts: { c1: 172.29.236.16 }\n', 'compute_hosts.c1 in conf.d/more.yml is a text, not `ip: …`'],
    [
      'cidr_networks: [management]\n',
      'cidr_networks in conf.d/more.yml is a list, not networks by their names',
    ],
    [
      'global_overrides: none\n',
      'global_overrides in conf.d/more.yml is a text, not settings by their names',
    ],
  ])('one of another shape is a fault: %j', (text, wrong) => {
    expect(besides(text)).toEqual([expect.stringContaining(wrong) as string]);
  });
});
