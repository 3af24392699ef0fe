import { fault, keyWarning, type Finding } from '../finding.ts';
import type { Facts } from './facts.ts';

/** What is said of drills has an effect, and a window has a length. */
export const drills = ({ draft, controlPlanes, balancers }: Facts): readonly Finding[] => {
  const { drills: written, installer } = draft;
  if (written === undefined) return [];
  const { window, limits } = written;
  if (installer === undefined || installer.kubespray !== undefined)
    return [keyWarning(['drills'], '`drills` has no effect: only a cluster of kubeadm has drills', leftOut)];
  return [
    ...(window?.from !== undefined && window.from === window.to
      ? [fault(['drills', 'window', 'to'], 'the window closes when it opens', 'another time than `from`')]
      : []),
    ...(limits?.vip !== undefined && balancers !== undefined && balancers.length < 2
      ? [
          keyWarning(
            ['drills', 'limits', 'vip'],
            '`vip` has no effect: there are no two load balancers',
            leftOut,
          ),
        ]
      : []),
    ...(limits?.controlPlane !== undefined && controlPlanes !== undefined && controlPlanes.length < 3
      ? [
          keyWarning(
            ['drills', 'limits', 'controlPlane'],
            '`controlPlane` has no effect: etcd survives the loss of a member from three on',
            leftOut,
          ),
        ]
      : []),
  ];
};

const leftOut = 'the key left out';
