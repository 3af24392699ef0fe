import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
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
 * Stands in for Cluster API's provider for OpenStack and for the machines: it says of every network and machine that is wanted
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
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

const namespace = 'magnum-system';
const group = 'infrastructure.cluster.x-k8s.io';

/** One look at everything. */
async function turn(options: ProviderOptions, workloads: Map<string, KubernetesApi>): Promise<void> {
  const { management } = options;
  for (const cluster of await listOf(management, `openstackclusters.${group}`)) {
    if (cluster.status?.['ready'] === true) continue;
    const name = cluster.metadata.labels?.['cluster.x-k8s.io/cluster-name'] ?? '';
    const workload = workloads.get(name) ?? (await startWorkload(options, name));
    workloads.set(name, workload);
    await patch(management, `openstackclusters.${group}`, cluster, {
      spec: { controlPlaneEndpoint: workload.endpoint },
    });
    await patch(management, `openstackclusters.${group}`, cluster, { status: { ready: true } });
  }
  const machines = await listOf(management, `openstackmachines.${group}`);
  for (const machine of machines) await appear(management, workloads, machine);
}

/** The machine is there, and a node of its cluster. */
async function appear(
  management: KubernetesApi,
  workloads: ReadonlyMap<string, KubernetesApi>,
  machine: Resource,
): Promise<void> {
  const workload = workloads.get(machine.metadata.labels?.['cluster.x-k8s.io/cluster-name'] ?? '');
  if (machine.status?.['ready'] === true || workload === undefined) return;
  const { name, uid } = machine.metadata;
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

/** An API server with the authority that Magnum's driver gave the cluster, where kubeadm has been. */
async function startWorkload(options: ProviderOptions, name: string): Promise<KubernetesApi> {
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
  const workload = await startKubernetesApi({ ...options, folder, name });
  await workload.apply([
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kubeadm-config', namespace: 'kube-system' } },
  ]);
  return workload;
}

async function listOf(api: KubernetesApi, kind: string): Promise<readonly Resource[]> {
  const shown = await api.kubectl('--namespace', namespace, 'get', kind, '--output=json');
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
    ...['--namespace', namespace, 'patch', kind, metadata.name, '--type=merge'],
    ...('status' in change ? ['--subresource=status'] : []),
    ...['--patch', JSON.stringify(change)],
  );
}
