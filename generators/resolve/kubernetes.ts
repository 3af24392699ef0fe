import type { Argument, Audit, Encryption, Kubernetes, Settings } from '../cluster/cluster.ts';
import { versionOf } from '../definition/cnf/sources.ts';
import { defaults } from '../definition/defaults.ts';
import { fileText, type Files } from '../definition/files.ts';
import { readObjects } from '../definition/manifests/objects.ts';
import type { Definition } from '../definition/schema/schema.ts';
import { secretVariables } from './secret-names.ts';
import { auditRules } from './audit.ts';
import { resolveBackup } from './backup.ts';
import { certificateSans } from './certificate-sans.ts';

type Kubeadm = NonNullable<NonNullable<Definition['installer']>['kubeadm']>;

/** What kubeadm is told; with another installer nothing but what is true of every cluster. */
export function resolveKubernetes(definition: Definition, files: Files): Kubernetes {
  const kubeadm = definition.installer?.kubeadm;
  const packages = definition.offline ? 'artifacts' : 'repository';
  if (definition.installer?.kubespray) return { ...nothing, ...ofKubespray(definition) };
  if (!kubeadm) return { ...nothing, packages };
  return {
    installer: 'kubeadm',
    version: kubeadm.version,
    packages,
    repository: definition.offline ? '' : (kubeadm.repository ?? own.repository).replace(/\/+$/, ''),
    repositoryKey: definition.offline ? '' : (kubeadm.repositoryKey ?? own.repositoryKey),
    ...ownClusterName(definition.metadata.name, kubeadm.clusterName),
    imageRepository: kubeadm.imageRepository ?? '',
    certificateSans: certificateSans(definition, kubeadm.certificateSans ?? []),
    extraArguments: extraArguments(kubeadm.extraArguments),
    ...externalCloudProvider(kubeadm.externalCloudProvider, files),
    ...(kubeadm.serverTLSBootstrap === true ? { serverTLSBootstrap: true } : {}),
    kubelet: (kubeadm.kubelet ?? {}) as Settings,
    kubeProxy: (kubeadm.kubeProxy ?? {}) as Settings,
    audit: audit(kubeadm.audit),
    encryption: encryption(kubeadm.encryption),
    backup: resolveBackup(kubeadm.backup),
    upgrade: { workersAtOnce: kubeadm.upgrade?.workersAtOnce ?? own.upgrade.workersAtOnce },
    preflight: { freeMegabytes: kubeadm.preflight?.freeMegabytes ?? own.preflight.freeMegabytes },
  };
}

const ownClusterName = (name: string, clusterName = name): Pick<Kubernetes, 'clusterName'> =>
  clusterName === name ? {} : { clusterName };

/** All else is kubespray's to say. */
const ofKubespray = (definition: Definition): Pick<Kubernetes, 'installer' | 'version' | 'upgrade'> => ({
  installer: 'kubespray',
  version: versionOf(definition),
  upgrade: {
    workersAtOnce:
      definition.installer?.kubespray?.upgrade?.workersAtOnce ?? defaults.kubespray.workersAtOnce,
  },
});

const { kubernetes: own } = defaults;

const extraArguments = (written: Kubeadm['extraArguments']): Kubernetes['extraArguments'] => ({
  apiServer: sortArguments(written?.apiServer),
  controllerManager: sortArguments(written?.controllerManager),
  scheduler: sortArguments(written?.scheduler),
  etcd: sortArguments(written?.etcd),
});

const sortArguments = (written: Readonly<Record<string, string>> = {}): readonly Argument[] =>
  Object.keys(written)
    .sort()
    .map((name) => ({ name, value: written[name] ?? '' }));

const audit = (written?: Kubeadm['audit']): Audit => ({
  rules: (written?.rules as readonly Settings[] | undefined) ?? auditRules(written?.level),
  keepDays: written?.keepDays ?? own.audit.keepDays,
  keepFiles: written?.keepFiles ?? own.audit.keepFiles,
  megabytes: written?.megabytes ?? own.audit.megabytes,
});

/** The checks have refused files that cannot be read. */
function externalCloudProvider(
  written: Kubeadm['externalCloudProvider'],
  files: Files,
): Pick<Kubernetes, 'externalCloudProvider'> {
  if (written === undefined) return {};
  const objects = (written.manifests ?? []).flatMap((path) => {
    const text = fileText(files, path);
    return text.ok ? readObjects(text.value, path).objects.map(({ object }) => object as Settings) : [];
  });
  return {
    externalCloudProvider: {
      objects,
      configVariable: written.cloudConfig ? secretVariables.cloudConfig : '',
    },
  };
}

const encryption = (written?: Kubeadm['encryption']): Encryption => ({
  provider: written?.provider ?? own.encryption.provider,
  keyVariable: written ? secretVariables.encryption : '',
});

const nothing: Kubernetes = {
  installer: 'none',
  version: '',
  packages: 'repository',
  repository: '',
  repositoryKey: '',
  imageRepository: '',
  certificateSans: [],
  extraArguments: extraArguments(undefined),
  kubelet: {},
  kubeProxy: {},
  audit: audit(),
  encryption: encryption(),
  backup: resolveBackup(),
  upgrade: own.upgrade,
  preflight: own.preflight,
};
