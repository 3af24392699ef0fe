/**
 * Playsmith as a library: from the text of a definition to its bundle, and what changes from one to another.
 *
 * Nothing here reaches a host or writes a file. What this module exports follows semantic versioning; no other module of
 * the package does.
 * @module playsmith
 */
import { pack } from '../generators/bundle.ts';
import { isControlPlane } from '../generators/cluster/roles.ts';
import { kindOf } from '../generators/kinds/kinds.ts';
import type { Cluster as Model } from '../generators/cluster/cluster.ts';
import { explainDiff, explainInMarkdown } from '../generators/diff/diff.ts';
import { load as loadText } from '../generators/load.ts';
import { appliedAfter, nothingApplied, type AppliedState } from '../generators/plan/applied.ts';
import { effectOf } from '../generators/plan/effect.ts';
import { planOf } from '../generators/plan/plan.ts';
import { snapshotOf, type Snapshot } from '../generators/plan/snapshot.ts';
import { mainPlaybook } from '../generators/playbooks.ts';
import { render as renderFiles } from '../generators/render.ts';
import { filesBeside } from './files-beside.ts';
import { version as ofPackage } from './package.ts';
import { readTemplates } from './texts.ts';

/** The version of this package, like `0.1.0`. */
export const version: string = ofPackage;

/** One thing that is wrong with a definition, or less than ideal. Lines and columns start at 1. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Where in the definition, like `nodes[2].ssh.hostKey`; empty for the whole file. */
  readonly path: string;
  readonly message: string;
  /** What would be right. */
  readonly remedy: string;
}

/** What a definition says, with every default filled in. Only `load` makes one. */
export interface Cluster {
  readonly name: string;
  /** Like `1.37.2`; empty where the definition installs no Kubernetes. */
  readonly kubernetes: string;
  readonly machines: readonly Machine[];
}

export interface Machine {
  readonly name: string;
  readonly address: string;
  readonly isControlPlane: boolean;
}

/** Where a definition comes from. */
export interface Source {
  /** How problems call it; `cluster.yml` when not given. */
  readonly file?: string;
  /** Texts of the files that it names (manifests, scripts), by their paths as written there; charts cannot be handed in. */
  readonly files?: Readonly<Record<string, string>>;
}

export type LoadResult =
  | { readonly ok: true; readonly cluster: Cluster; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Everything that an Ansible server receives for one cluster: playbooks, inventory, README, manifest. */
export interface Bundle {
  readonly cluster: string;
  /** SHA-256 in hexadecimal over path, mode and text of every file but the manifest. */
  readonly digest: string;
  /** Sorted by path; `manifest.json` is the last. */
  readonly files: readonly BundleFile[];
}

export interface BundleFile {
  /** Below the folder of the bundle, with `/`. */
  readonly path: string;
  readonly mode: '0644' | '0755';
  readonly text: string;
}

/** What would be run, in this order. */
export interface Plan {
  readonly steps: readonly Step[];
  /** Changes that no host has to hear of, with the reason. */
  readonly unneeded: readonly string[];
  /** Changes that cannot be made in place, with the reason; with one of them nothing may be run. */
  readonly refused: readonly string[];
}

export interface Step {
  /** The operation or phase, as `npx task run` names it. */
  readonly operation: string;
  /** Machines or CNFs that it is about; none: the whole cluster. */
  readonly targets: readonly string[];
  readonly reasons: readonly string[];
}

/** From a definition to its cluster: every problem at once, or a cluster and what is less than ideal. */
export function load(text: string, source: Source = {}): LoadResult {
  const { file, files } = judgeSource(text, source);
  const result = loadText(text, file, filesBeside(text, files));
  if (!result.ok) return { ok: false, problems: result.failure.map(publicProblem) };
  const { cluster, warnings } = result.value;
  return { ok: true, cluster: publicCluster(cluster), warnings: warnings.map(publicProblem) };
}

/** What a caller without types may hand in, or refuses it by its name. */
function judgeSource(text: unknown, source: unknown): Required<Source> {
  if (typeof text !== 'string')
    throw new TypeError(
      `the first argument is the text of a definition, a string, not ${nameOf(text)}: readFileSync(file, 'utf8')`,
    );
  if (!isPlain(source))
    throw new TypeError(
      `the second argument is like { file: 'cluster.yml', files: {} }, not ${nameOf(source)}`,
    );
  const { file = 'cluster.yml', files = {} } = source;
  if (typeof file !== 'string') throw new TypeError(`file is a text like cluster.yml, not ${nameOf(file)}`);
  if (!isPlain(files) || Object.values(files).some((each) => typeof each !== 'string'))
    throw new TypeError('files are texts by their paths, like { "manifests/a.yaml": text }');
  return { file, files: files as Readonly<Record<string, string>> };
}

/** A Map is none; an object of another realm, as in a test runner, is one. */
const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  Object.prototype.toString.call(value) === '[object Object]';

const nameOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? `a ${(value as { readonly constructor?: { readonly name?: string } }).constructor?.name ?? 'mapping'}`
    : typeof value === 'string'
      ? JSON.stringify(value)
      : String(value);

/** Every error of a definition; where there is none, every warning; empty: it is sound. */
export function check(text: string, source: Source = {}): readonly Problem[] {
  const loaded = load(text, source);
  return loaded.ok ? loaded.warnings : loaded.problems;
}

/** The bundle of a cluster: the same definition and version of this package give the same bytes everywhere. */
export const render = (cluster: Cluster): Bundle => bundleOf(modelOf(cluster));

/**
 * What leads from one cluster, applied as a whole, to another definition of it; without a cluster before, from bare
 * machines. What runs did meanwhile only the Ansible server knows: `npx task plan` asks it.
 */
export function plan(before: Cluster | undefined, after: Cluster): Plan {
  const unplanned = [before, after]
    .filter((each) => each !== undefined)
    .flatMap((each) => kindOf(modelOf(each)).unplanned?.reason ?? []);
  if (unplanned.length > 0) return { steps: [], unneeded: [], refused: [...new Set(unplanned)] };
  const applied = before === undefined ? nothingApplied : whollyApplied(snapshotOfModel(modelOf(before)));
  const { steps, unneeded, refused } = planOf({ applied, wanted: snapshotOfModel(modelOf(after)) });
  return {
    steps: steps.map(({ operation, targets, reasons }) => ({ operation, targets, reasons })),
    unneeded,
    refused,
  };
}

/** What changes from one definition to another, in words and as a unified difference of the bundles; empty: nothing. */
export function diff(
  before: Cluster,
  after: Cluster,
  options: { readonly format?: 'text' | 'markdown' } = {},
): string {
  if (!isPlain(options))
    throw new TypeError(`the third argument is like { format: 'markdown' }, not ${nameOf(options)}`);
  const { format = 'text' } = options;
  if (!['text', 'markdown'].includes(format))
    throw new TypeError(`format is text or markdown, not ${nameOf(format)}`);
  const [oldCluster, newCluster] = [modelOf(before), modelOf(after)];
  const explain = format === 'markdown' ? explainInMarkdown : explainDiff;
  return explain(bundleOf(oldCluster).files, bundleOf(newCluster).files, { oldCluster, newCluster });
}

const models = new WeakMap<Cluster, Model>();

function publicCluster(model: Model): Cluster {
  const machines = Object.freeze(
    model.machines.map((machine) =>
      Object.freeze({
        name: machine.name,
        address: machine.address,
        isControlPlane: isControlPlane(machine),
      }),
    ),
  );
  const { name, kubernetes } = model;
  const isInstalled = kubernetes.installer !== 'none';
  const cluster = Object.freeze({ name, kubernetes: isInstalled ? kubernetes.version : '', machines });
  models.set(cluster, model);
  return cluster;
}

function modelOf(cluster: Cluster): Model {
  const model = models.get(cluster);
  if (model === undefined)
    throw new TypeError(
      'this cluster is a copy, or made by hand: give the one that load() returned, `cluster` of what is `ok`',
    );
  return model;
}

const bundleOf = (model: Model): ReturnType<typeof pack> => pack(model, renderFiles(model, readTemplates()));

const snapshotOfModel = (model: Model): Snapshot => snapshotOf(model, bundleOf(model), '');

/** As after a first run that came to its end. */
function whollyApplied(snapshot: Snapshot): AppliedState {
  const run = { operation: mainPlaybook(snapshot.cluster), targets: [], brings: [], completes: '' };
  const effect = effectOf({ ...run, check: false, limit: [], tagged: false }, snapshot);
  if (effect === undefined) return nothingApplied;
  const fact = { run: '', ...run, bundle: snapshot.bundle, effect, status: 'successful', recap: {} };
  return appliedAfter(nothingApplied, fact, snapshot);
}

const publicProblem = ({ severity, file, line, column, path, message, remedy }: Problem): Problem => ({
  severity,
  file,
  line,
  column,
  path,
  message,
  remedy,
});
