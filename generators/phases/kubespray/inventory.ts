import type { Cluster, Machine } from '../../cluster/cluster.ts';
import { dataFile, expression, textOfExpression, type Data } from '../../data-file.ts';
import { leftToUser, patientSsh, verifiedSsh, verifiedSshThrough } from '../ssh-arguments.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { iniText } from './ini.ts';
import { kubesprayGroups, kubesprayMachines, type InventoryGroup } from './groups.ts';

/** Variables of one host: each defined, in a fixed order. */
export type HostVariables = Readonly<Record<string, Data>>;

/**
 * The inventory of kubespray, as YAML and as INI: the same hosts and groups with the same values. How hosts are reached
 * is written once in YAML where it is the same for all.
 */
export function kubesprayInventory(cluster: Cluster): readonly RenderedFile[] {
  const hosts = kubesprayMachines(cluster).map(
    (machine) => [machine.name, hostVariables(cluster, machine)] as const,
  );
  const groups = kubesprayGroups(cluster);
  const shared = sharedBy(hosts.map(([, variables]) => variables));
  const own = hosts.map(([name, variables]) => [name, without(variables, shared)] as const);
  return [
    dataFile(cluster.name, 'kubespray/hosts.yml', {
      why: 'the inventory of kubespray',
      data: {
        all: {
          ...(isBare(shared) ? {} : { vars: shared }),
          hosts: Object.fromEntries(own),
          children: Object.fromEntries(groups.map(asYaml)),
        },
      },
    }),
    { path: 'kubespray/hosts.ini', mode: '0644', text: iniText(cluster.name, hosts, groups) },
  ];
}

/** Variables of the connection that several hosts have, all of them with the same value. */
function sharedBy([first, ...others]: readonly HostVariables[]): HostVariables {
  if (first === undefined || others.length === 0) return {};
  return Object.fromEntries(
    Object.entries(first).filter(
      ([name, value]) =>
        name.startsWith('ansible_') && others.every((each) => isSameValue(each[name], value)),
    ),
  );
}

const isSameValue = (one: Data | undefined, other: Data): boolean =>
  one === other || (one !== undefined && textOf(one) === textOf(other));

const textOf = (value: Data): Data => textOfExpression(value) ?? value;

const without = (variables: HostVariables, shared: HostVariables): HostVariables =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => shared[name] === undefined));

const asYaml = ({ name, hosts, children }: InventoryGroup): readonly [string, Data] => [
  name,
  children.length > 0 ? { children: emptyHosts(children) } : { hosts: emptyHosts(hosts) },
];

const emptyHosts = (names: readonly string[]): Data => Object.fromEntries(names.map((name) => [name, {}]));

function hostVariables({ kubespray }: Cluster, machine: Machine): HostVariables {
  const { address, secondaryAddress, family, ssh, labels, taints } = machine;
  const secret = (variable: string): Data => (variable === '' ? '' : expression(`{{ ${variable} }}`));
  const member = kubespray.etcdMembers[machine.name] ?? '';
  const all: HostVariables = {
    ansible_host: ssh.host,
    ansible_port: ssh.port,
    ansible_user: ssh.user,
    ansible_ssh_private_key_file: ssh.privateKey,
    ansible_password: secret(ssh.passwordVariable),
    ansible_become_password: secret(ssh.becomePasswordVariable),
    // kubespray's own come before, name another file of host keys, and try a dead host a hundred times.
    ansible_ssh_args: patientSsh,
    ansible_ssh_common_args: expression(sshArguments(ssh)),
    ...(family === 6 ? sixth(address) : fourth(address)),
    ...(secondaryAddress === '' ? {} : family === 6 ? fourth(secondaryAddress) : sixth(secondaryAddress)),
    etcd_member_name: member,
    node_labels: Object.fromEntries(labels.map(({ key, value }) => [key, value])),
    node_taints: taints.map(({ key, value, effect }) => `${key}=${value}:${effect}`),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => !isEmpty(value)));
}

const fourth = (address: string): HostVariables => ({ ip: address, access_ip: address });

const sixth = (address: string): HostVariables => ({ ip6: address, access_ip6: address });

const isEmpty = (value: Data): boolean =>
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype && isBare(value));

/** An expression has its text under a symbol. */
const isBare = (value: object): boolean => Reflect.ownKeys(value).length === 0;

/** Host keys are verified as they are for our own playbooks; `inventory_dir` is one folder below the bundle. */
function sshArguments(ssh: Machine['ssh']): string {
  if (ssh.proxyJump !== '') return verifiedSshThrough(ssh);
  return ssh.hostKeys.length > 0 ? verifiedSsh : leftToUser;
}
