import { parseAddress } from '../../source/networks.ts';
import { field, fieldAt, isTrue, itemsOf, textAt } from '../../source/foreign/look.ts';
import { doubtAt, wrongAt, type ForeignNode } from '../../source/foreign/node.ts';
import type { Problem } from '../../source/problem.ts';
import { machinesPart, type FoundMachine } from '../machines.ts';
import { joinParts, part, type ImportPart, type Wishes } from '../part.ts';
import { nameOf, type Objects } from './objects.ts';

/** The nodes as the cluster knows them: names, roles, addresses, labels and taints. */
export const nodesPart = ({ nodes, kubeadm }: Objects, version: string, wishes: Wishes): ImportPart =>
  joinParts([
    machinesPart(
      nodes.map((node) => machineOf(node, isDualStack(kubeadm))),
      wishes,
    ),
    part({ assumptions: nodes.flatMap((node) => unusedAddresses(node, isDualStack(kubeadm))) }),
    part({ assumptions: nodes.flatMap(foreignTaints) }),
    part({ problems: nodes.flatMap((node) => problemsOf(node, version)) }),
    containerdPart(nodes),
  ]);

export const isControlPlane = (node: ForeignNode): boolean => labelsOf(node).has(`${role}control-plane`);

const role = 'node-role.kubernetes.io/';

/** Addresses of the network inside, IPv4 or whatever the node names first. */
export const addressesOf = (node: ForeignNode): readonly string[] =>
  itemsOf(fieldAt(node, 'status', 'addresses'))
    .filter((each) => textAt(each, 'type') === 'InternalIP')
    .flatMap((each) => textAt(each, 'address') ?? []);

/** Whether pods have addresses of both families. */
const isDualStack = (kubeadm: ForeignNode): boolean =>
  textAt(kubeadm, 'networking', 'podSubnet')?.includes(',') === true;

/** The address of a node, that of the other family where pods have both, and those that nothing uses. */
function addressesUsed(node: ForeignNode, isDual: boolean) {
  const [address = '', ...others] = addressesOf(node);
  const family = parseAddress(address)?.family;
  const secondary = isDual
    ? others.find((each) => parseAddress(each) !== undefined && parseAddress(each)?.family !== family)
    : undefined;
  return { address, secondary, unused: others.filter((each) => each !== secondary) };
}

const unusedAddresses = (node: ForeignNode, isDual: boolean): readonly string[] => {
  const { address, unused } = addressesUsed(node, isDual);
  return unused.length === 0
    ? []
    : [`${nameOf(node)} is ${address}; its ${unused.join(' and ')} is not in the definition`];
};

function machineOf(node: ForeignNode, isDual: boolean): FoundMachine {
  const { address, secondary } = addressesUsed(node, isDual);
  const leads = isControlPlane(node);
  const taints = taintsOf(node);
  const isKept = taints.some(isOfKubeadm);
  const roles = leads ? ['control-plane', ...(isKept ? [] : ['worker'])] : ['worker'];
  return {
    ...{ list: 'nodes', name: nameOf(node), address, roles, ssh: {}, notes: [], place: node.place },
    more: { ...(secondary === undefined ? {} : { secondaryAddress: secondary }), ...marksOf(node, taints) },
  };
}

function marksOf(node: ForeignNode, taints: readonly NodeTaint[]): Readonly<Record<string, unknown>> {
  const labels = labelsOf(node);
  const own = [...labels].filter(
    ([key, value]) => !isGiven(key) && !(key === `${role}worker` && value === ''),
  );
  const rest = taints.filter(
    (taint) => !isOfControlPlanes(taint) && !/^node\.(?:kubernetes|cloudprovider)/.test(taint.key),
  );
  const zone = labels.get(zoneLabel);
  const computeHost = labels.get('CIS-node');
  return {
    ...(own.length === 0 ? {} : { labels: Object.fromEntries(own) }),
    ...(rest.length === 0 ? {} : { taints: rest }),
    ...(zone === undefined ? {} : { zone }),
    ...(computeHost === undefined ? {} : { computeHost }),
  };
}

/** They follow from roles, and no definition says them otherwise. */
const isOfControlPlanes = ({ key }: NodeTaint): boolean =>
  [`${role}control-plane`, `${role}master`].includes(key);

/** The one that kubeadm gives to control planes. */
const isOfKubeadm = ({ key, effect }: NodeTaint): boolean =>
  key === `${role}control-plane` && effect === 'NoSchedule';

/** Somebody else gave them, and they are left alone. */
const foreignTaints = (node: ForeignNode): readonly string[] =>
  taintsOf(node)
    .filter((taint) => isOfControlPlanes(taint) && !(isControlPlane(node) && isOfKubeadm(taint)))
    .map(
      ({ key, effect }) =>
        `${nameOf(node)} has the taint ${key}:${effect}, which is not in the definition and stays as it is`,
    );

const zoneLabel = 'topology.kubernetes.io/zone';

/** Labels that the kubelet, kubeadm or a key of the definition gives. */
const isGiven = (key: string): boolean =>
  key === zoneLabel ||
  key === 'CIS-node' ||
  key === 'node.kubernetes.io/exclude-from-external-load-balancers' ||
  key === `${role}control-plane` ||
  key === `${role}master` ||
  /^(?:beta\.)?kubernetes\.io\/(?:hostname|os|arch)$/.test(key);

function labelsOf(node: ForeignNode): ReadonlyMap<string, string> {
  const labels = fieldAt(node, 'metadata', 'labels');
  return new Map(
    labels?.kind === 'map'
      ? labels.entries.map(({ key, value }) => [key, value.kind === 'scalar' ? value.text : ''])
      : [],
  );
}

interface NodeTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

const taintsOf = (node: ForeignNode): readonly NodeTaint[] =>
  itemsOf(fieldAt(node, 'spec', 'taints')).map((each) => {
    const [key = '', value = '', effect = ''] = ['key', 'value', 'effect'].map((name) => textAt(each, name));
    return { key, ...(value === '' ? {} : { value }), effect };
  });

function problemsOf(node: ForeignNode, version: string): readonly Problem[] {
  const name = nameOf(node);
  const info = fieldAt(node, 'status', 'nodeInfo');
  const runtime = textAt(info, 'containerRuntimeVersion') ?? '';
  const kubelet = (textAt(info, 'kubeletVersion') ?? '').replace(/^v/, '');
  const place = node.place;
  return [
    ...(addressesOf(node).some((each) => parseAddress(each))
      ? []
      : [wrongAt(place, `${name} has no InternalIP`, 'a node that knows its address (kubelet --node-ip)')]),
    ...(runtime.startsWith('containerd://')
      ? []
      : [
          wrongAt(
            place,
            `${name} runs its containers with ${runtime}`,
            'containerd, which the playbooks manage',
          ),
        ]),
    ...(textAt(info, 'operatingSystem') === 'linux'
      ? []
      : [wrongAt(place, `${name} does not run Linux`, 'a cluster of Linux nodes')]),
    ...(kubelet === version
      ? []
      : [
          doubtAt(
            place,
            `the kubelet of ${name} is ${kubelet}, the cluster ${version}`,
            'an upgrade that came to its end',
          ),
        ]),
    ...(isTrue(field(fieldAt(node, 'spec'), 'unschedulable'))
      ? [doubtAt(place, `${name} is cordoned`, `kubectl uncordon ${name}`)]
      : []),
    ...(readyOf(node) === 'True' ? [] : [doubtAt(place, `${name} is not Ready`, 'a node that is Ready')]),
  ];
}

const readyOf = (node: ForeignNode): string | undefined =>
  textAt(
    itemsOf(fieldAt(node, 'status', 'conditions')).find((each) => textAt(each, 'type') === 'Ready'),
    'status',
  );

/** Which packages containerd came from is not in the API. */
function containerdPart(nodes: readonly ForeignNode[]): ImportPart {
  const versions = new Set(
    nodes.flatMap((node) => textAt(node, 'status', 'nodeInfo', 'containerRuntimeVersion') ?? []),
  );
  const found = [...versions].map((each) => each.replace('containerd://', '')).toSorted();
  return part({
    assumptions: [
      `containerd (${found.join(', ')} runs) is the distribution's package: \`containerd.archive\` names another`,
    ],
  });
}
