import type { Bundle } from '../bundle.ts';
import type { Cluster, Cnf, Settings } from '../cluster/cluster.ts';
import { phasesOf } from '../playbooks.ts';
import type { Phase } from '../phases/phase.ts';
import type { RenderedFile } from '../rendered-file.ts';
import { sha256 } from '../digest.ts';
import { readYaml } from '../yaml.ts';

/** What one bundle wants of the hosts: enough to see later what another one wants differently. It holds no secret. */
export interface Snapshot {
  /** Digest of the bundle. */
  readonly bundle: string;
  /** SHA-256 of what rendered it: another one may change playbooks although the definition is the same. */
  readonly made: string;
  readonly cluster: Cluster;
  /** Phase → SHA-256 of everything that it brings to hosts; in the order in which they are run. */
  readonly phases: Readonly<Record<string, string>>;
  /** Phase that a step of its own brings → SHA-256 of what it brings; missing where there is none. */
  readonly maintained?: Readonly<Record<string, string>>;
  /** Name → a CNF as it is wanted; missing in what an older Playsmith wrote. */
  readonly cnfs?: Readonly<Record<string, WantedCnf>>;
}

/** What is told of a CNF without its objects, which may hold secrets. */
export interface WantedCnf {
  readonly namespace: string;
  /** SHA-256 of everything that is applied for it. */
  readonly digest: string;
  /** `Deployment web`, in the order in which they are applied. */
  readonly objects: readonly string[];
  /** What its manifests say of another namespace. */
  readonly moved: readonly string[];
  /** SHA-256 of how it is scaled, waited for and gone back from. */
  readonly settings: string;
  /** The ServiceAccount of its tenant; missing in what an older Playsmith wrote. */
  readonly serviceAccount?: string;
}

/** What a bundle wants, phase by phase. */
export function snapshotOf(cluster: Cluster, { digest, files }: Bundle, made: string): Snapshot {
  const building = phasesOf(cluster).filter(({ name, run }) => run === 'instantiate' && !bringsNothing(name));
  const variables = [...groupVariables(files), ...placesOfSecrets(cluster)];
  const phases = building.map((phase) => [phase.name, fingerprint(phase, files, variables)] as const);
  const cnfs = cluster.cnfs.all.map((cnf) => [cnf.name, wantedCnf(cnf)] as const);
  return {
    bundle: digest,
    made,
    cluster: { ...cluster, cnfs: { ...cluster.cnfs, all: [] } },
    phases: Object.fromEntries(phases),
    ...maintenanceOf(cluster),
    cnfs: Object.fromEntries(cnfs),
  };
}

/** No run that builds the cluster drains a node for packages, or stores anew what is stored. */
function maintenanceOf({ patch, kubernetes, secrets }: Cluster): Pick<Snapshot, 'maintained'> {
  const { provider, keyVariable } = kubernetes.encryption;
  const key = secrets.find(({ variable }) => variable === keyVariable)?.reference;
  const own = {
    ...(patch === undefined ? {} : { patch: sha256(JSON.stringify(patch.packages)) }),
    ...(keyVariable === '' ? {} : { [encryptionKey]: sha256(JSON.stringify([provider, key])) }),
  };
  return Object.keys(own).length === 0 ? {} : { maintained: own };
}

/** The phase that brings another key, or another way to encrypt, to what is stored. */
export const encryptionKey = 'encryption-key';

/** What a bundle wants of every phase, whoever brings it. */
export const digestsOf = ({ phases, maintained: own = {} }: Snapshot): Snapshot['phases'] => ({
  ...phases,
  ...own,
});

const wantedCnf = ({ namespace, serviceAccount, frame, objects, moved, ...cnf }: Cnf): WantedCnf => ({
  namespace,
  digest: sha256(JSON.stringify({ namespace, serviceAccount, frame, objects })),
  objects: objects.map(titleOf),
  moved,
  settings: sha256(JSON.stringify([cnf.scaling, cnf.wait, cnf.rollback, cnf.namespaceFrom, cnf.files])),
  serviceAccount,
});

/** `Deployment web` */
function titleOf(object: Settings): string {
  const { kind, metadata } = object as {
    readonly kind: string;
    readonly metadata: { readonly name: string };
  };
  return `${kind} ${metadata.name}`;
}

/** Phases that look, or answer what nodes ask: there is never anything of the definition in them to be applied. */
const bringsNothing = (phase: string): boolean =>
  ['preflight', 'verify', 'kubelet-certificates'].includes(phase);

type VariableList = readonly (readonly [name: string, value: string])[];

/** Its playbook, the files that this names but for borrowed ones and those of machines that join, the modules that change something, and the variables of groups that either of them mentions. */
function fingerprint(
  { name: phase, borrows = [] }: Pick<Phase, 'name' | 'borrows'>,
  files: readonly RenderedFile[],
  variables: VariableList,
): string {
  const playbook = files.find(({ path }) => path === `${phase}.yml`)?.text ?? '';
  const named = [...playbook.matchAll(/files\/([\w.-]+)/g)].map(([, name]) => name);
  const folders = new Set([phase, ...named.filter((name = '') => !borrows.includes(name))]);
  const modules = [...playbook.matchAll(/ playsmith\.host\.(\w+):/g)].map(([, name = '']) => `/${name}.py`);
  const own = files.filter(
    ({ path }) =>
      (isChanging(path) && modules.some((name) => path.endsWith(name))) ||
      path === `${phase}.yml` ||
      (path.startsWith('files/') && folders.has(path.split('/')[1]) && !isForJoining(path)) ||
      // All that kubespray is told of the cluster, but not who is in it.
      (phase === 'kubespray-cluster' &&
        path.startsWith('kubespray/') &&
        !path.startsWith('kubespray/hosts.')),
  );
  const mentioned = variables.filter(([name]) => own.some(({ text }) => text.includes(name)));
  return sha256(JSON.stringify([own.map(({ path, mode, text }) => [path, mode, text]), mentioned]));
}

/** What only a machine reads that becomes part of the cluster; keys are brought by a phase of their own. */
const isForJoining = (path: string): boolean =>
  /^files\/(?:control-plane|workers)\/(?:join\/|(?:encryption|reading)\.yaml\.j2$)/.test(path);

/** Modules that look alone leave a host as it is, whatever becomes of them. */
const isChanging = (path: string): boolean => /^collections\/.*\/plugins\/.*(?<!_info)\.py$/.test(path);

/** Another place of a secret is most likely another secret. A key for what is stored is brought by a phase of its own. */
const placesOfSecrets = ({ secrets, kubernetes }: Cluster): VariableList =>
  secrets
    .filter(({ variable }) => variable !== kubernetes.encryption.keyVariable)
    .map(({ variable, reference }) => [variable, JSON.stringify(reference)]);

const groupVariables = (files: readonly RenderedFile[]): VariableList =>
  files
    .filter(({ path }) => path.startsWith('inventory/group_vars/'))
    .flatMap(({ text }) => Object.entries((readYaml(text) ?? {}) as Readonly<Record<string, unknown>>))
    .map(([name, value]) => [name, JSON.stringify(value)]);
