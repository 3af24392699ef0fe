import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cluster, Cnf } from '../../../generators/cluster/cluster.ts';
import { load } from '../../../generators/load.ts';
import type { Files } from '../../../generators/definition/files.ts';
import { showProblems } from '../../../generators/source/problems.ts';
import { render } from '../../../generators/render.ts';
import { ok } from '../../../generators/result.ts';
import { templates } from './templates.ts';

/** The beginning of a definition that installs Kubernetes; `cnfs` follows. */
export const definitionWith = (cnfs: string, { version = '1.34.1', plugin = 'none' } = {}): string =>
  `apiVersion: playsmith/v1
kind: Cluster
metadata: { name: edge-a }
ansibleServer: local
installer: { kubeadm: { version: ${version} } }
network: { nodeSubnet: 192.0.2.0/24, plugin: ${plugin} }
ssh: { user: ubuntu }
nodes:
  - name: master01
    roles: [control-plane, worker]
    address: 192.0.2.11
    ssh: { hostKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWF5R/rGki6T+Vb4BMpf3PZzZ3P+ldk4MJKR8K07W36 }
${cnfs}`;

/** Files by their names as a definition writes them. */
export const filesOf = (texts: Readonly<Record<string, string>>): Files =>
  new Map(Object.entries(texts).map(([name, text]) => [name, ok(text)]));

/** A Deployment, as one document; with a namespace or without. */
export const deployment = (
  name: string,
  { namespace = '', image = 'docker.io/lab/echo:1', replicas = 2 } = {},
): string =>
  `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}${namespace === '' ? '' : `, namespace: ${namespace}`} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: main, image: ${image} }] }
`;

export const configMap = (name: string, value = 'one'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { value: ${value} }\n`;

/** The cluster of a definition; throws with its faults. */
export function clusterWith(cnfs: string, files: Readonly<Record<string, string>>, options = {}): Cluster {
  const text = definitionWith(cnfs, options);
  const loaded = load(text, 'cluster.yml', filesOf(files));
  if (!loaded.ok) throw new Error(showProblems(loaded.failure, text));
  return loaded.value.cluster;
}

/** One CNF `web` of one file, in `tenant-a`. */
export const webCluster = (manifest: string, more = ''): Cluster =>
  clusterWith(`cnfs:\n  - { name: web, namespace: tenant-a, manifests: [web.yaml]${more} }\n`, {
    'web.yaml': manifest,
  });

interface Thing {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: object };
  readonly spec?: Readonly<Record<string, unknown>>;
}

export interface Ran {
  readonly status: number | null;
  readonly changed: readonly string[];
  readonly told: readonly string[];
  /** The text of a kubeconfig, where one was asked for. */
  readonly kubeconfig: string;
  /** Standard error, with standard output where there is no answer. */
  readonly said: string;
}

/** A cluster of one file, behind a stand-in for kubectl, in which the programs of the bundle are run. */
export interface FakeCluster {
  readonly run: (cluster: Cluster, program: string, ...words: readonly string[]) => Ran;
  /** `Deployment tenant-a/web`, sorted; nothing of ours but namespaces. */
  readonly there: () => readonly string[];
  readonly thing: (kind: string, name: string) => Thing | undefined;
  readonly put: (...things: readonly object[]) => void;
  readonly events: (...events: readonly object[]) => void;
  readonly asked: () => readonly string[];
  /** Folders with kubeconfigs of tenants that are left behind. */
  readonly left: () => readonly string[];
}

export function fakeCluster(): FakeCluster {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-cnf-'));
  cpSync(join(import.meta.dirname, 'fake-kubectl.py'), join(folder, 'kubectl'));
  spawnSync('chmod', ['0755', join(folder, 'kubectl')]);
  const file = (name: string): string => join(folder, name);
  const write = (name: string, data: unknown): void => {
    writeFileSync(file(name), JSON.stringify(data));
  };
  for (const name of ['there.json', 'gone.json', 'events.json']) write(name, []);
  writeFileSync(file('admin.conf'), '');
  writeFileSync(file('asked'), '');
  const things = (): Thing[] => JSON.parse(readFileSync(file('there.json'), 'utf8')) as Thing[];
  return {
    run: (cluster, program, ...words) => ran(folder, cluster, { program, words }),
    there: () =>
      things()
        .map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`)
        .filter((title) => !title.includes('playsmith-cnfs') && !title.endsWith('/default'))
        .toSorted(),
    thing: (kind, name) => things().find((each) => each.kind === kind && each.metadata.name === name),
    put: (...more) => {
      write('there.json', [...things(), ...more]);
    },
    events: (...events) => {
      write('events.json', events);
    },
    asked: () =>
      readFileSync(file('asked'), 'utf8')
        .split('\n')
        .filter((line) => line !== ''),
    left: () => readdirSync(folder).filter((name) => name.startsWith('playsmith-cnf-')),
  };
}

function ran(
  folder: string,
  cluster: Cluster,
  { program, words }: { readonly program: string; readonly words: readonly string[] },
): Ran {
  const files = render(cluster, templates);
  const textOf = (path: string): string => files.find((each) => each.path === path)?.text ?? '';
  const own = textOf(`files/cnf-${program}/${program}.py`);
  if (own === '') throw new Error(`the bundle has no program ${program}`);
  const source = (textOf('files/cnf/shared.py') + own)
    .replaceAll('/etc/kubernetes/admin.conf', join(folder, 'admin.conf'))
    .replaceAll('dir="/run"', `dir=${JSON.stringify(folder)}`);
  const [name = ''] = words;
  const data = textOf(`files/cnf/${name}/cnf.json`);
  const done = spawnSync('/usr/bin/python3', ['-c', source, ...words], {
    input: Buffer.from(data).toString('base64'),
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` },
  });
  const answered = done.status === 0 ? (JSON.parse(done.stdout) as Partial<Ran>) : undefined;
  return {
    status: done.status,
    changed: answered?.changed ?? [],
    told: answered?.told ?? [],
    kubeconfig: answered?.kubeconfig ?? '',
    said: `${done.stderr}${answered ? '' : done.stdout}`.trim(),
  };
}

/** The CNF of a cluster that has one. */
export function cnfOf({ cnfs }: Cluster): Cnf {
  const [first] = cnfs.all;
  if (first === undefined) throw new Error('the cluster has no CNF');
  return first;
}
