import type { Path } from '../../source/finding.ts';
import { joinParts, part, type ImportPart, type Wishes } from '../part.ts';
import { itemsOf } from '../../source/foreign/look.ts';
import { doubtAt, type ForeignScalar } from '../../source/foreign/node.ts';
import { networkPart, noProxyPart, proxyPart } from '../values.ts';
import { hasMtu } from '../../catalog/kubespray/features.ts';
import { familiesOf } from './address.ts';
import { registriesPart } from './cluster-wide/registries.ts';
import { balancerName } from './endpoint.ts';
import { installerPart, releaseOf, type MemberNames } from './kubespray-installer.ts';
import { offlinePart } from './offline.ts';
import { old } from './scopes.ts';
import { takenByCluster } from './taken.ts';
import { plainText, type VariablesOfHost } from './ssh.ts';

/** What kubespray's variables say and the definition has a key for; all others are kept. */
export function kubesprayPart(variables: VariablesOfHost, wishes: Wishes, members: MemberNames): ImportPart {
  const isInstaller = wishes.kubernetes === '';
  return joinParts([
    networks(variables, wishes),
    apiServer(variables, isInstaller ? 'kubespray' : 'kubeadm'),
    isInstaller ? installerPart(variables, members) : part({}),
    isInstaller ? offlinePart(variables, releaseOf(variables)) : part({}),
    isInstaller ? packetSize(variables) : part({}),
    proxies(variables, wishes),
    registriesPart(variables, isInstaller ? releaseOf(variables) : undefined),
    legacy(variables),
    part({ taken: takenByCluster(variables, isInstaller) }),
  ]);
}

const scalarOf = (variables: VariablesOfHost, name: string): ForeignScalar | undefined => {
  const node = variables.get(name)?.value;
  return node?.kind === 'scalar' && plainText(node) !== undefined ? node : undefined;
};

/** kubespray's own defaults are written out, since ours are others. */
function networks(variables: VariablesOfHost, wishes: Wishes): ImportPart {
  const { isFour, isSix } = familiesOf(variables);
  return joinParts(
    subnets.flatMap(({ key, four, six }) => {
      const wanted = [...(isFour ? [four] : []), ...(isSix ? [six] : [])];
      return wanted.map(({ name, usual }, index) => {
        const path: Path = wanted.length > 1 ? ['network', key, index] : ['network', key];
        const node = scalarOf(variables, name);
        return node
          ? networkPart(path, node, wishes)
          : part({
              pieces: [{ path, value: usual }],
              assumptions: [`${name} is ${usual}, kubespray's default`],
            });
      });
    }),
  );
}

const subnets = [
  {
    key: 'podSubnet',
    four: { name: 'kube_pods_subnet', usual: '10.233.64.0/18' },
    six: { name: 'kube_pods_subnet_ipv6', usual: 'fd85:ee78:d8a6:8607::1:0000/112' },
  },
  {
    key: 'serviceSubnet',
    four: { name: 'kube_service_addresses', usual: '10.233.0.0/18' },
    six: { name: 'kube_service_addresses_ipv6', usual: 'fd85:ee78:d8a6:8607::1000/116' },
  },
] as const;

function apiServer(variables: VariablesOfHost, installer: 'kubeadm' | 'kubespray'): ImportPart {
  const port = scalarOf(variables, 'kube_apiserver_port');
  const number = Number(port?.text);
  const nodes = [
    ...itemsOf(variables.get('supplementary_addresses_in_ssl_keys')?.value),
    ...(balancerName(variables) ? [] : [variables.get('apiserver_loadbalancer_domain_name')?.value]),
  ];
  const names = new Map(
    nodes.flatMap((node) => {
      const text = plainText(node);
      return node === undefined || text === undefined ? [] : [[text, node.place] as const];
    }),
  );
  return part({
    pieces: [
      ...(port && number !== 6443 && Number.isInteger(number)
        ? [{ path: ['network', 'apiServerPort'], value: number, place: port.place }]
        : []),
      ...[...names].map(([value, place], index) => ({
        path: ['installer', installer, 'certificateSans', index],
        value,
        place,
      })),
    ],
  });
}

/** The largest packet of pods, where a definition has it. */
function packetSize(variables: VariablesOfHost): ImportPart {
  const plugin = scalarOf(variables, 'kube_network_plugin')?.text ?? 'calico';
  const node = hasMtu(plugin) ? scalarOf(variables, `${plugin}_mtu`) : undefined;
  const size = Number(node?.text);
  return part({
    pieces:
      node && Number.isInteger(size) && size > 0
        ? [{ path: ['network', 'mtu'], value: size, place: node.place }]
        : [],
  });
}

const proxies = (variables: VariablesOfHost, wishes: Wishes): ImportPart =>
  joinParts([
    ...(['http', 'https'] as const).map((key) => {
      const node = scalarOf(variables, `${key}_proxy`);
      return node && node.text !== '' ? proxyPart(key, node, wishes) : part({});
    }),
    without(variables),
  ]);

/** Both of them in one list. */
function without(variables: VariablesOfHost): ImportPart {
  const nodes = ['no_proxy', 'additional_no_proxy'].flatMap((name) => scalarOf(variables, name) ?? []);
  const [first] = nodes;
  const text = nodes.map((node) => node.text).join(',');
  return first && text.replaceAll(',', '') !== '' ? noProxyPart({ ...first, text }) : part({});
}

const legacy = (variables: VariablesOfHost): ImportPart =>
  part({
    problems: [...variables.values()]
      .filter(({ key }) => old.has(key))
      .map(({ key, keyPlace }) =>
        doubtAt(
          keyPlace,
          `only old versions of kubespray know \`${key}\`; it is kept as a comment`,
          'the name that the current version has for it',
        ),
      ),
  });
