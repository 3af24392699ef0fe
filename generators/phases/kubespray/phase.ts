import type { Cluster } from '../../cluster/cluster.ts';
import type { View } from '../../engine.ts';
import { renderedFile, type Phase } from '../phase.ts';

/** Where kubespray installs Kubernetes. */
export const isKubespray = ({ kubernetes }: Pick<Cluster, 'kubernetes'>): boolean =>
  kubernetes.installer === 'kubespray';

type Own = Pick<Phase, 'name' | 'what' | 'run'> & Partial<Pick<Phase, 'hosts' | 'parameters' | 'told'>>;

/** A phase that calls playbooks of kubespray; `view` is told to its template beside the secrets. */
export const kubesprayPhase = (own: Own, view: (cluster: Cluster) => View = () => ({})): Phase => ({
  hosts: 'k8s_cluster:etcd',
  parameters: [],
  ...own,
  tags: [{ name: own.name, what: 'everything' }],
  applies: isKubespray,
  render: (cluster, fill) => {
    const told = { ...view(cluster), secrets: kubespraySecrets(cluster) };
    return [renderedFile(`${own.name}.yml`, fill(`kubespray/${own.name}.yml.hbs`, told))];
  },
});

/** Variables that its inventory names: how nodes are logged in to, and who may ask registries. */
export function kubespraySecrets({ machines, containerd, kubespray }: Cluster): readonly string[] {
  if (kubespray.version === '') return [];
  const nodes = machines.filter(({ roles }) =>
    roles.some((role) => ['control-plane', 'worker', 'etcd'].includes(role)),
  );
  const all = [
    ...nodes.flatMap(({ ssh }) => [ssh.passwordVariable, ssh.becomePasswordVariable]),
    ...(kubespray.containerManager === 'docker'
      ? []
      : containerd.registries.map(({ passwordVariable }) => passwordVariable)),
  ];
  return [...new Set(all.filter((variable) => variable !== ''))].sort();
}
