import { labels, settings } from '../kubespray/free.ts';
import { ownedByKubelet } from '../kubespray/owned.ts';
import { choice, list, map, text, type ValueJudge } from '../key.ts';
import { word } from '../judges.ts';
import { labelKey, labelValue, reservedTaint } from '../kubernetes/kubernetes-judges.ts';

const filledLabel: ValueJudge<string> = (value) => word(value) ?? labelValue(value);

const taint = map(
  {
    key: text((value) => labelKey(value) ?? reservedTaint(value), { description: 'Its key', examples: ['dedicated'] }),
    value: text(labelValue, { description: 'Its value', examples: ['database'], absent: 'empty' }).optional(),
    effect: choice(['NoSchedule', 'PreferNoSchedule', 'NoExecute'], {
      description: 'What happens to pods that do not tolerate it',
      examples: ['NoSchedule'],
    }),
  },
  { description: 'A taint', examples: [{ key: 'dedicated', value: 'database', effect: 'NoSchedule' }] },
);

/** What a node is known by inside Kubernetes, and what its kubelet alone is told. */
export const nodeMarks = {
  kubelet: settings(ownedByKubelet, {
    description: 'Fields of `KubeletConfiguration` for this worker alone, over those of `installer.kubeadm.kubelet`',
    examples: [{ maxPods: 50 }],
    absent: 'those of every node',
  }).optional(),
  labels: labels({
    description: 'Labels of the Kubernetes node',
    examples: [{ disk: 'ssd' }],
    absent: 'none',
  }).optional(),
  taints: list(taint, {
    description: 'Taints of the Kubernetes node',
    examples: [[{ key: 'dedicated', value: 'database', effect: 'NoSchedule' }]],
    absent: 'none; a control plane that is no worker has the one of kubeadm',
  }).optional(),
  zone: text(filledLabel, {
    description: 'Its failure zone: the label `topology.kubernetes.io/zone`',
    examples: ['zone-1'],
    absent: 'none',
  }).optional(),
  computeHost: text(filledLabel, {
    description:
      'The machine that the node runs on, when it is a virtual one: the label `CIS-node`, by which pods are kept apart as OpenStack Tacker does it',
    examples: ['compute-03'],
    absent: 'none',
  }).optional(),
};
