import type { Cluster, Machine } from '../../cluster/cluster.ts';
import { dataFile, type Data } from '../../data-file.ts';
import type { View } from '../../engine.ts';
import { enterProgram } from '../kubeadm/enter.ts';
import { joinFiles } from '../kubeadm/join.ts';
import { ownKubelets, patchFolder } from '../kubeadm/own-kubelet.ts';
import { isControlPlane, isOnlyWorker } from '../../cluster/roles.ts';
import { renderedFile, type Phase } from '../phase.ts';

/** The workers, all side by side; and what every node of the cluster is marked with. */
export const workers: Phase = {
  name: 'workers',
  what: 'Join the workers to the cluster, and give every node its labels and taints',
  hosts: 'k8s_cluster',
  tags: [
    { name: 'workers', what: 'everything below' },
    { name: 'workers_config', what: 'labels and taints' },
  ],
  applies: ({ kubernetes }) => kubernetes.installer === 'kubeadm',
  run: 'instantiate',
  // What is different for one worker is brought to those that run by a phase of its own.
  borrows: ['kubernetes-settings'],
  parameters: [],
  render: (cluster, fill) => {
    const joining = cluster.machines.filter(isOnlyWorker);
    return [
      renderedFile('workers.yml', fill('workers/workers.yml.hbs', playbookView(cluster, joining))),
      dataFile(cluster.name, 'files/workers/marks.yml', {
        why: 'labels and taints of each node',
        data: marksOf(cluster),
      }),
      ...(joining.length > 0 ? [enterProgram(cluster, fill)] : []),
      ...joinFiles(cluster, 'worker').files,
    ];
  },
};

const playbookView = (cluster: Cluster, joining: readonly Machine[]): View => ({
  workers: joining,
  ownKubelets: ownKubelets(cluster),
  patchFolder,
  workerJoins: joinFiles(cluster, 'worker').lookup,
});

const isWorker = ({ roles }: Machine): boolean => roles.includes('worker');

/** Node → labels and taints. Workers get the label that `kubectl get nodes` shows as their role. */
function marksOf({ machines }: Cluster): Data {
  const nodes = machines.filter((machine) => isWorker(machine) || isControlPlane(machine));
  return Object.fromEntries(
    nodes.map((machine) => [machine.name, { labels: labelsOf(machine), taints: taintsOf(machine) }]),
  );
}

/** Those of the definition, and kubeadm's, which keeps work away from a node that is a control plane alone. */
function taintsOf(machine: Machine): readonly Data[] {
  const taints = machine.taints.map((taint) => ({ ...taint }));
  return isWorker(machine)
    ? taints
    : [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }, ...taints];
}

function labelsOf(machine: Machine): Readonly<Record<string, string>> {
  const role = isWorker(machine) ? { 'node-role.kubernetes.io/worker': '' } : {};
  return { ...role, ...Object.fromEntries(machine.labels.map(({ key, value }) => [key, value])) };
}
