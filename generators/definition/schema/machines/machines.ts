import { defaults } from '../../defaults.ts';
import { publicKey } from './host-key.ts';
import { absolutePath, address, host, jumpHost, machineName, user } from '../judges.ts';
import { choice, list, map, oneOrMore, text, whole } from '../key.ts';
import { nodeMarks } from './labels.ts';
import { secret } from '../secret.ts';

const access = {
  port: whole(1, 65535, {
    description: 'The port of its sshd',
    examples: [22],
    default: defaults.sshPort,
  }).optional(),
  user: text(user, {
    description: 'The user to log in as: root, or one that may use sudo',
    examples: ['ubuntu'],
    absent: '`ssh.user` of the cluster; one of the two is needed',
  }).optional(),
  privateKey: text(absolutePath, {
    description: 'A private key **on the Ansible server**',
    examples: ['~/.ssh/id_ed25519'],
    absent: "the default keys of the Ansible server's user",
  }).optional(),
  password: secret('The login password', 'SSH_PASSWORD').optional(),
  becomePassword: secret('The password for sudo', 'SUDO_PASSWORD').optional(),
  proxyJump: text(jumpHost, {
    description:
      'The jump host between the Ansible server and the machine, as OpenSSH writes it. `none`: straight, whatever all others do',
    examples: ['ubuntu@bastion.example.org:22'],
    absent: 'straight',
  }).optional(),
};

const oneHostKey = text(publicKey, {
  description: 'A public host key',
  examples: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWF5R/rGki6T+Vb4BMpf3PZzZ3P+ldk4MJKR8K07W36'],
});

const machineSsh = map(
  {
    host: text(host, {
      description: 'The name or address that the Ansible server reaches it by, when that is not `address`',
      examples: ['203.0.113.11'],
      absent: '`address`',
    }).optional(),
    ...access,
    hostKey: oneOrMore(oneHostKey, {
      description: 'The public host key that it must present, or a list of them; as `ssh-keyscan` prints it',
      examples: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWF5R/rGki6T+Vb4BMpf3PZzZ3P+ldk4MJKR8K07W36'],
      absent: 'not pinned, so the machine cannot be reached until it is',
    }).optional(),
  },
  { description: 'How the Ansible server reaches it', examples: [{ host: '203.0.113.11', user: 'ubuntu' }] },
);

const common = {
  name: text(machineName, {
    description: 'Its name in inventories, configuration files and output; it may include a domain',
    examples: ['worker-01'],
  }),
  address: text(address, {
    description: "Its address on the cluster's network, without a prefix",
    examples: ['192.0.2.21'],
  }),
  vrrpPriority: whole(1, 254, {
    description: 'VRRP priority: the highest is preferred as the holder of the virtual address; only for machines that may hold it',
    examples: [103],
    absent: 'computed from the last byte of `address`, so that no other machine can change it',
  }).optional(),
  ssh: machineSsh.optional(),
};

export const sshDefaults = map(access, {
  description: 'How the Ansible server reaches every machine, unless the machine says otherwise',
  examples: [{ user: 'ubuntu' }],
});

export const nodes = list(
  map(
    {
      ...common,
      secondaryAddress: text(address, {
        description:
          "Its address of the other family on the cluster's network, in a dual-stack cluster: the kubelet registers both",
        examples: ['2001:db8::21'],
        absent: 'one family; each node of a dual-stack cluster needs it',
      }).optional(),
      ...nodeMarks,
      roles: list(choice(['control-plane', 'etcd', 'worker'], { description: 'A role', examples: ['worker'] }), {
        description:
          'Roles of the node. If no node has `etcd`, every control plane has it. A control plane without `worker` runs no workloads',
        examples: [['control-plane'], ['control-plane', 'worker']],
        default: ['worker'],
      }).optional(),
    },
    { description: 'A node', examples: [{ name: 'worker-01', address: '192.0.2.21' }] },
  ),
  { description: 'The machines that become the cluster', examples: [[{ name: 'worker-01', address: '192.0.2.21' }]] },
);

export const hosts = list(
  map(common, { description: 'A machine', examples: [{ name: 'lb01', address: '192.0.2.31' }] }),
  {
    description: 'Machines beside the cluster, like load balancers; used where their name is written',
    examples: [[{ name: 'lb01', address: '192.0.2.31' }]],
  },
);
