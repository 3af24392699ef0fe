import type { MachineSsh } from '../cluster/cluster.ts';
import { expression } from '../data-file.ts';
import { refuseJinja } from '../engine.ts';

/** Beside the playbook; kubespray's playbooks lie elsewhere, and get the bundle's own inventory. AWX's inventory is a copy. */
const ofBundle = `"{{ [playbook_dir ~ '/known_hosts', inventory_dir ~ '/../known_hosts'] | select('file') | first }}"`;
const ofUser = '~/.ssh/known_hosts';

const verifyingOptions = (known: string): string =>
  `-o 'UserKnownHostsFile=${known}' -o StrictHostKeyChecking=yes`;

/** A machine with keys in the definition must show one of these, whatever else the Ansible server knows. */
export const verifiedSsh = `${verifyingOptions(ofBundle)} -o GlobalKnownHostsFile=/dev/null`;

/** One connection for many tasks. A host that stops answering is noticed after 15 seconds, also in the middle of a task. */
export const patientSsh =
  '-o ControlMaster=auto -o ControlPersist=60s -o ConnectTimeout=10 -o ServerAliveInterval=5 -o ServerAliveCountMax=3';

/** What holds for every host: the environment of whoever runs Ansible cannot turn the check off. */
export const sshVariables = {
  ansible_host_key_checking: true,
  // Without a terminal, and in one connection a task, wherever ansible.cfg is not read.
  ansible_pipelining: true,
  ansible_ssh_common_args: expression(verifiedSsh),
} as const;

/** A machine without is left to the known_hosts of the user who runs Ansible. */
export const leftToUser = verifyingOptions(ofUser);

/**
 * The same, through a jump host that is verified in the same way: `ProxyJump` would not pass our files on. No ssh_config takes part, as it
 * takes none where a run reaches a host without one.
 */
export function verifiedSshThrough({ proxyJump, privateKey, hostKeys }: MachineSsh): string {
  const { user, host, port } = jump(proxyJump);
  const identity = privateKey === '' ? '' : `-o 'IdentityFile="${unquotable(privateKey)}"' `;
  const login = user === '' ? '' : `-l ${user} `;
  const proxy = `ssh -F /dev/null ${verifyingOptions(`${ofBundle} ${ofUser}`)} -o BatchMode=yes ${identity}${login}-p ${port} -W [%h]:%p ${host}`;
  const own = hostKeys.length > 0 ? verifiedSsh : leftToUser;
  return `${own} -o "ProxyCommand=${proxy.replaceAll('"', '\\"')}"`;
}

/** Two shells and ssh read this text between quotes. */
function unquotable(path: string): string {
  refuseJinja(path);
  if (/["'\\$`%\p{Cc}]/u.test(path))
    throw new TypeError(`${JSON.stringify(path)} cannot stand in a command of ssh`);
  return path;
}

function jump(text: string): { readonly user: string; readonly host: string; readonly port: string } {
  const found =
    /^(?:(?<user>\w[\w.-]*)@)?(?:\[(?<literal>[\da-fA-F:.]+)\]|(?<host>\w[\w.-]*))(?::(?<port>\d+))?$/.exec(
      text,
    );
  if (found?.groups === undefined) throw new TypeError(`${JSON.stringify(text)} is no jump host`);
  const { user = '', literal, host, port = '22' } = found.groups;
  return { user, host: literal ?? host ?? '', port };
}
