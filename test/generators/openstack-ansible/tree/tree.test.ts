import { describe, expect, test } from 'vitest';
import { readByHaproxy } from '../../../../generators/catalog/openstack-ansible/haproxy-keys.ts';
import { definition, filesWith, osaOf, treeOf } from '../support.ts';

type Tree = Readonly<Record<string, unknown>>;
const at = (path: string, text = definition(), files = filesWith()): Tree =>
  treeOf(osaOf(text, files)).get(path) as Tree;
const pods = '  podSubnet: 172.29.200.0/22\n';
const integrated = definition({ '"2025.2"': '"2026.1"' });
const k8s = 'group_vars/k8s_all/main.yml';
const magnum = 'group_vars/magnum_all/main.yml';

describe('which files there are', () => {
  test('before 2026.1 OpenStack-Ansible ships nothing, so all is ours', () => {
    expect([...treeOf(osaOf()).keys()]).toEqual([
      'conf.d/k8s.yml',
      'env.d/k8s.yml',
      'group_vars/k8s_all/haproxy_service.yml',
      k8s,
      magnum,
      'playsmith/functional-test.yml',
      'user-ansible-venv-requirements.txt',
      'user-collection-requirements.yml',
    ]);
  });

  test('from 2026.1 on it ships groups, wiring and collections', () => {
    expect([...treeOf(osaOf(integrated)).keys()]).toEqual([
      'conf.d/k8s.yml',
      'group_vars/k8s_all/haproxy_service.yml',
      k8s,
      magnum,
      'playsmith/functional-test.yml',
    ]);
  });
});

describe('the inventory', () => {
  test('the group has the name that the release knows', () => {
    expect(Object.keys(at('conf.d/k8s.yml'))).toEqual(['cluster-api_hosts']);
    expect(Object.keys(at('conf.d/k8s.yml', integrated))).toEqual(['cluster_api_hosts']);
  });

  test('hosts of Magnum are written where the definition names them', () => {
    const text = definition({
      [pods]: `${pods}magnum: { hosts: [{ name: infra1, address: 172.29.236.11 }] }\n`,
    });
    expect(at('conf.d/magnum.yml', text)).toEqual({
      'magnum-infra_hosts': { infra1: { ip: '172.29.236.11' } },
    });
    expect(at('conf.d/magnum.yml', text.replace('"2025.2"', '"2026.1"'))).toHaveProperty(
      'magnum_infra_hosts',
    );
  });

  test('several containers on one host, and none', () => {
    const lab = `${pods}  hosts: [{ name: aio1, address: 172.29.236.100, containers: 3 }]\n`;
    expect(at('conf.d/k8s.yml', definition({ [pods]: lab }))).toEqual({
      'cluster-api_hosts': { aio1: { ip: '172.29.236.100', affinity: { k8s_container: 3 } } },
    });
    const metal = definition({ [pods]: `${pods}  placement: metal\n` });
    expect(at('conf.d/k8s.yml', metal)).toMatchObject({
      'cluster-api_hosts': { infra1: { no_containers: true } },
    });
    expect(at(k8s, metal)['kubernetes_control_plane_group']).toBe('k8s_all');
    expect(at(k8s)['kubernetes_control_plane_group']).toBe('k8s_container');
  });
});

describe('haproxy', () => {
  const file = 'group_vars/k8s_all/haproxy_service.yml';
  const service = (text: string): Tree => at(file, text)['haproxy_k8s_service'] as Tree;

  test('every key is one that the role reads', () => {
    expect(Object.keys(service(definition())).filter((key) => !readByHaproxy.includes(key))).toEqual([]);
    const overrides = at(file, integrated)['haproxy_k8s_service_overrides'] as Tree;
    expect(Object.keys(overrides).filter((key) => !readByHaproxy.includes(key))).toEqual([]);
  });

  test('it listens on the internal address alone, as TCP, with one kind of check', () => {
    for (const each of [service(definition()), at(file, integrated)['haproxy_k8s_service_overrides'] as Tree])
      expect(each).toMatchObject({
        haproxy_bind: expect.stringContaining('internal_lb_vip_address') as string,
        haproxy_stick_table_enabled: false,
        haproxy_backend_options: ['log-health-checks', 'httpchk GET /healthz'],
        interval: 15_000,
        backend_rise: 2,
        backend_fall: 2,
      });
  });

  test('an address behind a name is listened on', () => {
    const named = definition({
      '  configuration':
        '  internalAddress: api.example.org\n  internalBindAddress: 172.29.236.9\n  configuration',
    });
    expect(service(named)['haproxy_bind']).toEqual(['172.29.236.9']);
  });

  test('a key that nobody reads is written under its right name', () => {
    const given = definition({ [pods]: `${pods}  haproxyService: { haproxy_interval: 9000 }\n` });
    expect(service(given)).toMatchObject({ interval: 9000 });
    expect(service(given)).not.toHaveProperty('haproxy_interval');
  });
});

describe('versions and pins', () => {
  test('every collection is at a commit or a tag, with the source without which it would be dropped', () => {
    const { collections } = at('user-collection-requirements.yml') as {
      readonly collections: readonly { readonly source: string; readonly version: string }[];
    };
    expect(collections).toHaveLength(4);
    for (const { source, version } of collections) {
      expect(source).toMatch(/^https:/);
      expect(version).toMatch(/^[0-9a-f]{40}$|^v?\d+\.\d+\.\d+$/);
    }
  });

  test('the sum of clusterctl that the pinned collection lacks is given, and no other', () => {
    expect(at(k8s)['clusterctl_checksums']).toMatchObject({
      amd64: { '1.8.4': expect.stringMatching(/^a7f40c/) as string },
    });
    const other = definition({ [pods]: `${pods}versions: { clusterctl: 1.6.0 }\n` });
    expect(at(k8s, other)).not.toHaveProperty('clusterctl_checksums');
    expect(at(k8s, integrated)).not.toHaveProperty('clusterctl_checksums');
  });

  test('the version of Cluster API goes to the variables that the pinned collection reads', () => {
    expect(at(k8s, definition({ [pods]: `${pods}versions: { clusterApi: 1.6.0 }\n` }))).toMatchObject({
      cluster_api_core_version: '1.6.0',
      cluster_api_bootstrap_version: '1.6.0',
      cluster_api_control_plane_version: '1.6.0',
    });
    expect(at(k8s, integrated)).not.toHaveProperty('cluster_api_core_version');
  });

  test('a collection of the definition takes the place of the pinned one', () => {
    const own =
      '[{ name: vexxhost.containers, source: https://git.example.org/containers, version: v1.6.6 }]';
    const text = definition({ [pods]: `${pods}collections: ${own}\n` });
    expect(osaOf(text).collections.map(({ source }) => source)).toContain(
      'https://git.example.org/containers',
    );
    expect(osaOf(text).collections).toHaveLength(4);
  });

  test('profiles of AppArmor are for Debian alone', () => {
    const redhat = definition({ [pods]: `${pods}  system: redhat\n` });
    expect(at(k8s)['lxc_container_config_list']).toEqual(['lxc.apparmor.profile=unconfined']);
    expect(at(k8s, redhat)['lxc_container_config_list']).toEqual([]);
  });
});
