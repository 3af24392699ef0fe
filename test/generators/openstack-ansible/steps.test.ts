import { describe, expect, test } from 'vitest';
import { pack } from '../../../generators/bundle.ts';
import { playbooks } from '../../../generators/playbooks.ts';
import { outline } from '../../../generators/outline/outline.ts';
import { osaSteps } from '../../../generators/phases/openstack-ansible/steps.ts';
import { render } from '../../../generators/render.ts';
import { breaches } from '../../support/rules/invariants.ts';
import { templates } from '../../support/definitions/templates.ts';
import { clusterOf, definition, osaOf } from './support.ts';

const pods = '  podSubnet: 172.29.200.0/22\n';
const integrated = definition({ '"2025.2"': '"2026.1"' });
const commands = (text: string, list: 'deployNew' | 'deployExisting'): string[] =>
  osaSteps(osaOf(text))[list].map(({ argv }) => argv.join(' '));

describe('the order of the commands', () => {
  test('an existing OpenStack gets credentials before Magnum, which opens them', () => {
    expect(
      commands(definition({ [pods]: `${pods}proxy: { hosts: compute_hosts }\n` }), 'deployExisting'),
    ).toEqual([
      'openstack-ansible scripts/get-ansible-collection-requirements.yml',
      '/opt/ansible-runtime/bin/pip install --requirement /etc/openstack_deploy/user-ansible-venv-requirements.txt',
      'openstack-ansible openstack.osa.containers_lxc_create --limit localhost,lxc_hosts,k8s_all,cluster-api_hosts',
      'openstack-ansible osa_ops.mcapi_vexxhost.mcapi_control_plane_k8s --extra-vars resolvconf_enabled=false',
      'openstack-ansible osa_ops.mcapi_vexxhost.mcapi_magnum_integration',
      'openstack-ansible openstack.osa.magnum',
      'openstack-ansible osa_ops.mcapi_vexxhost.mcapi_proxy',
    ]);
  });

  test('a new one gets the control plane between infrastructure and OpenStack', () => {
    expect(commands(definition(), 'deployNew').slice(2)).toEqual([
      'openstack-ansible openstack.osa.setup_hosts',
      'openstack-ansible openstack.osa.setup_infrastructure',
      'openstack-ansible osa_ops.mcapi_vexxhost.mcapi_control_plane_k8s --extra-vars resolvconf_enabled=false',
      'openstack-ansible osa_ops.mcapi_vexxhost.mcapi_magnum_integration',
      'openstack-ansible openstack.osa.setup_openstack',
    ]);
  });

  test('with hooks the set-up calls them itself', () => {
    const hooks = definition({ '  configuration': '  hooks: enabled\n  configuration' });
    expect(commands(hooks, 'deployNew').join()).not.toContain('mcapi_control_plane');
  });

  test('from 2026.1 on the playbooks are OpenStack-Ansible’s own, with its own name of the group', () => {
    expect(commands(integrated, 'deployExisting')).toEqual([
      'openstack-ansible openstack.osa.containers_lxc_create --limit localhost,lxc_hosts,k8s_all,cluster_api_hosts',
      'openstack-ansible openstack.osa.k8s',
      'openstack-ansible openstack.osa.magnum',
    ]);
  });

  test('collections of the definition are installed, by either way', () => {
    const own = '[{ name: a.b, source: https://git.example.org/b, version: v1.0.0 }]';
    const text = integrated.replace(pods, `${pods}collections: ${own}\n`);
    const first = 'openstack-ansible scripts/get-ansible-collection-requirements.yml';
    expect(commands(text, 'deployNew')[0]).toBe(first);
    expect(commands(text, 'deployExisting')[0]).toBe(first);
    expect(commands(integrated, 'deployNew')).toEqual(
      ['hosts', 'infrastructure', 'openstack'].map((each) => `openstack-ansible openstack.osa.setup_${each}`),
    );
  });

  test('without containers none are created', () => {
    const metal = definition({ [pods]: `${pods}  placement: metal\n` });
    expect(commands(metal, 'deployExisting').join()).not.toContain('containers_lxc_create');
  });
});

test('the functional test is done in every run, and asks first where it would make a network and a flavor', () => {
  const own = '{ externalNetwork: ext, flavor: m1.large }';
  const bundle = (text: string): string => {
    const cluster = clusterOf(text);
    const file = pack(cluster, render(cluster, templates)).files.find(
      ({ path }) => path === 'osa-functional-test.yml',
    );
    return file?.text ?? '';
  };
  const asking = "that: osa_functional_test_confirm | default('') == osa_cluster";
  expect(bundle(definition())).toContain(asking);
  const named = bundle(definition({ [pods]: `${pods}functionalTest: ${own}\n` }));
  expect(named).not.toContain(asking);
  expect(named).toContain('always: true');
});

describe.each([
  ['2025.2', definition({ [pods]: `${pods}proxy: { hosts: compute_hosts }\n` })],
  ['2026.1', integrated],
])('the bundle for %s', (_release, text) => {
  const cluster = clusterOf(text);
  const { files } = pack(cluster, render(cluster, templates));

  test('keeps the house rules for playbooks', () => {
    expect(breaches(files)).toEqual([]);
  });

  test('has each file once, and the same bytes again', () => {
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
    expect(pack(cluster, [...render(cluster, { ...templates })].reverse()).files).toEqual(files);
  });

  test('knows the deploy host and the number of tasks of every playbook', () => {
    for (const { file, hosts } of playbooks(cluster)) {
      expect(hosts).toEqual(['deploy-host']);
      expect(outline(files, file).tasks).toBeGreaterThan(4);
    }
  });
});
