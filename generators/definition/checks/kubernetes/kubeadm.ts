import { defaultVersion } from '../../../catalog/kubernetes/minors.ts';
import {
  keyProblemAt,
  problemAt,
  keyWarning,
  warning,
  type Finding,
  type Path,
} from '../../../source/finding.ts';
import { hole, type Facts } from '../facts.ts';
import type { DraftNode } from '../../derived.ts';

/** What kubeadm can build, and what has no effect without it. */
export function kubeadm(facts: Facts): readonly Finding[] {
  const { draft } = facts;
  if (hole(draft, 'installer') || hole(draft.installer, 'kubeadm')) return [];
  if (draft.installer && Object.hasOwn(draft.installer, 'kubespray')) return [];
  if (!draft.installer?.kubeadm) return withoutEffect(facts);
  return [...stackedEtcd(facts), ...withoutPlugin(facts), ...ownKubelets(facts), ...kubeletAuthority(facts)];
}

/** Control planes are what nodes that join go by. */
const ownKubelets = ({ controlPlanes = [] }: Facts): Finding[] =>
  controlPlanes
    .filter(({ written }) => (written as DraftNode).kubelet !== undefined)
    .map(({ path, name }) =>
      keyProblemAt(
        [...path, 'kubelet'],
        `${name} is a control plane, and its kubelet has the settings of all nodes`,
        '`kubelet` at workers, or `installer.kubeadm.kubelet` for every node',
      ),
    );

/** What a kubelet serves with otherwise, it has signed itself. */
function kubeletAuthority({ draft }: Facts): Finding[] {
  const argument = 'kubelet-certificate-authority';
  const { extraArguments, serverTLSBootstrap } = draft.installer?.kubeadm ?? {};
  if (serverTLSBootstrap === true || hole(draft.installer?.kubeadm, 'serverTLSBootstrap')) return [];
  if (extraArguments?.apiServer?.[argument] === undefined) return [];
  return [
    keyProblemAt(
      ['installer', 'kubeadm', 'extraArguments', 'apiServer', argument],
      'kubelets sign what they serve with themselves, so API servers would reach none: no logs, no exec',
      'serverTLSBootstrap: true below `kubeadm`, or remove the argument',
    ),
  ];
}

/** kubeadm's own etcd stands on the control planes, on each of them. */
function stackedEtcd({ controlPlanes, etcd }: Facts): Finding[] {
  if (!controlPlanes || !etcd || etcd === controlPlanes) return [];
  const outside = etcd.filter((member) => !controlPlanes.includes(member));
  const without = controlPlanes.filter((member) => !etcd.includes(member));
  return [
    ...outside.map(({ path, name }) =>
      problemAt(
        [...path, 'roles'],
        `${name} has etcd and is no control plane, and kubeadm puts etcd on control planes only`,
        'etcd at the control planes, or at no node: then it is there anyway',
      ),
    ),
    ...without.map(({ path, name }) =>
      problemAt(
        [...path, 'roles'],
        `${name} is a control plane without etcd, and kubeadm puts etcd on every control plane`,
        'roles: [control-plane, etcd], or etcd at no node: then it is there anyway',
      ),
    ),
  ];
}

function withoutPlugin({ draft }: Facts): Finding[] {
  if (hole(draft, 'network') || hole(draft.network, 'plugin') || draft.network?.plugin !== undefined)
    return [];
  return [
    warning(
      draft.network ? ['network', 'plugin'] : ['network'],
      'no pod network is configured, so no node would become Ready',
      'plugin: static-routes below `network`; flannel, calico or cilium with version and sum; or `none`, if you bring one',
    ),
  ];
}

function withoutEffect({ draft, nodes }: Facts): Finding[] {
  const marks = (['labels', 'taints', 'zone', 'computeHost', 'kubelet'] as const).flatMap((key) => {
    const first = nodes.find(({ written }) => (written as DraftNode)[key] !== undefined);
    return first ? [nobody([...first.path, key], key)] : [];
  });
  return [
    ...(draft.containerd === undefined ? [] : [nobody(['containerd'], 'containerd')]),
    ...(draft.network?.plugin === undefined ? [] : [nobody(['network', 'plugin'], 'plugin')]),
    ...(draft.network?.mtu === undefined ? [] : [nobody(['network', 'mtu'], 'mtu')]),
    ...marks,
  ];
}

const nobody = (path: Path, key: string): Finding =>
  keyWarning(
    path,
    `\`${key}\` has no effect: this definition does not install Kubernetes`,
    `installer: { kubeadm: { version: ${defaultVersion} } }, or remove the key`,
  );
