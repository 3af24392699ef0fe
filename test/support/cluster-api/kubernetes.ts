import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../server/git-server.ts';
import { listens, waitFor, type Programs } from '../openstack/programs.ts';
import type { KubernetesPrograms } from './kubernetes-programs.ts';

/** A Kubernetes API with nothing behind it: etcd and kube-apiserver, no nodes that run. */
export interface KubernetesApi {
  readonly kubeconfig: string;
  readonly endpoint: { readonly host: string; readonly port: number };
  /** As its administrator; what it prints. */
  readonly kubectl: (...words: readonly string[]) => Promise<string>;
  /** Applies objects. */
  readonly apply: (objects: readonly object[]) => Promise<void>;
}

export interface KubernetesApiOptions {
  /** Of its programs' logs. */
  readonly name: string;
  readonly folder: string;
  /** What it listens on. */
  readonly address: string;
  readonly programs: KubernetesPrograms;
  readonly started: Programs;
}

/** Starts one; it ends with the programs. */
export async function startKubernetesApi(options: KubernetesApiOptions): Promise<KubernetesApi> {
  const { name, folder, address, programs, started } = options;
  const port = await freePort();
  const pki = join(folder, 'pki');
  mkdirSync(pki, { recursive: true });
  const told = [
    ...['--cert-dir', pki, '--apiserver-advertise-address', address, '--kubernetes-version', 'v1.37.2'],
  ];
  await started.run([programs.kubeadm, 'init', 'phase', 'certs', 'all', ...told]);
  await started.run([
    ...[programs.kubeadm, 'init', 'phase', 'kubeconfig', 'super-admin', ...told],
    ...['--apiserver-bind-port', String(port), '--kubeconfig-dir', folder],
  ]);
  const kubeconfig = join(folder, 'super-admin.conf');
  const etcd = await startEtcd(options);
  started.start(`${name}-apiserver`, [programs.apiserver, ...apiServerWords({ address, port, pki, etcd })]);
  const kubectl = (...words: readonly string[]): Promise<string> =>
    started.run([programs.kubectl, '--kubeconfig', kubeconfig, ...words]);
  await waitFor(`the Kubernetes API, ${name}`, () =>
    kubectl('get', '--raw', '/readyz').then(
      () => true,
      () => false,
    ),
  );
  return {
    kubeconfig,
    endpoint: { host: address, port },
    kubectl,
    apply: async (objects) => {
      const file = join(folder, 'objects.json');
      writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
      await kubectl('apply', '--server-side', '--force-conflicts', '--filename', file);
    },
  };
}

async function startEtcd({ name, folder, programs, started }: KubernetesApiOptions): Promise<string> {
  const [client, peer] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${client}`;
  started.start(`${name}-etcd`, [
    ...[programs.etcd, '--data-dir', join(folder, 'data'), '--unsafe-no-fsync', '--log-level=warn'],
    ...['--listen-client-urls', url, '--advertise-client-urls', url],
    ...['--listen-peer-urls', `http://127.0.0.1:${peer}`],
    ...['--initial-advertise-peer-urls', `http://127.0.0.1:${peer}`],
    ...['--initial-cluster', `default=http://127.0.0.1:${peer}`],
  ]);
  await waitFor('etcd', () => listens(client));
  return url;
}

interface ApiServer {
  readonly address: string;
  readonly port: number;
  readonly pki: string;
  readonly etcd: string;
}

const apiServerWords = ({ address, port, pki, etcd }: ApiServer): readonly string[] => [
  ...[`--etcd-servers=${etcd}`, `--bind-address=${address}`, `--secure-port=${port}`],
  ...[`--tls-cert-file=${pki}/apiserver.crt`, `--tls-private-key-file=${pki}/apiserver.key`],
  ...[`--client-ca-file=${pki}/ca.crt`, '--authorization-mode=RBAC'],
  ...[`--service-account-key-file=${pki}/sa.pub`, `--service-account-signing-key-file=${pki}/sa.key`],
  ...['--service-account-issuer=https://kubernetes.default.svc', '--service-cluster-ip-range=10.96.0.0/16'],
  // Nobody makes the accounts that pods would have.
  '--disable-admission-plugins=ServiceAccount',
];
