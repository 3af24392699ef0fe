import { describe, expect, test } from 'vitest';
import { failed } from '../../../generators/result.ts';
import { definition, filesWith, osaOf, said, userConfig } from './support.ts';

const pods = '  podSubnet: 172.29.200.0/22\n';

describe('a warning with the correction', () => {
  test.each<[title: string, changes: Readonly<Record<string, string>>, words: readonly string[]]>([
    [
      'a branch as a pin',
      {
        [pods]: `${pods}collections: [{ name: vexxhost.kubernetes, source: https://github.com/jrosser/ansible-collection-kubernetes, version: venv-support }]\n`,
      },
      ['venv-support is a branch', '0f058db4a27d1be14d05aefe2536c9c32d7eb7d5'],
    ],
    [
      "the driver's playbooks from master",
      {
        [pods]: `${pods}collections: [{ name: osa_ops.mcapi_vexxhost, source: 'https://opendev.org/openstack/openstack-ansible-ops#/mcapi_vexxhost', version: master }]\n`,
      },
      ['master no longer runs modules in the virtual environment', 'e254606d'],
    ],
    [
      'the option that the driver does not have',
      { [pods]: `${pods}magnum: { configuration: { capi_client: { endpoint: internalURL } } }\n` },
      ['no option endpoint', 'endpoint_type'],
    ],
    [
      'a key that haproxy_server does not read',
      { [pods]: `${pods}  haproxyService: { haproxy_interval: 15000 }\n` },
      ['reads no haproxy_interval', '→ interval'],
    ],
    [
      'tokens without encryption',
      { [pods]: `${pods}tls: { endpoint: internal }\n` },
      ['readable on the management network'],
    ],
    [
      'a provider that does not read which endpoints it should use',
      { [pods]: `${pods}versions: { provider: 0.8.0 }\n` },
      ['the provider 0.8.0 does not read which endpoints', '0.9.0 or newer'],
    ],
    ['a control plane without containers', { [pods]: `${pods}  placement: metal\n` }, ['has not tested']],
  ])('%s', (_title, changes, words) => {
    const found = said(definition(changes));
    expect(found, found.join('\n')).toHaveLength(1);
    expect(found[0]).toMatch(/^warning/);
    for (const word of words) expect(found[0]).toContain(word);
  });
});

describe('the files of the deploy host', () => {
  test.each<[title: string, text: string, words: string]>([
    [
      'without Magnum',
      userConfig.replace('magnum-infra_hosts', 'other_hosts'),
      'no host is in the group magnum-infra_hosts',
    ],
    [
      'without Octavia',
      userConfig.replace('octavia-infra_hosts', 'other_hosts'),
      'no host is in the group octavia-infra_hosts',
    ],
    ['that are no YAML', 'a: [', 'is no YAML'],
    [
      'with nobody who could carry it',
      userConfig.replace('shared-infra_hosts', 'other_hosts'),
      'name no hosts that could carry the control plane',
    ],
  ])('%s', (_title, text, words) => {
    expect(said(definition(), filesWith(text)).join('\n')).toContain(words);
  });

  test('one that is missing is one fault', () => {
    const found = said(
      definition(),
      new Map([['user_config.yml', failed('there is no file user_config.yml')]]),
    );
    expect(found).toEqual(['7: there is no file user_config.yml → a copy of a file of the deploy host']);
  });

  test('hosts that carry it already stay', () => {
    const there = `${userConfig}cluster-api_hosts:\n  capi1: { ip: 172.29.236.31 }\n`;
    expect(osaOf(definition(), filesWith(there)).controlPlane.hosts.map(({ name }) => name)).toEqual([
      'capi1',
    ]);
  });

  test('of two infrastructure hosts one carries it: two would lose etcd with either', () => {
    const two = userConfig.replace(/ {2}infra3: .*\n/, '');
    expect(osaOf(definition(), filesWith(two)).controlPlane.hosts.map(({ name }) => name)).toEqual([
      'infra1',
    ]);
  });

  test('without them nothing is compared, and that is said', () => {
    const alone = definition({
      '  configuration: [user_config.yml]\n': '',
      [pods]: `${pods}  hosts: [{ name: infra1, address: 172.29.236.11 }]\n`,
    });
    const found = said(alone, new Map());
    expect(found.every((each) => each.startsWith('warning'))).toBe(true);
    expect(found.join('\n')).toMatch(/magnum-infra_hosts is not known[^]*octavia-infra_hosts is not known/);
  });
});
