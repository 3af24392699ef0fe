import * as z from 'zod';
import { defaults } from '../../defaults.ts';
import { addressWithPrefix, dnsName, duration, interfaceName, machineName, user } from '../judges.ts';
import { choice, list, map, text, whole } from '../key.ts';
import { secret } from '../secret.ts';

const { haproxy, keepalived } = defaults;

/** How something is watched; with the defaults of what it belongs to. */
export const checkKeys = (what: string, own: { interval: string; fall: number; rise: number; fastFall?: number }) =>
  map(
    {
      interval: text(duration, {
        description: `Interval between health checks of ${what}`,
        examples: ['1s'],
        default: own.interval,
      }).optional(),
      fall: whole(1, 60, {
        description: 'Failed checks in a row until it counts as down',
        examples: [2],
        ...(own.fastFall === undefined
          ? { default: own.fall }
          : { absent: `\`${own.fall}\`, or \`${own.fastFall}\` with \`failover: fast\`` }),
      }).optional(),
      rise: whole(1, 60, {
        description: 'Passed checks in a row until it counts as up again',
        examples: [2],
        default: own.rise,
      }).optional(),
    },
    { description: `How ${what} is watched`, examples: [{ interval: '1s', fall: 2, rise: 2 }] },
  ).optional();

const stats = map(
  {
    port: whole(1, 65535, { description: 'The port of the page', examples: [9000] }),
    user: text(user, {
      description: 'Who may look',
      examples: ['admin'],
      default: haproxy.statsUser,
    }).optional(),
    password: secret('The password of that user', 'HAPROXY_STATS_PASSWORD'),
  },
  {
    description: "HAProxy's page of statistics, on every load balancer",
    examples: [{ port: 9000, password: { env: 'HAPROXY_STATS_PASSWORD' } }],
    absent: 'no page',
  },
);

const haproxyKeys = map(
  {
    healthCheck: choice(['https', 'tcp'], {
      description: '`https`: an API server is up when `/readyz` says so. `tcp`: when its port answers',
      examples: ['https'],
      default: haproxy.healthCheck,
    }).optional(),
    balance: choice(['all-active', 'first-active'], {
      description: '`all-active`: every API server is used. `first-active`: the first one that is up, the others wait',
      examples: ['all-active'],
      default: haproxy.balance,
    }).optional(),
    check: checkKeys('an API server', haproxy),
    stats: stats.optional(),
    etcdPort: whole(1, 65535, {
      description:
        'The port at which etcd is balanced too, its TLS passed through. On control planes it cannot be 2379, which etcd has',
      examples: [12379],
      absent: 'etcd is not balanced',
    }).optional(),
  },
  { description: 'How requests are sent to the API servers', examples: [{ healthCheck: 'https' }] },
);

/** Of whatever virtual address. */
export const keepalivedKeys = map(
  {
    virtualRouterId: whole(1, 255, {
      description: 'The number of this VRRP group; must be the only one on its network',
      examples: [51],
      absent: 'computed from the name of the cluster and the virtual address',
    }).optional(),
    failover: choice(['standard', 'fast'], {
      description:
        '`fast` is VRRP version 3 with an advertisement each 200 ms, and one failed look at HAProxy is enough: a lost machine is replaced within a second',
      examples: ['fast'],
      default: keepalived.failover,
    }).optional(),
    vrrpVersion: z
      .literal([2, 3])
      .meta({
        description: 'The version of VRRP. Only 2 has a password, only 3 has IPv6 and less than a second',
        examples: [2, 3],
        absent: '2 for IPv4, 3 for IPv6 and for `failover: fast`',
      })
      .optional(),
    transport: choice(['unicast', 'multicast'], {
      description: 'How VRRP advertisements travel between the load balancers. Many clouds drop multicast',
      examples: ['unicast'],
      default: keepalived.transport,
    }).optional(),
    election: choice(['nopreempt', 'preempt'], {
      description:
        '`nopreempt`: whoever holds the address keeps it. `preempt`: the most preferred machine takes it back, which is a second short outage',
      examples: ['nopreempt'],
      default: keepalived.election,
    }).optional(),
    advertisementInterval: text(duration, {
      description: 'How often the holder advertises itself: whole seconds for version 2, tens of milliseconds for version 3',
      examples: ['1s'],
      absent: `\`${keepalived.advertisementInterval.standard}\`, or \`${keepalived.advertisementInterval.fast}\` with \`failover: fast\``,
    }).optional(),
    check: checkKeys('HAProxy on the same machine', keepalived),
    password: secret(
      'The VRRP password, 1 to 8 characters (checked when a run starts, since only then it is known)',
      'KEEPALIVED_PASSWORD',
    ).optional(),
  },
  { description: 'How the virtual address finds its holder', examples: [{ failover: 'fast' }] },
);

const placement = z
  .union([
    choice(['stacked', 'external', 'local', 'none'], { description: 'Where', examples: ['stacked'] }),
    map(
      {
        hosts: list(text(machineName, { description: 'A name from `hosts`', examples: ['lb01'] }), {
          description: 'Names of machines from `hosts` that balance and do nothing else',
          examples: [['lb01', 'lb02']],
        }),
      },
      { description: 'On hosts of its own', examples: [{ hosts: ['lb01', 'lb02'] }] },
    ),
  ])
  .meta({
    description:
      '`stacked`: on the control planes. `hosts`: on machines of its own. `external`: somebody else balances, like kube-vip. `local`: the balancer that kubespray puts on every node; `address` is that of a control plane, for other clients. `none`: the one control plane itself is the endpoint',
    examples: ['stacked', { hosts: ['lb01', 'lb02'] }],
    absent: '`stacked` with more than one control plane, else `none`',
  });

const loadBalancer = map(
  {
    placement: placement.optional(),
    interface: text(interfaceName, {
      description: 'The network interface that carries the virtual address',
      examples: ['eth0'],
      absent: "the one that holds the machine's `address`",
    }).optional(),
    haproxy: haproxyKeys.optional(),
    keepalived: keepalivedKeys.optional(),
  },
  { description: 'The load balancers behind the address', examples: [{ placement: 'stacked' }] },
);

export const controlPlaneEndpoint = map(
  {
    address: text(addressWithPrefix, {
      description: 'The virtual address, with the prefix of its network',
      examples: ['192.0.2.80/24'],
    }),
    dnsName: text(dnsName, {
      description:
        'The DNS name of that address, by which kubelets, kubeconfigs and certificates call the API. Nodes find it in their /etc/hosts; clients elsewhere need a record. It cannot be changed on a running cluster',
      examples: ['api.cluster.example.org'],
      absent: 'they call it by the address',
    }).optional(),
    port: whole(1, 65535, {
      description: 'The port at that address',
      examples: [6443],
      absent: `\`${defaults.stackedPort}\` when stacked, because the API server has ${defaults.apiServerPort} on the same machine, else \`${defaults.endpointPort}\``,
    }).optional(),
    loadBalancer: loadBalancer.optional(),
  },
  {
    description: 'The one address that clients of the Kubernetes API use',
    examples: [{ address: '192.0.2.80/24' }, { address: '192.0.2.80/24', dnsName: 'api.cluster.example.org' }],
    absent: 'the one control plane itself; needed with more than one',
  },
);
