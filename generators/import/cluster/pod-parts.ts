import { fieldAt, itemsOf, textAt } from '../../source/foreign/look.ts';
import { doubtAt, type ForeignNode, type TextPlace } from '../../source/foreign/node.ts';
import type { Problem } from '../../source/problem.ts';
import { groupBy, someOf } from '../machines.ts';
import { nameOf } from './objects.ts';

/**
 * What somebody put into static pods besides arguments, and kubeadm was not told: it makes the manifest anew without it.
 * @param component what kubeadm was told of the component, with its `extraEnvs` and `extraVolumes`
 */
export const podPartProblems = (
  pods: readonly ForeignNode[],
  component: ForeignNode | undefined,
): readonly Problem[] => {
  const parts = pods.flatMap((pod) => partsOf(pod, component).map((each) => ({ ...each, pod: nameOf(pod) })));
  return [...groupBy(parts, ({ what, name }) => `${what} ${name}`).values()].flatMap((all) => {
    const [first] = all;
    return first
      ? [
          doubtAt(
            first.place,
            `${someOf(all.map(({ pod }) => pod))} ${all.length === 1 ? 'has' : 'have'} ${first.what} ${first.name}, which kubeadm does not know of and no key of a definition says`,
            'nothing to do if the control plane can do without it: the first run removes it',
          ),
        ]
      : [];
  });
};

interface PodPart {
  readonly what: string;
  readonly name: string;
  readonly place: TextPlace;
}

function partsOf(pod: ForeignNode, component: ForeignNode | undefined): readonly PodPart[] {
  const containers = itemsOf(fieldAt(pod, 'spec', 'containers'));
  const [first, ...others] = [...containers, ...itemsOf(fieldAt(pod, 'spec', 'initContainers'))];
  const unknown = (list: readonly ForeignNode[], told: string): readonly ForeignNode[] => {
    const known = itemsOf(fieldAt(component, told)).map((each) => textAt(each, 'name'));
    return list.filter((each) => !known.includes(textAt(each, 'name')));
  };
  const volumes = unknown(itemsOf(fieldAt(pod, 'spec', 'volumes')), 'extraVolumes');
  return [
    ...unknown(itemsOf(fieldAt(first, 'env')), 'extraEnvs').map((node) => ({ what: 'the variable', node })),
    ...volumes.filter((node) => !isUsual(node)).map((node) => ({ what: 'the volume', node })),
    ...others.map((node) => ({ what: 'another container,', node })),
  ].map(({ what, node }) => ({ what, name: textAt(node, 'name') ?? '', place: node.place }));
}

/** What kubeadm was told besides arguments; listed as not taken over, and said, since the first run ends it. */
export const toldPartProblems = (program: string, component: ForeignNode | undefined): readonly Problem[] =>
  [
    { what: 'the variable', told: 'extraEnvs' },
    { what: 'the volume', told: 'extraVolumes' },
  ].flatMap(({ what, told }) =>
    itemsOf(fieldAt(component, told)).map((node) =>
      doubtAt(
        node.place,
        `${program} has ${what} ${textAt(node, 'name') ?? ''}, which no key of a definition says`,
        'nothing to do if the control plane can do without it: the first run removes it',
      ),
    ),
  );

/** A folder or a file that a volume of somebody's own brings into a pod. */
export interface Mount {
  readonly volume: string;
  readonly path: string;
}

/** Those of pods, and those that kubeadm was told of. */
export function mountsOf(
  pods: readonly { readonly node: ForeignNode }[],
  component: ForeignNode | undefined,
): readonly Mount[] {
  const inPods = pods.flatMap(({ node }) =>
    itemsOf(fieldAt(itemsOf(fieldAt(node, 'spec', 'containers'))[0], 'volumeMounts')),
  );
  return [...itemsOf(fieldAt(component, 'extraVolumes')), ...inPods]
    .filter((mount) => !isUsual(mount))
    .flatMap((mount) => {
      const path = textAt(mount, 'mountPath');
      return path === undefined ? [] : [{ volume: textAt(mount, 'name') ?? '', path }];
    });
}

/** Source: cmd/kubeadm/app/phases/controlplane/volumes.go and phases/etcd/local.go of k8s.io/kubernetes 1.31 to 1.37. */
const isUsual = (volume: ForeignNode): boolean =>
  /^(?:ca-certs|etc-ca-certificates|etc-pki[\w-]*|k8s-certs|usr-(?:local-)?share-ca-certificates|flexvolume-dir|kubeconfig|etcd-(?:certs|data))$/.test(
    textAt(volume, 'name') ?? '',
  );
