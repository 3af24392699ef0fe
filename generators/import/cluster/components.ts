import { ownedByKubelet, ownedByKubeProxy } from '../../definition/schema/kubespray/owned.ts';
import { isNull, textAt } from '../../source/foreign/look.ts';
import { addressText, networkOf, parseBlock } from '../../source/networks.ts';
import type { MapEntry, ForeignNode } from '../../source/foreign/node.ts';
import { leavesOf } from '../leaves.ts';
import { leftOverPart } from '../left-over.ts';
import { joinParts, part, type ImportPart } from '../part.ts';
import type { Objects } from './objects.ts';
import { isZero, without } from './zero.ts';

/** What kubelets and kube-proxies are told beyond what kubeadm tells them everywhere. */
export function componentsPart({ kubeadm, kubelet, kubeProxy }: Objects): ImportPart {
  const networks = (key: string): string => textAt(kubeadm, 'networking', key) ?? '';
  // kubeadm gives the DNS service the tenth address of the services' network.
  const dns = networks('serviceSubnet')
    .split(',')
    .flatMap((each) => parseBlock(each.trim()) ?? [])
    .map((block) => addressText(networkOf(block).bits + 10n, block.family));
  return joinParts([
    fieldsPart(kubelet, {
      key: 'kubelet',
      owned: ownedByKubelet,
      usual: { ...usualOfKubelet, 'clusterDNS[]': (text) => dns.includes(text) },
      isOptional: isOptionalOfKubelet,
    }),
    fieldsPart(kubeProxy, {
      key: 'kubeProxy',
      owned: ownedByKubeProxy,
      usual: { ...usualOfKubeProxy, clusterCIDR: (text) => text === networks('podSubnet') },
      isOptional: (path) => optionalOfKubeProxy.has(path),
    }),
  ]);
}

interface KubeadmComponent {
  readonly key: 'kubelet' | 'kubeProxy';
  /** Fields that a definition does not take: they follow from the rest of it. */
  readonly owned: Readonly<Record<string, string>>;
  /** What kubeadm writes by itself, by the path of the leaf. */
  readonly usual: Readonly<Record<string, RegExp | ((text: string) => boolean)>>;
  /** Whether the field is null or absent where nobody sets it, so that a zero was meant. */
  readonly isOptional: (path: string, text: string) => boolean;
}

function fieldsPart(
  node: ForeignNode | undefined,
  { key, owned, usual, isOptional }: KubeadmComponent,
): ImportPart {
  if (node?.kind !== 'map') return part({});
  const isUsual = (value: ForeignNode, path: string): boolean => {
    const wanted = usual[path];
    const isSet = value.kind === 'scalar' && !isNull(value) && isOptional(path, value.text);
    if (isZero(value) && !isSet) return true;
    if (value.kind !== 'scalar' || wanted === undefined) return false;
    return typeof wanted === 'function' ? wanted(value.text) : wanted.test(value.text);
  };
  const isOwned = (entry: MapEntry): boolean => Object.hasOwn(owned, entry.key);
  const left = node.entries
    .filter(isOwned)
    .flatMap((entry) => leavesOf(entry))
    .filter((leaf) => !isUsual(leaf.node, leaf.path));
  const serving = node.entries.filter(({ key: field }) => field === 'serverTLSBootstrap');
  const pieces = node.entries
    .filter((entry) => !isOwned(entry))
    .map((entry) => ({
      path: ['installer', 'kubeadm', key, entry.key],
      value: without(entry.value, entry.key, isUsual),
      place: entry.keyPlace,
    }));
  return joinParts([
    part({ pieces: pieces.filter(({ value }) => value !== undefined) }),
    part({
      pieces: serving.flatMap(({ value, keyPlace }) =>
        value.kind === 'scalar' && value.text === 'true'
          ? [{ path: ['installer', 'kubeadm', 'serverTLSBootstrap'], value: true, place: keyPlace }]
          : [],
      ),
    }),
    leftOverPart(left.map((leaf) => ({ ...leaf, path: `${key}.${leaf.path}` }))),
  ]);
}

/** Numbers of kubelets are left out where they are not set, but for those of its log. */
const isOptionalOfKubelet = (path: string, text: string): boolean =>
  (text === '0' && !path.startsWith('logging.')) || optionalOfKubelet.has(path);

const optionalOfKubelet: ReadonlySet<string> = new Set([
  ...['cpuCFSQuotaPeriod', 'containerLogMonitorInterval', 'crashLoopBackOff.maxContainerRestartPeriod'],
  'resolvConf',
]);

/** Of v1alpha1, which kube-proxy writes with all its fields. */
const optionalOfKubeProxy: ReadonlySet<string> = new Set([
  ...['maxPerCore', 'min', 'tcpEstablishedTimeout', 'tcpCloseWaitTimeout'].map((name) => `conntrack.${name}`),
  ...['iptables.masqueradeBit', 'nftables.masqueradeBit', 'oomScoreAdj'],
]);

const usualOfKubelet = {
  apiVersion: /./,
  kind: /./,
  'authentication.anonymous.enabled': /^false$/,
  'authentication.webhook.enabled': /^true$/,
  'authentication.x509.clientCAFile': /^\/etc\/kubernetes\/pki\/ca\.crt$/,
  'authorization.mode': /^Webhook$/,
  cgroupDriver: /^systemd$/,
  clusterDomain: /^cluster\.local$/,
  healthzBindAddress: /^127\.0\.0\.1$/,
  healthzPort: /^10248$/,
  containerRuntimeEndpoint: /^unix:\/\/(?:\/var)?\/run\/containerd\/containerd\.sock$/,
  resolvConf: /^\/run\/systemd\/resolve\/resolv\.conf$/,
  rotateCertificates: /^true$/,
  // Approved by the playbooks from now on.
  serverTLSBootstrap: /^(?:true|false)$/,
  staticPodPath: /^\/etc\/kubernetes\/manifests$/,
};

const usualOfKubeProxy = {
  apiVersion: /./,
  kind: /./,
  bindAddress: /^(?:0\.0\.0\.0|::)$/,
  'clientConnection.kubeconfig': /^\/var\/lib\/kube-proxy\/kubeconfig\.conf$/,
  // Truth values that are written whether or not somebody set them.
  bindAddressHardFail: /^false$/,
  'conntrack.tcpBeLiberal': /^false$/,
  enableProfiling: /^false$/,
  'iptables.masqueradeAll': /^false$/,
  'ipvs.strictARP': /^false$/,
  'nftables.masqueradeAll': /^false$/,
  'winkernel.enableDSR': /^false$/,
  'winkernel.forwardHealthCheckVip': /^false$/,
};
