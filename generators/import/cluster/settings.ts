import { field, fieldAt, itemsOf, textAt, textOf } from '../../source/foreign/look.ts';
import { wrongAt, type ForeignNode } from '../../source/foreign/node.ts';
import { allLeaves, type Leaf } from '../leaves.ts';
import { leftOverPart } from '../left-over.ts';
import { isSafe, safeName } from '../names.ts';
import { joinParts, part, type ImportPart, type Piece, type Wishes } from '../part.ts';
import { networkPart } from '../values.ts';
import { endpointOf } from './endpoint.ts';
import { addressesOf, isControlPlane } from './machines.ts';
import { nameOf, type Objects } from './objects.ts';
import { isZero } from './zero.ts';

/** What kubeadm keeps of the cluster in its ClusterConfiguration: name, version, networks, certificates. */
export function settingsPart(objects: Objects, wishes: Wishes): ImportPart {
  const { kubeadm } = objects;
  const piece = (path: Piece['path'], value: string | undefined, place = kubeadm.place): readonly Piece[] =>
    value === undefined ? [] : [{ path, value, place }];
  const registry = textAt(kubeadm, 'imageRepository');
  const sans = itemsOf(fieldAt(kubeadm, 'apiServer', 'certSANs')).flatMap((each) => textOf(each) ?? []);
  const own = ownNames(objects);
  const clusterName = textAt(kubeadm, 'clusterName');
  const name = wishes.name === '' ? nameFor(clusterName) : wishes.name;
  const more = sans.filter((each) => !own.has(each));
  return joinParts([
    part({
      pieces: [
        ...(wishes.name === '' && name !== '' ? piece(['metadata', 'name'], name) : []),
        ...piece(['installer', 'kubeadm', 'clusterName'], clusterName === name ? undefined : clusterName),
        ...piece(['installer', 'kubeadm', 'version'], versionOf(kubeadm)),
        ...piece(
          ['installer', 'kubeadm', 'imageRepository'],
          registry === usualRegistry ? undefined : registry,
        ),
        ...(more.length > 0 ? [{ path: ['installer', 'kubeadm', 'certificateSans'], value: more }] : []),
      ],
    }),
    subnets(kubeadm, 'podSubnet', wishes),
    subnets(kubeadm, 'serviceSubnet', wishes),
    foreignSettingsPart(kubeadm),
    leftOverPart(allLeaves(kubeadm).filter((leaf) => !isZero(leaf.node) && !isKnown(leaf))),
  ]);
}

/** The nearest name that a definition can have; none where kubeadm says none. */
const nameFor = (clusterName = ''): string =>
  clusterName === '' || isSafe(clusterName) ? clusterName : safeName(clusterName, 'cluster');

/** What the playbooks take for granted; on a cluster that has it otherwise they would do harm. */
function foreignSettingsPart(kubeadm: ForeignNode): ImportPart {
  const found = allLeaves(kubeadm).flatMap(({ path, node }) => {
    const says = otherThanOurs[path];
    const isOther = node.kind === 'scalar' && !isZero(node) && !usual[path]?.includes(node.text);
    return says !== undefined && isOther
      ? [wrongAt(node.place, `${says} ${node.text}`, usual[path]?.[0] ?? '')]
      : [];
  });
  return part({ problems: found });
}

const otherThanOurs: Readonly<Record<string, string>> = {
  'etcd.local.dataDir': 'etcd keeps its data in another folder than the playbooks back up and restore:',
  certificatesDir: 'certificates lie in another folder than the playbooks renew:',
  'networking.dnsDomain':
    'the names of Services end with another domain than the playbooks give kubelets and certificates:',
};

/** The version of the cluster, without its `v`. */
export const versionOf = (kubeadm: ForeignNode): string =>
  (textAt(kubeadm, 'kubernetesVersion') ?? '').replace(/^v/, '');

const usualRegistry = 'registry.k8s.io';

/** Names that a certificate gets without being asked to. */
function ownNames({ nodes, kubeadm }: Objects): ReadonlySet<string> {
  const controlPlanes = nodes.filter(isControlPlane).flatMap((node) => [nameOf(node), ...addressesOf(node)]);
  return new Set([endpointOf(kubeadm).host, '127.0.0.1', '::1', 'localhost', ...controlPlanes]);
}

/** One network, or two of them joined by a comma. */
function subnets(kubeadm: ForeignNode, key: 'podSubnet' | 'serviceSubnet', wishes: Wishes): ImportPart {
  const node = field(fieldAt(kubeadm, 'networking'), key);
  const [first, ...others] = (textOf(node) ?? '').split(',').map((each) => each.trim());
  if (node === undefined || first === undefined || first === '') return withoutSubnet(kubeadm, key);
  const at = ['network', key];
  const all = [first, ...others];
  return joinParts(
    all.map((text, index) =>
      networkPart(all.length === 1 ? at : [...at, index], { text, place: node.place }, wishes),
    ),
  );
}

/** Services have kubeadm's own network then; of pods only their plugin knows. */
const withoutSubnet = (kubeadm: ForeignNode, key: 'podSubnet' | 'serviceSubnet'): ImportPart =>
  key === 'serviceSubnet'
    ? part({ pieces: [{ path: ['network', key], value: '10.96.0.0/12' }] })
    : part({
        problems: [
          wrongAt(
            kubeadm.place,
            'kubeadm was told of no network of pods, and the playbooks would give controller manager and kube-proxy one',
            '`networking.podSubnet` in the ConfigMap kubeadm-config: the network that the plugin has pods in',
          ),
        ],
      });

const importedSettings =
  /^(?:apiVersion|kind|clusterName|kubernetesVersion|controlPlaneEndpoint|imageRepository|networking\.(?:pod|service)Subnet|apiServer\.certSANs\[\]|(?:apiServer|controllerManager|scheduler|etcd\.local)\.extraArgs(?:\[\])?\..*)$/;

/** What kubeadm writes where nobody asks for something else. */
const usual: Readonly<Record<string, readonly string[]>> = {
  'networking.dnsDomain': ['cluster.local'],
  'etcd.local.dataDir': ['/var/lib/etcd'],
  certificatesDir: ['/etc/kubernetes/pki'],
  caCertificateValidityPeriod: ['87600h0m0s'],
  certificateValidityPeriod: ['8760h0m0s'],
  encryptionAlgorithm: ['RSA-2048'],
  'apiServer.timeoutForControlPlane': ['4m0s'],
  'dns.type': ['CoreDNS'],
};

const isKnown = ({ path, node }: Leaf): boolean =>
  importedSettings.test(path) ||
  Object.hasOwn(otherThanOurs, path) ||
  (node.kind === 'scalar' && (usual[path] ?? []).includes(node.text));
