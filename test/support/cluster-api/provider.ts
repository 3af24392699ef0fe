import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { addonResources } from './infrastructure.ts';
import type { KubernetesPrograms } from './kubernetes-programs.ts';
import { startKubernetesApi, type KubernetesApi } from './kubernetes.ts';
import type { Programs } from '../openstack/programs.ts';

export interface ProviderOptions {
  readonly folder: string;
  readonly address: string;
  readonly management: KubernetesApi;
  readonly programs: KubernetesPrograms;
  readonly started: Programs;
  /** Is told what did not go well at once; it is tried again. */
  readonly log?: (error: unknown) => void;
}

/**
 * Stands in for Cluster API's provider for OpenStack, for that of addons and for the machines: it says of every network and machine that is wanted
 * that it is there, and gives each workload cluster an API server of its own, signed by the cluster's authority, in which its
 * machines are nodes. Nothing boots, and no etcd of a machine answers.
 */
export interface Provider {
  /** Whether it does its work, which it does not at first; else what is wanted stays wanted. */
  working: boolean;
  readonly end: () => Promise<void>;
}

export function startProvider(options: ProviderOptions): Provider {
  const workloads = new Map<string, KubernetesApi>();
  const over = new AbortController();
  const provider = {
    working: false,
    end: async () => {
      over.abort();
      await loop;
    },
  };
  const loop = (async () => {
    while (!over.signal.aborted) {
      if (provider.working) await turn(options, workloads).catch((error: unknown) => options.log?.(error));
      await pause(1000);
    }
  })();
  return provider;
}

interface Resource {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[];
    readonly deletionTimestamp?: string;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

const group = 'infrastructure.cluster.x-k8s.io';

const controlPlane = 'cluster.x-k8s.io/control-plane';

const kubeadmConfig = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'kubeadm-config', namespace: 'kube-system' },
  data: { ClusterConfiguration: 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n' },
};

/** One look at everything. */
async function turn(options: ProviderOptions, workloads: Map<string, KubernetesApi>): Promise<void> {
  const { management } = options;
  for (const cluster of await listOf(management, `openstackclusters.${group}`)) {
    if (cluster.status?.['ready'] === true) continue;
    const name = cluster.metadata.labels?.['cluster.x-k8s.io/cluster-name'] ?? '';
    const workload = workloads.get(name) ?? (await startWorkload(options, name, cluster.metadata.namespace));
    workloads.set(name, workload);
    await patch(management, `openstackclusters.${group}`, cluster, {
      spec: { controlPlaneEndpoint: workload.endpoint },
    });
    await patch(management, `openstackclusters.${group}`, cluster, { status: { ready: true } });
  }
  const begun = await bootstrapped(management);
  const machines = await listOf(management, `openstackmachines.${group}`);
  for (const machine of machines)
    if (machine.metadata.ownerReferences?.some(({ name }) => begun.has(name)))
      await appear(management, workloads, machine);
  // Their charts would come from the internet, to nodes that are none.
  for (const kind of addonResources)
    for (const addon of await listOf(management, kind))
      if (addon.status?.['phase'] !== 'Deployed')
        await patch(management, kind, addon, { status: { phase: 'Deployed' } });
}

/** Names of the machines that may boot: Cluster API has written what they begin with. */
async function bootstrapped(management: KubernetesApi): Promise<ReadonlySet<string>> {
  const machines = await listOf(management, 'machines.cluster.x-k8s.io');
  const begun = machines.filter(({ spec }) => {
    const bootstrap = spec?.['bootstrap'] as { readonly dataSecretName?: string } | undefined;
    return bootstrap?.dataSecretName !== undefined;
  });
  return new Set(begun.map(({ metadata }) => metadata.name));
}

/** The machine is there, and a node of its cluster; a control plane is where kubeadm has been. */
async function appear(
  management: KubernetesApi,
  workloads: ReadonlyMap<string, KubernetesApi>,
  machine: Resource,
): Promise<void> {
  const workload = workloads.get(machine.metadata.labels?.['cluster.x-k8s.io/cluster-name'] ?? '');
  if (machine.status?.['ready'] === true || workload === undefined) return;
  const { name, uid } = machine.metadata;
  if (controlPlane in (machine.metadata.labels ?? {})) await workload.apply([kubeadmConfig]);
  const providerID = `openstack:///${uid}`;
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: { providerID } };
  await workload.apply([node]);
  const conditions = [
    { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'said by a stand-in' },
  ];
  await workload.kubectl(
    ...['patch', 'node', name, '--subresource=status', '--type=merge', '--patch'],
    JSON.stringify({ status: { conditions } }),
  );
  const kind = `openstackmachines.${group}`;
  await patch(management, kind, machine, { spec: { providerID } });
  const addresses = [{ type: 'InternalIP', address: '10.0.0.10' }];
  await patch(management, kind, machine, { status: { ready: true, addresses } });
}

/** An API server with the authority that Magnum's driver gave the cluster. */
async function startWorkload(
  options: ProviderOptions,
  name: string,
  namespace: string,
): Promise<KubernetesApi> {
  const folder = join(options.folder, name);
  const pki = join(folder, 'pki');
  mkdirSync(pki, { recursive: true });
  for (const [secret, file] of [
    ['ca', 'ca'],
    ['sa', 'sa'],
  ] as const) {
    const shown = await options.management.kubectl(
      ...['--namespace', namespace, 'get', 'secret', `${name}-${secret}`, '--output=json'],
    );
    const { data } = JSON.parse(shown) as { readonly data: Readonly<Record<string, string>> };
    const write = (path: string, key: string): void => {
      writeFileSync(join(pki, path), Buffer.from(data[key] ?? '', 'base64'), { mode: 0o600 });
    };
    write(secret === 'sa' ? 'sa.pub' : `${file}.crt`, 'tls.crt');
    write(`${file}.key`, 'tls.key');
  }
  return startKubernetesApi({ ...options, folder, name });
}

async function listOf(api: KubernetesApi, kind: string): Promise<readonly Resource[]> {
  const shown = await api.kubectl('get', kind, '--all-namespaces', '--output=json');
  const { items } = JSON.parse(shown) as { readonly items: readonly Resource[] };
  return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

async function patch(
  api: KubernetesApi,
  kind: string,
  { metadata }: Resource,
  change: object,
): Promise<void> {
  await api.kubectl(
    ...['--namespace', metadata.namespace, 'patch', kind, metadata.name, '--type=merge'],
    ...('status' in change ? ['--subresource=status'] : []),
    ...['--patch', JSON.stringify(change)],
  );
}
