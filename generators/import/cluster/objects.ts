import { failed, ok, type Result } from '../../result.ts';
import { readJson } from '../../source/foreign/json.ts';
import { field, fieldAt, itemsOf, textAt, textOf } from '../../source/foreign/look.ts';
import { wrongAt, type ForeignNode, type Text } from '../../source/foreign/node.ts';
import { readYamlNode } from '../../source/foreign/yaml.ts';
import type { Problem, Problems } from '../../source/problem.ts';

/** What kubectl printed of a running cluster, by what it is. */
export interface Objects {
  readonly nodes: readonly ForeignNode[];
  /** Static pods of the control plane. */
  readonly pods: readonly ForeignNode[];
  readonly daemonSets: readonly ForeignNode[];
  /** `ClusterConfiguration` of kubeadm. */
  readonly kubeadm: ForeignNode;
  /** `KubeletConfiguration` that new nodes get. */
  readonly kubelet: ForeignNode | undefined;
  readonly kubeProxy: ForeignNode | undefined;
  /** `net-conf.json` of flannel. */
  readonly flannel: ForeignNode | undefined;
}

/** Objects of a cluster from what `kubectl get … -o json` or `-o yaml` printed, in any number of files. */
export function readObjects(texts: readonly Text[]): Result<Objects, Problems> {
  const read = texts.map((text) => (text.file.endsWith('.json') ? readJson(text) : readYamlNode(text)));
  const problems = read.flatMap((each) => (each.ok ? [] : each.failure));
  if (problems.length > 0) return failed(problems);
  const objects = read.flatMap((each) => (each.ok ? objectsOf(each.value) : []));
  const inner = configurations.map((each) => ({ ...each, found: configurationOf(objects, each) }));
  const broken = inner.flatMap(({ found }) => (found === undefined || found.ok ? [] : found.failure));
  if (broken.length > 0) return failed(broken);
  const [kubeadm, kubelet, kubeProxy, flannel] = inner.map(({ found }) =>
    found?.ok ? found.value : undefined,
  );
  const nodes = ofKind(objects, 'Node');
  if (!kubeadm || nodes.length === 0) return failed([missing(texts, nodes.length === 0)]);
  const pods = ofKind(objects, 'Pod').filter(
    (pod) => textAt(pod, 'metadata', 'labels', 'tier') === 'control-plane',
  );
  const daemonSets = ofKind(objects, 'DaemonSet');
  return ok({ nodes, pods, daemonSets, kubeadm, kubelet, kubeProxy, flannel });
}

const objectsOf = (root: ForeignNode): readonly ForeignNode[] =>
  textAt(root, 'kind')?.endsWith('List') ? itemsOf(field(root, 'items')) : [root];

const ofKind = (objects: readonly ForeignNode[], kind: string): readonly ForeignNode[] =>
  objects.filter((object) => textAt(object, 'kind') === kind);

export const nameOf = (object: ForeignNode): string => textAt(object, 'metadata', 'name') ?? '';

const configurations: readonly { readonly map: RegExp; readonly key: string }[] = [
  { map: /^kubeadm-config$/, key: 'ClusterConfiguration' },
  { map: /^kubelet-config(?:-1\.\d+)?$/, key: 'kubelet' },
  { map: /^kube-proxy$/, key: 'config.conf' },
  { map: /^kube-flannel-cfg$/, key: 'net-conf.json' },
];

/** The file in a ConfigMap, its places counted from its own first line. */
function configurationOf(
  objects: readonly ForeignNode[],
  { map, key }: (typeof configurations)[number],
): Result<ForeignNode, Problems> | undefined {
  const named = ofKind(objects, 'ConfigMap').filter((object) => map.test(nameOf(object)));
  // Those of before 1.24 have a version in their name, and stay in a cluster that was upgraded since.
  const found = named.findLast((object) => !/-1\.\d+$/.test(nameOf(object))) ?? named.at(-1);
  const text = textOf(fieldAt(found, 'data', key));
  if (!found || text === undefined) return undefined;
  const read = readYamlNode({ file: `${found.place.file} (ConfigMap ${nameOf(found)}, ${key})`, text });
  return read.ok && read.value.kind !== 'map'
    ? failed([
        wrongAt(
          read.value.place,
          `${key} holds no settings by their names`,
          'the ConfigMap as it is in the cluster',
        ),
      ])
    : read;
}

function missing(texts: readonly Text[], hasNoNodes: boolean): Problem {
  const place = { file: texts[0]?.file ?? '', line: 1, column: 1, length: 1 };
  return hasNoNodes
    ? wrongAt(place, 'no node is among these objects', 'what `kubectl get nodes -o json` prints')
    : wrongAt(
        place,
        'the ConfigMap kubeadm-config is not among these objects: only clusters that kubeadm made can be imported',
        'what `kubectl get configmaps --namespace kube-system -o json` prints',
      );
}
