import type { Cluster } from '../../cluster/cluster.ts';
import { dataFile, expression, type Data } from '../../data-file.ts';
import type { Fill } from '../../engine.ts';
import { configurationFolder, isEncrypted } from '../kubeadm/api-server.ts';
import { configurations } from '../kubeadm/documents.ts';
import { enterProgram } from '../kubeadm/enter.ts';
import { joinFiles } from '../kubeadm/join.ts';
import { ownKubelets, patchFolder } from '../kubeadm/own-kubelet.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { isOnlyWorker } from '../../cluster/roles.ts';
import { isOffline } from '../offline.ts';
import { serversOf } from '../load-balancer/servers.ts';
import { renderedFile, type Phase } from '../phase.ts';

/** The control planes: the first begins the cluster, the others join it, all at once while it is new, else one at a time. */
export const controlPlane: Phase = {
  name: 'control-plane',
  what: 'Initialise the cluster with kubeadm on one control plane and join the others',
  hosts: 'kube_control_plane',
  tags: [
    { name: 'control-plane', what: 'everything below' },
    { name: 'control-plane_config', what: 'the configuration of kubeadm on each control plane' },
  ],
  applies: ({ kubernetes }) => kubernetes.installer === 'kubeadm',
  run: 'instantiate',
  parameters: [],
  told: () => 'control_plane_operation',
  // Workers that join meanwhile are told what their own phase tells them.
  borrows: ['workers', 'kubernetes-settings'],
  render: (cluster, fill) => [
    renderedFile('control-plane.yml', fill('control-plane/control-plane.yml.hbs', playbookView(cluster))),
    ...programs(cluster, fill),
    ...joinFiles(cluster, 'control-plane').files,
    ...(isEncrypted(cluster) ? encryptionFiles(cluster) : []),
  ],
};

function playbookView(cluster: Cluster): Readonly<Record<string, unknown>> {
  return {
    folder: configurationFolder,
    servers: serversOf(cluster).join(' '),
    port: cluster.network.apiServerPort,
    workers: cluster.machines.filter(isOnlyWorker).map(({ name }) => name),
    ownKubelets: ownKubelets(cluster),
    patchFolder,
    joins: joinFiles(cluster, 'control-plane').lookup,
    workerJoins: joinFiles(cluster, 'worker').lookup,
    configuration: configurations(cluster).lookup,
    offline: isOffline(cluster),
    encrypted: isEncrypted(cluster),
    key: keyView(cluster),
  };
}

/** The variable that holds the key which encrypts Secrets, and what is said when it holds none. */
export const keyView = ({ kubernetes }: Cluster): { readonly variable: string; readonly problem: string } => {
  const variable = kubernetes.encryption.keyVariable;
  return {
    variable,
    problem: `${variable} must be given: 32 random bytes as base64, as openssl rand -base64 32 prints them`,
  };
};

const programs = (cluster: Cluster, fill: Fill): readonly RenderedFile[] => [
  renderedFile(
    'files/control-plane/images.sh',
    fill('control-plane/images.sh.hbs', { offline: isOffline(cluster), folder: configurationFolder }),
  ),
  enterProgram(cluster, fill),
];

/** What API servers are told of the key in the end, and until all of them can read with it. */
const encryptionFiles = (cluster: Cluster): readonly RenderedFile[] => [
  encryption(cluster, 'encryption', ([key, plain]) => [key, plain]),
  encryption(cluster, 'reading', ([key, plain]) => [plain, key]),
];

type Providers = readonly [encrypted: Data, plain: Data];

/** A key is named by its own digest: what was written with it is found again, and seen in etcd, whatever stands beside it. */
function encryption(
  cluster: Cluster,
  name: 'encryption' | 'reading',
  inOrder: (providers: Providers) => readonly Data[],
): RenderedFile {
  const { provider, keyVariable } = cluster.kubernetes.encryption;
  const key: Data = {
    name: expression(`key-{{ (${keyVariable} | hash('sha256'))[:8] }}`),
    secret: expression(`{{ ${keyVariable} }}`),
  };
  return dataFile(cluster.name, `files/control-plane/${name}.yaml.j2`, {
    why:
      name === 'encryption'
        ? 'how Secrets are encrypted in etcd; Ansible fills in the key'
        : 'how Secrets are read until every API server can; Ansible fills in the key',
    data: {
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'EncryptionConfiguration',
      resources: [
        {
          resources: ['secrets'],
          providers: inOrder([{ [provider]: { keys: [key] } }, { identity: {} }]),
        },
      ],
    },
  });
}
