import { randomBytes } from 'node:crypto';
import type { Bundle } from '../../../generators/bundle.ts';
import { bundleOf } from '../definitions/bundles.ts';
import type { Sshd } from './sshd.ts';

/** A name for one test alone: the fence of a cluster is one for the whole machine. */
export const uniqueCluster = (): string => `fence-${randomBytes(4).toString('hex')}`;

/** A bundle whose hosts are this machine, each reached by real SSH; `become` as the playbooks of clusters do. */
export const overSshd = (sshd: Sshd, cluster: string, tasks: string, hosts = ['one']): Bundle =>
  bundleOf(
    {
      'ansible.cfg': `[defaults]\ninventory = inventory\n[ssh_connection]\npipelining = True\nssh_args = -o ControlMaster=auto -o ControlPersist=60s -o ConnectTimeout=5\n`,
      'inventory/hosts.yml': `${JSON.stringify({ all: { hosts: Object.fromEntries(hosts.map((name) => [name, loopback(sshd)])) } })}\n`,
      'site.yml': `- name: Work\n  hosts: all\n  gather_facts: false\n  become: true\n  tasks:\n${tasks}`,
    },
    cluster,
  );

const loopback = (sshd: Sshd): object => ({
  ansible_host: '127.0.0.1',
  ansible_port: sshd.port,
  ansible_user: 'root',
  ansible_python_interpreter: '/usr/bin/python3',
  ansible_ssh_private_key_file: sshd.privateKey,
  ansible_ssh_common_args: `-o UserKnownHostsFile=${sshd.around.home}/.ssh/known_hosts`,
});

/** A task that runs a command of the shell. */
export const shell = (command: string): string =>
  `    - name: Do\n      ansible.builtin.shell: ${JSON.stringify(command)}\n      changed_when: true\n`;
