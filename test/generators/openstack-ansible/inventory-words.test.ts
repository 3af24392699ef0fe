import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { osaTree, treeFolder } from '../../../generators/phases/openstack-ansible/tree/tree.ts';
import { clusterOf, definition } from './support.ts';
import { deployProgram, folderWith } from './python.ts';

/** As OpenStack-Ansible's does, it saves an inventory wherever it is asked; `said` is what it says to --check. */
const generator = (said: string, hosts: object): string => `import os, sys
config = sys.argv[sys.argv.index("--config") + 1]
if set(os.listdir(config)) & {"pki", "user_secrets.yml", "ansible_facts"}:
    sys.exit("that is not for others")
open(config + "/openstack_inventory.json", "w").write("{}")
if "--check" in sys.argv:
    ${said}
    sys.exit()
print('{"k8s_all": {"hosts": ["infra1-k8s"]}, "k8s_container": {"hosts": ["infra1-k8s"]}, "_meta": {"hostvars": ${JSON.stringify(hosts)}}}')
`;

const container = { 'infra1-k8s': { physical_host: 'infra1', management_address: '172.29.236.20' } };

/** What is asked on a deploy host with these files in its configuration. */
function ask(
  files: Readonly<Record<string, string>>,
  more: object = {},
  said = 'print("Configuration ok!")',
  hosts: object = container,
) {
  const checkout = folderWith({ 'inventory/dynamic_inventory.py': generator(said, hosts) });
  const directory = folderWith({ 'openstack_user_config.yml': 'a: 1\n', ...files });
  const { name, osa } = clusterOf(
    definition({ controlPlane: 'proxy: { hosts: compute_hosts }\ncontrolPlane' }),
  );
  if (osa === undefined) throw new Error('a cluster');
  const tree = osaTree(name, osa).map(({ path, text }) => [path.slice(treeFolder.length + 1), text]);
  const found = deployProgram('inventory')({
    ...{ checkout, directory, wrapper: '/nowhere', removed: [], files: Object.fromEntries(tree) as object },
    ...{
      release: '2025.2',
      layout: 'ops',
      major: 32,
      metal: false,
      containers: 1,
      hosts: ['infra1'],
      groups: [],
      all_in_one: { memory: 64, disk: 500 },
    },
    ...more,
  });
  return { directory, problems: found['problems'], hints: found['hints'] };
}

test('the generator is asked on a copy without secrets: it would save what it allocates', () => {
  const { directory, problems } = ask({ 'user_secrets.yml': 'a: b\n', 'pki/roots/key.pem': 'key' });
  expect(problems).toEqual([]);
  expect(readdirSync(directory).sort()).toEqual(['openstack_user_config.yml', 'pki', 'user_secrets.yml']);
});

test('a group that it does not know is a problem where our files have it, although it ends well', () => {
  const words = (name: string): string =>
    `UserWarning: Group ${name} was found in configuration but not the environment.\\\\n`;
  const said = `sys.stderr.write("${words('_infrastructure_hosts')}" + ("${words('k8s_hosts')}" if os.path.exists(config + "/conf.d/k8s.yml") else ""))`;
  expect(ask({}, {}, said.replace('k8s.yml', 'none.yml')).problems).toEqual([]);
  expect(ask({}, {}, said).problems).toEqual([
    'Group k8s_hosts was found in configuration but not the environment',
  ]);
});

test('a configuration that is no YAML is told with the place, not with the mark below it', () => {
  const error = [
    ...['Traceback (most recent call last):', '  File "generate.py", line 1'],
    ...['yaml.scanner.ScannerError: mapping values are not allowed here'],
    ...['  in "openstack_user_config.yml", line 3, column 8', '    a: b: c', '        ^'],
  ];
  expect(ask({}, {}, `sys.exit(${JSON.stringify(error.join('\n'))})`).problems).toEqual([
    'the inventory cannot be made: yaml.scanner.ScannerError: mapping values are not allowed here in "openstack_user_config.yml", line 3, column 8 a: b: c',
  ]);
});

test('that it ends well is not enough: only its one good word counts', () => {
  expect(ask({}, {}, 'print("{}")').problems).toEqual(['the inventory cannot be made: no reason was given']);
});

describe('variables that somebody else says as well', () => {
  test('win over those of groups where they stand in user_*.yml, so they are told with both files', () => {
    const { problems } = ask({
      'user_variables.yml': 'debug: true\nmagnum_config_overrides:\n  DEFAULT:\n    kubernetes_version: 1\n',
      'user_variables_z.yml':
        '"cilium_ipv4_cidr": 10.0.0.0/8\nkubernetes_version: 1.30.0\nmcapi_vexxhost_proxy_hosts: x\n',
    });
    const right = 'bring it into the definition, and take it out there';
    expect(problems).toEqual([
      `user_variables.yml says magnum_config_overrides as well, and may win over group_vars/magnum_all/main.yml: ${right}`,
      `user_variables_z.yml says cilium_ipv4_cidr, kubernetes_version as well, and may win over group_vars/k8s_all/main.yml: ${right}`,
      `user_variables_z.yml says mcapi_vexxhost_proxy_hosts as well, and may win over user_variables_mcapi.yml: ${right}`,
    ]);
  });

  test('do no harm where it is a matter of the whole deployment, in our own file, or in one that goes', () => {
    const files = {
      'user_variables.yml': 'magnum_flavors: []\nopenstack_host_nf_conntrack_max: 2000000\n',
      'user_variables_mcapi.yml': 'mcapi_vexxhost_proxy_hosts: compute_hosts\n',
      'user_variables_old.yml': 'kubernetes_version: 1.28.1\n',
      'user_secrets.yml': '$ANSIBLE_VAULT;1.1;AES256\n3132\n',
      'other.yml': 'kubernetes_version: 1.28.1\n',
    };
    expect(ask(files, { removed: ['user_variables_old.yml'] }).problems).toEqual([]);
    expect(readdirSync(join(ask(files).directory))).toContain('user_variables_old.yml');
  });
});

describe('a machine that is all of the cloud', () => {
  const lone = { ...container, infra1: { physical_host: 'infra1', management_address: '127.0.0.1' } };
  const hints = (all_in_one: object, hosts: object = lone): unknown =>
    ask({}, { all_in_one }, undefined, hosts).hints;

  test('is told what it lacks for workload clusters', () => {
    expect(hints({ memory: 10_000_000, disk: 20_000_000 })).toEqual([
      expect.stringMatching(
        /^infra1 is all of this cloud and has \d+ GB of memory: .* 10000000 GB for/,
      ) as string,
      expect.stringMatching(
        /^infra1 .* has \d+ GB below \/var\/lib\/nova\/instances: .* 20000000 GB for workload clusters$/,
      ) as string,
    ]);
    expect(hints({ memory: 10_000_000, disk: 0 })).toHaveLength(1);
    expect(hints({ memory: 0, disk: 0 })).toEqual([]);
  });

  test('is not one of several, and not another than the deploy host', () => {
    const all = { memory: 10_000_000, disk: 20_000_000 };
    const second = { physical_host: 'compute1', management_address: '172.29.236.21' };
    expect(hints(all, { ...lone, compute1: second })).toEqual([]);
    const elsewhere = { physical_host: 'infra1', management_address: '192.0.2.1' };
    expect(hints(all, { ...container, infra1: elsewhere })).toEqual([]);
    expect(hints(all, container)).toEqual([]);
  });
});
