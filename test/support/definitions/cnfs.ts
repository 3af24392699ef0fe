import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cluster, Cnf } from '../../../generators/cluster/cluster.ts';
import { load } from '../../../generators/load.ts';
import type { Files } from '../../../generators/definition/files.ts';
import { showProblems } from '../../../generators/source/problems.ts';
import { render } from '../../../generators/render.ts';
import type { RenderedFile } from '../../../generators/rendered-file.ts';
import { ok } from '../../../generators/result.ts';
import { runModule } from '../module.ts';
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
  /** Why it failed. */
  readonly said: string;
}

/** A cluster of one file, behind a stand-in for kubectl, in which the modules are run. */
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

/** What each operation calls, and what it is told besides the name and what the CNF is made of. */
const calls: Readonly<Record<string, readonly [module: string, options: Options]>> = {
  instantiate: ['cnf', () => ({ state: 'present' })],
  update: ['cnf', ([prune, rollback]) => ({ state: 'updated', prune: prune === 'prune', rollback })],
  terminate: ['cnf', () => ({ state: 'absent' })],
  scale: ['cnf_scale', ([aspect, by, number]) => ({ aspect, by, number })],
  heal: ['cnf_pods', ([pods = '']) => ({ pods: pods.split(',') })],
  status: ['cnf_info', () => ({})],
  kubeconfig: ['cnf_kubeconfig', ([hours]) => ({ hours })],
};

type Options = (words: readonly string[]) => Readonly<Record<string, unknown>>;

const bundles = new WeakMap<Cluster, readonly RenderedFile[]>();

/** What a cluster renders to, rendered once. */
function rendered(cluster: Cluster): readonly RenderedFile[] {
  const files = bundles.get(cluster) ?? render(cluster, templates);
  bundles.set(cluster, files);
  return files;
}

function ran(
  folder: string,
  cluster: Cluster,
  { program, words }: { readonly program: string; readonly words: readonly string[] },
): Ran {
  const [name = '', mode = '', ...more] = words;
  const [module, options] = calls[program] ?? ['', () => ({})];
  const data = rendered(cluster).find(({ path }) => path === `files/cnf/${name}/cnf.json`)?.text;
  const takesContent = !['terminate', 'status', 'kubeconfig'].includes(program);
  const content = takesContent ? { content: Buffer.from(data ?? '').toString('base64') } : {};
  const { result } = runModule(
    module,
    { name, ...content, ...options(more) },
    {
      isCheck: mode === 'look',
      programs: { kubectl: `exec ${join(folder, 'kubectl')} "$@"` },
      replaced: {
        '"/etc/kubernetes/admin.conf"': JSON.stringify(join(folder, 'admin.conf')),
        'dir="/run"': `dir=${JSON.stringify(folder)}`,
      },
    },
  );
  const { failed = false, done = [], told = [], kubeconfig = '', msg = '' } = result;
  return {
    status: failed ? 1 : 0,
    changed: mode === 'look' ? [] : done,
    told: told as readonly string[],
    kubeconfig: String(kubeconfig),
    said: msg,
  };
}

/** The CNF of a cluster that has one. */
export function cnfOf({ cnfs }: Cluster): Cnf {
  const [first] = cnfs.all;
  if (first === undefined) throw new Error('the cluster has no CNF');
  return first;
}
