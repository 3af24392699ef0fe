import { storageServersOf } from '../../derived.ts';
import { problemAt, keyWarning, type Finding } from '../../../source/finding.ts';
import type { Facts } from '../facts.ts';

/** What is said of drills has an effect, and a window has a length. */
export const drills = (facts: Facts): readonly Finding[] => {
  const { draft } = facts;
  const { drills: written, installer } = draft;
  if (written === undefined) return [];
  const isKubeadm = installer !== undefined && installer.kubespray === undefined;
  if (!isKubeadm && storageServersOf(draft).length === 0)
    return [keyWarning(['drills'], `\`drills\` has no effect: ${nobody}`, removal)];
  const { window, limits } = written;
  return [
    ...(window?.from !== undefined && window.from === window.to
      ? [problemAt(['drills', 'window', 'to'], 'the window closes when it opens', 'another time than `from`')]
      : []),
    ...Object.entries(reasons(facts, isKubeadm)).flatMap(([key, reason]) =>
      reason !== '' && limits?.[key as Limit] !== undefined
        ? [keyWarning(['drills', 'limits', key], `\`${key}\` has no effect: ${reason}`, removal)]
        : [],
    ),
  ];
};

type Limit = 'vip' | 'controlPlane' | 'worker' | 'storage';

/** Why there is no drill that a limit could be for; empty where there is one, or where nobody knows. */
function reasons(
  { draft, controlPlanes, balancers }: Facts,
  isKubeadm: boolean,
): Readonly<Record<Limit, string>> {
  const foreign = isKubeadm ? '' : 'only a cluster of kubeadm has that drill';
  return {
    vip: foreign || (balancers && balancers.length < 2 ? 'there are no two load balancers' : ''),
    controlPlane:
      foreign ||
      (controlPlanes && controlPlanes.length < 3 ? 'etcd survives the loss of a member from three on' : ''),
    worker: foreign,
    storage: storageServersOf(draft).length === 0 ? 'there is no storage server' : '',
  };
}

const nobody = 'only a cluster of kubeadm, or one with a storage server, has drills';

const removal = 'remove the key';
