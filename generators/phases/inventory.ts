import type { Cluster, Machine, Role } from '../cluster.ts';
import { dataFile, expression, type Data } from '../data-file.ts';
import type { RenderedFile } from '../rendered-file.ts';
import { isProxied, proxyEnvironment } from './proxy-environment.ts';
import { leftToUser, verifiedSsh, verifiedSshThrough } from './ssh-arguments.ts';

type Variables = Readonly<Record<string, Data>>;

/** Who is in which group, and how each machine is reached. */
export const inventory = (cluster: Cluster): readonly RenderedFile[] => [
  dataFile(cluster.name, 'inventory/hosts.yml', { why: 'who is in which group', data: groups(cluster) }),
  dataFile(cluster.name, 'inventory/group_vars/all.yml', {
    why: 'what holds for every host',
    data: commonVariables(cluster),
  }),
  ...cluster.machines.map((machine) =>
    dataFile(cluster.name, `inventory/host_vars/${machine.name}.yml`, {
      why: `how ${machine.name} is reached`,
      data: machineVariables(machine),
    }),
  ),
];

/** Groups as kubespray names them, and ours. A group without a member is left out. */
function groups({ machines, endpoint }: Cluster): Data {
  const having = (role: Role): string[] =>
    machines.filter(({ roles }) => roles.includes(role)).map(({ name }) => name);
  const members: Readonly<Record<string, readonly string[]>> = {
    kube_control_plane: having('control-plane'),
    etcd: having('etcd'),
    kube_node: having('worker'),
    load_balancers: endpoint.balancers.map(({ name }) => name),
  };
  const present = Object.entries(members).filter(([, names]) => names.length > 0);
  const children = Object.fromEntries(present.map(([group, names]) => [group, { hosts: named(names) }]));
  const nodes = ['kube_control_plane', 'kube_node'].filter((group) => group in children);
  return {
    all: {
      hosts: named(machines.map(({ name }) => name)),
      children: nodes.length > 0 ? { ...children, k8s_cluster: { children: named(nodes) } } : children,
    },
  };
}

/** Names as keys; Ansible wants a mapping even where there is nothing to say about them. */
const named = (names: readonly string[]): Data => Object.fromEntries(names.map((name) => [name, {}]));

const commonVariables = (cluster: Cluster): Variables => ({
  ansible_ssh_common_args: expression(verifiedSsh),
  ...neededSpace(cluster),
  ...(isProxied(cluster) ? { proxy_environment: proxyEnvironment(cluster) } : {}),
});

/** What kubeadm and a node's images need, or what the load balancers need alone. */
const neededSpace = ({ kubernetes }: Cluster): Variables =>
  kubernetes.installer === 'kubeadm'
    ? { preflight_memory_megabytes: 1700, preflight_disk_megabytes: 10_000 }
    : { preflight_memory_megabytes: 200, preflight_disk_megabytes: 500 };

function machineVariables({ address, ssh }: Machine): Variables {
  const secret = (variable: string): Data => (variable === '' ? '' : expression(`{{ ${variable} }}`));
  const all: Variables = {
    ansible_host: ssh.host,
    ansible_port: ssh.port,
    ansible_user: ssh.user,
    ansible_ssh_private_key_file: ssh.privateKey,
    ansible_password: secret(ssh.passwordVariable),
    ansible_become_password: secret(ssh.becomePasswordVariable),
    ansible_ssh_common_args: ownSsh(ssh),
    ip: address,
    access_ip: address,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

/** Empty where what holds for every host is right. */
function ownSsh(ssh: Machine['ssh']): Data {
  if (ssh.proxyJump !== '') return expression(verifiedSshThrough(ssh));
  return ssh.hostKeys.length > 0 ? '' : expression(leftToUser);
}
