import type { Cluster } from '../../cluster/cluster.ts';
import type { Fill } from '../../engine.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { kubernetesBinariesView, repositoryOf } from './kubernetes-binaries.ts';
import { isOffline } from '../offline.ts';
import { renderedFile, type Phase } from '../phase.ts';
import { isProxied } from '../proxy-environment.ts';
import { settingsBelow } from '../settings.ts';

/** kubelet, kubeadm and kubectl at exactly the version of the definition, and the programs that they call. */
export const kubernetesPackages: Phase = {
  name: 'kubernetes-packages',
  what: 'Install kubelet, kubeadm and kubectl at exactly the defined version, and hold the packages',
  hosts: 'k8s_cluster',
  tags: [
    { name: 'kubernetes-packages', what: 'everything' },
    { name: 'kubernetes-packages_install', what: 'the programs' },
    { name: 'kubernetes-packages_config', what: 'the settings of the kubelet service and of crictl' },
    { name: 'verify', what: 'the kubelet that is installed has the version' },
  ],
  applies: ({ kubernetes }) => kubernetes.installer === 'kubeadm',
  run: 'instantiate',
  parameters: [],
  render: (cluster, fill) => {
    const settings = settingsOf(cluster, fill);
    const view = { ...playbookView(cluster), settings: settingsBelow(etc, settings), gone: goneOf(cluster) };
    return [
      renderedFile('kubernetes-packages.yml', fill('kubernetes-packages/kubernetes-packages.yml.hbs', view)),
      ...settings,
    ];
  },
};

/** Copied to `/etc/` as a whole. */
const etc = 'files/kubernetes-packages/etc';

const playbookView = (cluster: Cluster): Readonly<Record<string, unknown>> => ({
  ...kubernetesBinariesView(cluster),
  port: cluster.network.apiServerPort,
  proxied: isProxied(cluster),
  packages: packagesOf(cluster),
  unpacksPlugins: unpacksPlugins(cluster),
});

/** Packages of the distribution that kubeadm, kube-proxy and containerd call. */
export const calledPackages: readonly string[] = ['conntrack', 'ethtool', 'iptables', 'socat'];

/** The community's packages of Kubernetes bring crictl and the plugins themselves. */
const packagesOf = (cluster: Cluster): readonly string[] => [
  ...calledPackages,
  ...(isOffline(cluster) ? [] : ['cri-tools', 'kubernetes-cni']),
];

/** Every network relies on bridge, loopback, portmap and their like, which offline no package brings. */
const unpacksPlugins = (cluster: Cluster): boolean =>
  isOffline(cluster) && cluster.podNetwork.plugin !== 'none';

/** Online the unit of the kubelet comes with its package. */
function settingsOf(cluster: Cluster, fill: Fill): readonly RenderedFile[] {
  const file = (path: string, template: string): RenderedFile =>
    renderedFile(
      `${etc}/${path}`,
      fill(`kubernetes-packages/${template}`, {
        repository: repositoryOf(cluster),
        repositoryKey: cluster.kubernetes.repositoryKey,
      }),
    );
  return [
    ...(isOffline(cluster)
      ? ownUnits.map((path) => file(path, `${path.split('/').at(-1) ?? ''}.hbs`))
      : [file(source, 'kubernetes.list.hbs')]),
    file(`${unit}.d/20-playsmith.conf`, 'wait.conf.hbs'),
    file('crictl.yaml', 'crictl.yaml.hbs'),
  ];
}

/** What the other way has there. */
const goneOf = (cluster: Cluster): readonly string[] =>
  (isOffline(cluster) ? [source] : ownUnits).map((path) => `/etc/${path}`);

const source = 'apt/sources.list.d/playsmith-kubernetes.list';
const unit = 'systemd/system/kubelet.service';
const ownUnits: readonly string[] = [unit, `${unit}.d/10-kubeadm.conf`];
