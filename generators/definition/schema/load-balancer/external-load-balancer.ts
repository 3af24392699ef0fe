import { defaults } from '../../defaults.ts';
import { checkKeys, keepalivedKeys } from './endpoint.ts';
import { addressWithPrefix, duration, interfaceName, localPath, machineName, matching, word } from '../judges.ts';
import { choice, list, map, text, whole } from '../key.ts';

const own = defaults.externalLoadBalancer;

const label = matching(
  /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
  'a name that Kubernetes takes',
  'small letters, digits and hyphens, like web',
);

const port = (description: string, example: number) => whole(1, 65535, { description, examples: [example] });

const service = map(
  {
    name: text(label, { description: 'The name of the Service', examples: ['web'] }),
    namespace: text(label, {
      description: 'Its namespace',
      examples: ['tenant-a'],
      default: own.namespace,
    }).optional(),
    port: port('The port at the load balancer', 80),
    servicePort: whole(1, 65535, {
      description: 'The port of the Service, by which its node port is looked up',
      examples: [80],
      absent: '`port`',
    }).optional(),
    nodePort: whole(1, 65535, {
      description: 'The port at each node',
      examples: [30080],
      absent: 'looked up in the cluster whenever the playbook runs',
    }).optional(),
    protocol: choice(['TCP', 'UDP', 'SCTP'], {
      description: 'Only TCP can be balanced; another one is refused with the reason',
      examples: ['TCP'],
      default: own.protocol,
    }).optional(),
    backends: choice(['workers', 'control-planes'], {
      description: 'The nodes that connections are sent to',
      examples: ['workers'],
      default: own.backends,
    }).optional(),
    externalTrafficPolicy: choice(['Cluster', 'Local'], {
      description: 'As the Service says it. `Local`: only nodes that run a pod of it answer, and the health check finds them',
      examples: ['Cluster'],
      default: own.externalTrafficPolicy,
    }).optional(),
    healthCheckNodePort: whole(1, 65535, {
      description: 'As the Service says it, with `Local`: the port at which a node says whether it has a pod of it',
      examples: [31080],
      absent: 'with `Local`, a node is up when `nodePort` takes a connection',
    }).optional(),
  },
  { description: 'A Service', examples: [{ name: 'web', port: 80, nodePort: 30080 }] },
);

const script = map(
  {
    path: text(localPath, {
      description: 'The script, relative to the definition; it is run as root, and must bear being run again',
      examples: ['scripts/load-balancer.sh'],
    }),
    arguments: list(text(word, { description: 'A word', examples: ['-m'] }), {
      description:
        'What it is told. `<control-planes>` and `<workers>` stand for their addresses, separated by commas. It runs again when a word or the script has changed',
      examples: [['-m', '<control-planes>', '-w', '<workers>']],
      absent: 'nothing',
    }).optional(),
  },
  {
    description: 'A script of your own that does everything instead of HAProxy as it is configured here',
    examples: [{ path: 'scripts/load-balancer.sh' }],
    absent: 'HAProxy, as the other keys say it',
  },
);

export const externalLoadBalancer = map(
  {
    hosts: list(text(machineName, { description: 'A name from `hosts`', examples: ['elb01'] }), {
      description: 'Names of machines from `hosts`',
      examples: [['elb01', 'elb02']],
    }),
    address: text(addressWithPrefix, {
      description: 'The virtual address that one of the hosts holds, with the prefix of its network',
      examples: ['192.0.2.90/24'],
      absent: 'none: clients use the addresses of the hosts',
    }).optional(),
    interface: text(interfaceName, {
      description: 'The network interface that carries the virtual address',
      examples: ['eth0'],
      absent: "the one that holds the machine's `address`",
    }).optional(),
    api: map(
      { port: port('The port at the load balancer', 6443) },
      {
        description: 'Clients reach the Kubernetes API here too',
        examples: [{ port: 6443 }],
        absent: 'they do not',
      },
    ).optional(),
    services: list(service, {
      description: 'Services that clients outside the cluster reach',
      examples: [[{ name: 'web', port: 80, nodePort: 30080 }]],
      absent: 'those of `manifests`',
    }).optional(),
    manifests: list(text(localPath, { description: 'A file, relative to the definition', examples: ['manifests/web.yaml'] }), {
      description:
        'Kubernetes manifests of yours. Each Service of type NodePort or LoadBalancer in them is balanced at its own port, unless `services` names it',
      examples: [['manifests/web.yaml']],
      absent: 'only what `services` says is balanced',
    }).optional(),
    healthPort: whole(1, 65535, {
      description: 'The port at which kube-proxy, or what stands for it, says that a node takes traffic for Services',
      examples: [10256],
      default: own.healthPort,
    }).optional(),
    check: checkKeys('a node', own),
    drain: text(duration, {
      description: 'How long connections to a node that is taken out may last before they are cut',
      examples: ['30s'],
      default: own.drain,
    }).optional(),
    keepalived: keepalivedKeys.optional(),
    script: script.optional(),
  },
  {
    description: 'Machines outside the cluster through which clients reach Services, and the API',
    examples: [{ hosts: ['elb01'], services: [{ name: 'web', port: 80, nodePort: 30080 }] }],
    absent: 'none',
  },
);
