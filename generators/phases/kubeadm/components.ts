import type { Cluster, Settings } from '../../cluster/cluster.ts';
import type { Data } from '../../data-file.ts';
import { mergeSettings } from '../../cluster/merge-settings.ts';

/** What every kubelet is told; the definition's settings go beside ours. */
export const kubeletConfiguration = ({ kubernetes }: Cluster): Readonly<Record<string, Data>> =>
  mergeSettings(kubernetes.kubelet, {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    cgroupDriver: 'systemd',
    rotateCertificates: true,
    ...(kubernetes.serverTLSBootstrap === true ? { serverTLSBootstrap: true } : {}),
  });

/** What every kube-proxy is told. */
export const kubeProxyConfiguration = ({ kubernetes }: Cluster): Readonly<Record<string, Data>> =>
  mergeSettings(kubernetes.kubeProxy, head('kubeproxy.config.k8s.io/v1alpha1', 'KubeProxyConfiguration'));

const head = (apiVersion: string, kind: string): Settings => ({ apiVersion, kind });
