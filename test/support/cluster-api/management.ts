import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { freePort } from '../server/git-server.ts';
import { certify } from '../server/s3-server.ts';
import { waitFor, type Programs } from '../openstack/programs.ts';
import { infrastructureKinds, infrastructureResources } from './infrastructure.ts';
import type { KubernetesApi } from './kubernetes.ts';
import type { ClusterApi } from './programs.ts';

/** Cluster API's controllers: which part of the module each is configured by. */
const controllers = {
  core: 'config/default',
  bootstrap: 'bootstrap/kubeadm/config/default',
  'control-plane': 'controlplane/kubeadm/config/default',
} as const;

export type Controller = keyof typeof controllers;

export interface ManagementOptions {
  readonly folder: string;
  readonly kubernetes: KubernetesApi;
  readonly clusterApi: ClusterApi;
  readonly started: Programs;
}

/**
 * Makes a Kubernetes API one that Cluster API manages clusters with: its resources, and its controllers as programs beside it
 * instead of in pods.
 */
export async function manageClusters(options: ManagementOptions): Promise<void> {
  const { kubernetes, clusterApi } = options;
  const certificates = join(options.folder, 'webhooks');
  mkdirSync(certificates);
  certify(certificates);
  const authority = readFileSync(join(certificates, 'cert.pem')).toString('base64');
  await kubernetes.apply(infrastructureKinds);
  for (const [name, config] of Object.entries(controllers)) {
    const port = await freePort();
    const made = await kubernetes.kubectl('kustomize', join(clusterApi.module, config));
    const objects = parseAllDocuments(made).map((document) => document.toJS() as Json);
    const resources = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
    const webhooks = objects.filter(({ kind }) => String(kind).endsWith('WebhookConfiguration'));
    const told = { authority, port };
    await kubernetes.apply(resources.map((each) => withController(each, told)));
    await kubernetes.kubectl('wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s');
    await start(options, { name, port, certificates });
    await kubernetes.apply(webhooks.map((each) => withController(each, told)));
  }
  // The API server makes the store of a resource when it is asked for the first time, and refuses meanwhile.
  for (const kind of infrastructureResources)
    await waitFor(kind, () =>
      kubernetes.kubectl('get', kind, '--all-namespaces').then(
        () => true,
        () => false,
      ),
    );
}

interface Listening {
  readonly name: string;
  readonly port: number;
  readonly certificates: string;
}

async function start(
  { kubernetes, clusterApi, started }: ManagementOptions,
  { name, port, certificates }: Listening,
): Promise<void> {
  const health = await freePort();
  started.start(
    `cluster-api-${name}`,
    [
      ...[join(clusterApi.bin, name), '--kubeconfig', kubernetes.kubeconfig],
      ...['--feature-gates=ClusterTopology=true', `--webhook-port=${port}`, '--diagnostics-address=0'],
      ...[`--health-addr=127.0.0.1:${health}`, `--webhook-cert-dir=${certificates}`],
      ...['--webhook-cert-name=cert.pem', '--webhook-key-name=key.pem'],
    ],
    { POD_NAMESPACE: 'capi-system', POD_NAME: name, POD_UID: name },
  );
  await waitFor(`Cluster API, ${name}`, () =>
    fetch(`http://127.0.0.1:${health}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}

type Json = Readonly<Record<string, unknown>>;

/** The object, with the controller on loopback where it names a Service. */
function withController(
  object: Json,
  { authority, port }: { readonly authority: string; readonly port: number },
): Json {
  const text = JSON.stringify(object, (_, value: unknown) => {
    const path = servicePath(value);
    return path === undefined ? value : { url: `https://127.0.0.1:${port}${path}`, caBundle: authority };
  });
  return JSON.parse(text) as Json;
}

/** The path at the Service that a configuration of a client names; the schema of one names none. */
const servicePath = (value: unknown): string | undefined => {
  const { service } = (value ?? {}) as { readonly service?: { readonly path?: unknown } };
  return typeof service?.path === 'string' ? service.path : undefined;
};
