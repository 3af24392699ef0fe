import { defaults } from '../../defaults.ts';
import { subnet } from '../judges.ts';
import { list, map, oneOrMore, text, whole } from '../key.ts';
import { plugin } from './plugin.ts';
import { noProxyEntry, proxyUrl } from '../machines/proxy-judges.ts';
import { secret } from '../secret.ts';

const networkKey = (description: string, examples: readonly unknown[], absent: string) =>
  oneOrMore(text(subnet, { description: 'A network', examples: ['10.244.0.0/16'] }), {
    description,
    examples,
    absent,
  }).optional();

export const network = map(
  {
    nodeSubnet: networkKey(
      'The network that nodes and the virtual address live in, or a list of them',
      ['192.0.2.0/24'],
      'the network of `controlPlaneEndpoint.address`',
    ),
    podSubnet: networkKey(
      'Addresses of pods; one of each family for dual stack, where each node needs a `secondaryAddress`',
      ['10.244.0.0/16', ['10.244.0.0/16', 'fd00:10:244::/56']],
      `\`${defaults.podSubnet[4]}\`, or \`${defaults.podSubnet[6]}\` in an IPv6 cluster`,
    ),
    serviceSubnet: networkKey(
      'Addresses of services; the same families as `podSubnet`',
      ['10.96.0.0/16', ['10.96.0.0/16', 'fd00:10:96::/112']],
      `\`${defaults.serviceSubnet[4]}\`, or \`${defaults.serviceSubnet[6]}\` in an IPv6 cluster`,
    ),
    apiServerPort: whole(1, 65535, {
      description: 'The port that each API server listens on',
      examples: [6443],
      default: defaults.apiServerPort,
    }).optional(),
    plugin: plugin.optional(),
    mtu: whole(1280, 9216, {
      description:
        'The largest packet of the pods, in bytes, what the plugin wraps it in not counted: the same with every plugin',
      examples: [1450],
      absent: 'the plugin finds out',
    }).optional(),
  },
  { description: 'Networks of the cluster', examples: [{ nodeSubnet: '192.0.2.0/24' }] },
);

const url = (kind: string) =>
  text(proxyUrl, {
    description: `The proxy for ${kind}. Without a user and a password in it: \`credentials\` says where they are kept`,
    examples: ['http://proxy.example.org:3128'],
    absent: 'none',
  }).optional();

export const proxy = map(
  {
    http: url('http'),
    https: url('https'),
    credentials: map(
      {
        user: secret('The user name for the proxies', 'PROXY_USER'),
        password: secret('Its password', 'PROXY_PASSWORD'),
      },
      {
        description:
          'Credentials for the proxies. On each host they are in files that only root can read, and never in the arguments of a program',
        examples: [{ user: { env: 'PROXY_USER' }, password: { env: 'PROXY_PASSWORD' } }],
        absent: 'they ask nobody',
      },
    ).optional(),
    noProxy: list(
      text(noProxyEntry, {
        description: 'A host name, a domain, an address or a network',
        examples: ['.example.org'],
      }),
      {
        description: "What is reached without the proxy. The cluster's own networks and addresses are added",
        examples: [['10.0.0.0/8', '.example.org']],
        absent: 'nothing more',
      },
    ).optional(),
  },
  {
    description: 'HTTP proxies between the machines and the internet',
    examples: [{ https: 'http://proxy.example.org:3128' }],
    absent: 'straight',
  },
);
