import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { releases } from '../../../generators/catalog/openstack-ansible/releases.ts';
import { osaTree, treeFolder } from '../../../generators/phases/openstack-ansible/tree/tree.ts';
import { clusterOf, definition, filesWith, userConfig } from './support.ts';
import { deployProgram, folderWith } from './python.ts';

/**
 * OpenStack-Ansible's own generator judges our tree: PLAYSMITH_OSA is a checkout of a release, PLAYSMITH_OSA_PYTHON a
 * Python that has its requirements (PyYAML, netaddr, prettytable, Jinja2).
 */
const checkout = process.env['PLAYSMITH_OSA'] ?? '';
const isIntegrated = existsSync(join(checkout, 'inventory/env.d/k8s.yml'));
const release = isIntegrated ? '2026.1' : '2025.2';
const pods = '  podSubnet: 172.29.200.0/22\n';
const base = definition({ '"2025.2"': `"${release}"` });

/** An all-in-one, as OpenStack-Ansible's own example has it. */
const allInOne = `cidr_networks: { management: 172.29.236.0/22 }
used_ips: ["172.29.236.1,172.29.236.100"]
global_overrides:
  internal_lb_vip_address: 172.29.236.101
  external_lb_vip_address: 203.0.113.10
  management_bridge: br-mgmt
  provider_networks:
    - network:
        container_bridge: br-mgmt
        container_type: veth
        container_interface: eth1
        ip_from_q: management
        type: raw
        group_binds: [all_containers, hosts]
        is_management_address: true
shared-infra_hosts: { aio1: { ip: 172.29.236.100 } }
magnum-infra_hosts: { aio1: { ip: 172.29.236.100 } }
octavia-infra_hosts: { aio1: { ip: 172.29.236.100 } }
`;

const three = userConfig.replace(
  / {2}provider_networks:\n.*\n/,
  () =>
    `  provider_networks:${/ {2}provider_networks:([^]*?)shared/.exec(allInOne)?.[1]?.replace(/\n$/, '') ?? ''}\n`,
);

/** What `osa-place` asks on a deploy host that has `config`. */
function asked(text: string, config: string, more: object = {}) {
  const cluster = clusterOf(text, filesWith(config));
  const { osa } = cluster;
  if (osa === undefined) throw new Error('a cluster');
  const directory = folderWith({ 'openstack_user_config.yml': config });
  const hosts = osa.controlPlane.hosts;
  const tree = osaTree('cloud-a', osa);
  return deployProgram('inventory')({
    checkout,
    directory,
    wrapper: '/nowhere',
    removed: [],
    files: Object.fromEntries(tree.map((each) => [each.path.slice(treeFolder.length + 1), each.text])),
    ...{ release, layout: osa.layout, major: releases[release]?.major },
    metal: osa.controlPlane.placement === 'metal',
    containers: hosts.reduce((sum, each) => sum + each.containers, 0),
    hosts: hosts.map(({ name }) => name),
    groups: ['magnum_all', 'octavia_all'],
    all_in_one: { memory: 64, disk: 500 },
    ...more,
  });
}

// A checkout is OpenStack-Ansible's own, from another network: the project carries none.
describe.skipIf(checkout === '')(`the inventory of OpenStack-Ansible ${release}`, () => {
  test('an all-in-one has one container', () => {
    const { problems, members } = asked(base, allInOne);
    expect(problems).toEqual([]);
    expect(members).toMatchObject({
      k8s_all: [expect.stringMatching(/^aio1-k8s-container-[0-9a-f]{8}$/) as string],
      magnum_all: expect.arrayContaining([expect.stringMatching(/^aio1/) as string]) as string[],
    });
  });

  test('an all-in-one on the deploy host itself is told what it lacks for workload clusters', () => {
    const here = allInOne.replaceAll('172.29.236.100 }', '127.0.0.1 }');
    const all_in_one = { memory: 10_000_000, disk: 20_000_000 };
    expect(asked(base, here, { all_in_one })['hints']).toEqual([
      expect.stringMatching(/^aio1 is all of this cloud and has \d+ GB of memory/) as string,
      expect.stringMatching(/^aio1 .* below \/var\/lib\/nova\/instances/) as string,
    ]);
    expect(asked(base, allInOne, { all_in_one })).toMatchObject({ problems: [], hints: [] });
  });

  test('three hosts have one each', () => {
    const { problems, members } = asked(base, three, {
      groups: ['magnum_all', 'octavia_all', 'compute_hosts'],
    });
    expect(problems).toEqual([]);
    expect(members).toMatchObject({
      k8s_all: ['infra1', 'infra2', 'infra3'].map(
        (name) => expect.stringMatching(new RegExp(`^${name}-k8s-container-`)) as string,
      ),
      compute_hosts: ['compute1'],
    });
  });

  test('a single host plays three', () => {
    const lab = base.replace(
      pods,
      `${pods}  hosts: [{ name: aio1, address: 172.29.236.100, containers: 3 }]\n`,
    );
    expect(asked(lab, allInOne)['problems']).toEqual([]);
  });

  test('without containers the hosts themselves are in the group', () => {
    const metal = base.replace(pods, `${pods}  placement: metal\n`);
    expect(asked(metal, three)).toMatchObject({
      problems: [],
      members: { k8s_all: ['infra1', 'infra2', 'infra3'] },
    });
  });

  test('our files for Magnum fill a group that nobody named', () => {
    const without = three.replace('magnum-infra_hosts', 'other-infra_hosts');
    expect(asked(base, three, { files: {} })['problems']).not.toEqual([]);
    const named = base.replace(
      pods,
      `${pods}magnum: { hosts: [{ name: infra1, address: 172.29.236.11 }] }\n`,
    );
    expect(asked(named, without.replace('other-infra_hosts', 'identity_hosts'))['problems']).toEqual([]);
  });

  test('a group that the release does not know is told, although its generator ends well', () => {
    const files = { 'conf.d/k8s.yml': 'capi_hosts: { infra1: { ip: 172.29.236.11 } }\n' };
    expect(asked(base, three, { files })['problems']).toEqual([
      'Group capi_hosts was found in configuration but not the environment',
    ]);
  });

  test('one that stands in the configuration without us is no matter', () => {
    const anchored = three.replace(
      'shared-infra_hosts:',
      '_infrastructure_hosts: &all\n  infra1: { ip: 172.29.236.11 }\nshared-infra_hosts:',
    );
    expect(asked(base, anchored)['problems']).toEqual([]);
  });

  test('another number of containers is told', () => {
    expect(asked(base, three, { containers: 1, hosts: ['infra1'] })['problems']).toHaveLength(2);
  });

  test('two addresses of one host are told in the words of the generator', () => {
    const files = {
      'conf.d/k8s.yml':
        'shared-infra_hosts: { infra1: { ip: 172.29.236.99 } }\nidentity_hosts: { infra1: { ip: 172.29.236.98 } }\n',
    };
    const [problem] = asked(base, three, { files })['problems'] as readonly string[];
    expect(problem).toMatch(/the inventory cannot be made: .*infra1/);
  });

  test('a checkout of another layout is refused before anything is made', () => {
    const other = isIntegrated ? 'ops' : 'integrated';
    expect(asked(base, three, { layout: other })).toMatchObject({
      problems: [expect.stringContaining(`so it is not release ${release}`) as string],
      members: {},
    });
  });
});

test('without OpenStack-Ansible in its place, that is the problem', () => {
  const directory = folderWith({ 'openstack_user_config.yml': userConfig });
  const nothing = {
    removed: [],
    files: {},
    hosts: [],
    groups: [],
    containers: 0,
    metal: false,
    wrapper: '/nowhere',
  };
  const found = deployProgram('inventory')({
    ...nothing,
    ...{ checkout: '/no/such', directory, release: '2025.2', layout: 'ops', major: 32 },
  });
  expect(found['problems']).toEqual([
    'there is no /no/such/inventory/dynamic_inventory.py: OpenStack-Ansible does not lie in /no/such',
  ]);
});

test('another version on the deploy host is told', () => {
  const wrapper = join(folderWith({ wrapper: 'export OSA_VERSION="31.2.1"\n' }), 'wrapper');
  const found = deployProgram('inventory')({
    ...{ removed: [], files: {}, hosts: [], groups: [], containers: 0, metal: false, wrapper },
    ...{ checkout: '/no/such', directory: folderWith(), release: '2025.2', layout: 'ops', major: 32 },
  });
  expect(found['problems']).toContain(
    'the deploy host has OpenStack-Ansible 31.2.1, which is not release 2025.2',
  );
});
