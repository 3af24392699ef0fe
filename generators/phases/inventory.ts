import type { Cluster, Machine } from '../cluster/cluster.ts';
import { dataFile, expression, type Data, type DataByName } from '../data-file.ts';
import { clusterGroups, reachedGroup, rolledGroup } from './groups.ts';
import type { RenderedFile } from '../rendered-file.ts';
import { isProxied, proxyEnvironment } from './proxy-environment.ts';
import { keptFolder } from './kept-folder.ts';
import { leftToUser, sshVariables, verifiedSshThrough } from './ssh-arguments.ts';

/** Who is in which group, and how each machine is reached. */
export const inventory = (cluster: Cluster): readonly RenderedFile[] => [
  dataFile(cluster.name, 'inventory/hosts.yml', { why: 'who is in which group', data: groups(cluster) }),
  dataFile(cluster.name, 'inventory/group_vars/all.yml', {
    why: 'what holds for every host',
    data: commonVariables(cluster),
  }),
  ...neededByNodes(cluster).map(({ group, data }) =>
    dataFile(cluster.name, `inventory/group_vars/${group}.yml`, { why: `what holds for ${group}`, data }),
  ),
  ...cluster.machines.map((machine) =>
    dataFile(cluster.name, `inventory/host_vars/${machine.name}.yml`, {
      why: `how ${machine.name} is reached`,
      data: machineVariables(machine),
    }),
  ),
];

/** The groups as Ansible reads them; `k8s_cluster` is made of the others. */
function groups(cluster: Cluster): Data {
  const { all = [], k8s_cluster, ...members } = Object.fromEntries(clusterGroups(cluster));
  const children = Object.fromEntries(
    Object.entries(members).map(([group, names]) => [group, { hosts: emptyHosts(names) }]),
  );
  const nodes = ['kube_control_plane', 'kube_node'].filter((group) => group in children);
  return {
    all: {
      hosts: emptyHosts(all),
      children: {
        ...children,
        ...(k8s_cluster ? { k8s_cluster: { children: emptyHosts(nodes) } } : {}),
        ...reachedGroup,
        ...(cluster.kubernetes.installer === 'kubeadm' ? rolledGroup : {}),
      },
    },
  };
}

/** Names as keys; Ansible wants a mapping even where there is nothing to say about them. */
const emptyHosts = (names: readonly string[]): Data => Object.fromEntries(names.map((name) => [name, {}]));

const commonVariables = (cluster: Cluster): DataByName => ({
  ...sshVariables,
  // On the machine that runs Ansible: snapshots, kubeconfig and what else outlives a run.
  kept_folder: keptFolder(cluster),
  // What a load balancer needs, and every host at least.
  preflight_memory_megabytes: 200,
  preflight_disk_megabytes: 500,
  ...(isProxied(cluster) ? { proxy_environment: proxyEnvironment(cluster) } : {}),
});

/** What the kubelet, the images of a node and, on a control plane, kubeadm need beside that. */
const neededByNodes = (cluster: Cluster): readonly { readonly group: string; readonly data: DataByName }[] =>
  cluster.kubernetes.installer === 'kubeadm'
    ? [
        {
          group: 'k8s_cluster',
          data: { preflight_memory_megabytes: 700, preflight_disk_megabytes: freeMegabytes(cluster) },
        },
        { group: 'kube_control_plane', data: { preflight_memory_megabytes: 1700 } },
      ]
    : [];

const freeMegabytes = ({ kubernetes }: Cluster): number => kubernetes.preflight.freeMegabytes;

/** How a machine is reached; what says nothing is left out. */
export function machineVariables({ address, secondaryAddress, ssh }: Machine): DataByName {
  const secret = (variable: string): Data => (variable === '' ? '' : expression(`{{ ${variable} }}`));
  const all: DataByName = {
    ansible_host: ssh.host,
    ansible_port: ssh.port,
    ansible_user: ssh.user,
    ansible_ssh_private_key_file: ssh.privateKey,
    ansible_password: secret(ssh.passwordVariable),
    ansible_become_password: secret(ssh.becomePasswordVariable),
    ansible_ssh_common_args: ownSsh(ssh),
    ip: address,
    access_ip: address,
    secondary_ip: secondaryAddress,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

/** Empty where what holds for every host is right. */
function ownSsh(ssh: Machine['ssh']): Data {
  if (ssh.proxyJump !== '') return expression(verifiedSshThrough(ssh));
  return ssh.hostKeys.length > 0 ? '' : expression(leftToUser);
}
