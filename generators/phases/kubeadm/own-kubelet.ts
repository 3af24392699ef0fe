import type { Cluster } from '../../cluster/cluster.ts';
import { dataFile } from '../../data-file.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { configurationFolder } from './api-server.ts';

/** Where kubeadm finds what is different on a worker, when it joins and when it is upgraded. */
export const patchFolder = `${configurationFolder}/patches`;

/** Names of workers whose kubelets are told more than the others. */
export const ownKubelets = ({ machines }: Cluster): readonly string[] =>
  machines.filter(({ kubelet }) => kubelet !== undefined).map(({ name }) => name);

/** A patch of kubeadm for each of them. */
export const kubeletPatches = ({ name: cluster, machines }: Cluster): readonly RenderedFile[] =>
  machines.flatMap(({ name, kubelet }) =>
    kubelet === undefined
      ? []
      : [
          dataFile(cluster, `files/kubernetes-settings/kubelet/${name}.yaml`, {
            why: `what the kubelet of ${name} is told otherwise than the others`,
            data: { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration', ...kubelet },
          }),
        ],
  );
