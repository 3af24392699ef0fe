import { dirname, resolve } from 'node:path';
import type { Problems } from '../../../generators/source/problem.ts';
import type { ImportedDefinition, RefusedImport } from '../../../generators/import/conclude.ts';
import { showAll } from '../../../generators/import/masked.ts';
import { optionsText } from '../../../generators/import/options.ts';
import type { Wishes } from '../../../generators/import/part.ts';
import type { Text } from '../../../generators/source/foreign/node.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { importers, kinds, type ImportKind } from '../../import/kinds.ts';
import { readCluster } from '../../import/read-cluster.ts';
import { readInventoryTexts, readTexts } from '../../import/read-texts.ts';
import { showCommand } from '../../import/show-command.ts';
import { writeOver } from '../../steps/definition/former-text.ts';
import { alreadyThere } from '../../steps/definition/write-new.ts';
import type { Failure } from '../../runtime/failures.ts';
import { schemaFrom } from '../../runtime/package.ts';
import type { World } from '../../runtime/world.ts';
import { fileOption, task } from '../../task.ts';

export const importTask = task({
  name: 'import',
  positionals: '<kind> [sources..]',
  example: 'import kubespray inventory/mycluster --vip 192.0.2.80/24',
  options: {
    file: fileOption,
    kind: { choices: kinds, demandOption: true, describe: 'What the sources are' },
    sources: {
      type: 'string',
      array: true,
      default: [] as string[],
      describe: 'Files and folders; for hosts: addresses and ranges, like 10.0.0.11-10.0.0.15',
    },
    kubeconfig: {
      type: 'string',
      describe: 'cluster: read the running cluster itself, with the local kubectl; nothing in it is changed',
    },
    name: { type: 'string', default: '', describe: 'The name of the cluster' },
    vip: {
      type: 'string',
      default: '',
      describe: 'Virtual address with its prefix, if the sources do not say',
    },
    'node-subnet': { type: 'string', default: '', describe: 'The network of the nodes' },
    'ansible-server': { type: 'string', default: '', describe: '`local`, or user@host' },
    user: {
      type: 'string',
      default: '',
      describe: 'SSH user for machines whose sources do not name one',
    },
    kubernetes: {
      type: 'string',
      default: '',
      describe:
        'Kubernetes version to install with kubeadm (default: Kubernetes is installed by other means)',
    },
    fix: { type: 'boolean', default: false, describe: 'Apply safe corrections' },
    operation: {
      type: 'string',
      describe: 'tacker: a life cycle request for a cluster or CNF; prints the command that does the same',
    },
    draft: {
      type: 'boolean',
      default: false,
      describe: 'Write the definition even if something is still missing',
    },
    force: { type: 'boolean', default: false, describe: 'Overwrite an existing file' },
  },
  run: async ({ kind, sources, file, operation, kubeconfig, draft, force, ...given }, world) => {
    if (operation !== undefined) return showCommand({ kind, sources, operation, file }, world);
    const texts = await textsOf({ kind, sources, kubeconfig }, world.cwd);
    if (!texts.ok) return texts;
    const path = resolve(world.cwd, file);
    const imported = importers[kind](texts.value, {
      wishes: wishesOf(given),
      target: file,
      schema: schemaFrom(dirname(path)),
    });
    if (!imported.ok)
      return refuse(
        imported.failure,
        { path, file, texts: [...texts.value, optionsText(wishesOf(given))], draft, force },
        world,
      );
    const written = await writeOver({ path, file, text: imported.value.text, force }, world);
    if (!written.ok) return written;
    tell(imported.value, { file, texts: texts.value }, world);
    return ok(undefined);
  },
});

async function textsOf(
  { kind, sources, kubeconfig }: ImportSources,
  cwd: string,
): Promise<Result<readonly Text[], Failure>> {
  if (kind === 'cluster' && kubeconfig !== undefined && sources.length === 0)
    return readCluster(kubeconfig, cwd);
  if (kubeconfig !== undefined)
    return usage('--kubeconfig stands for all sources of the kind cluster, and for no other kind');
  if (sources.length === 0)
    return usage(
      `${kind} has no sources${kind === 'cluster' ? '; --kubeconfig reads a running cluster' : ''}`,
    );
  if (kind === 'hosts') return ok([wordsAsText(sources)]);
  return kind === 'kubespray' || kind === 'ansible'
    ? readInventoryTexts(sources, cwd)
    : readTexts(sources, cwd);
}

interface ImportSources {
  readonly kind: ImportKind;
  readonly sources: readonly string[];
  readonly kubeconfig: string | undefined;
}

const usage = (message: string): Result<never, Failure> =>
  failed({ kind: 'usage', message, next: 'npx task import --help' });

/** The words of the command line, so that problems can point at one of them. */
const wordsAsText = (words: readonly string[]): Text => ({ file: 'the command line', text: words.join(' ') });

const wishesOf = (given: {
  readonly name: string;
  readonly vip: string;
  readonly 'node-subnet': string;
  readonly 'ansible-server': string;
  readonly user: string;
  readonly kubernetes: string;
  readonly fix: boolean;
}): Wishes => ({
  name: given.name,
  vip: given.vip,
  nodeSubnet: given['node-subnet'],
  ansibleServer: given['ansible-server'],
  user: given.user,
  kubernetes: given.kubernetes,
  fix: given.fix,
});

interface ImportRequest {
  readonly path: string;
  readonly file: string;
  readonly texts: readonly Text[];
  readonly draft: boolean;
  readonly force: boolean;
}

/** Nothing is written, unless a draft is asked for; the problems are told in either case. */
async function refuse(
  { problems, draft: text }: RefusedImport,
  { path, file, texts, draft, force }: ImportRequest,
  world: World,
): Promise<Result<void, Failure>> {
  const written = draft && text !== '' ? await writeOver({ path, file, text, force }, world) : undefined;
  if (written?.ok === true) world.report({ type: 'note', text: `${file} written as a draft` });
  const { length } = problems.filter(({ severity }) => severity === 'error');
  const more = problems.length - most;
  return failed({
    kind: 'definition',
    message: `${length} ${length === 1 ? 'problem' : 'problems'}${whyUnwritten(written, { path, file })}`,
    report: `${showAll(problems.slice(0, most), [...texts, { file, text }])}${more > 0 ? `and ${more} more\n` : ''}`,
  });
}

/** What keeps a draft from being written hides no problem of the import. */
function whyUnwritten(
  written: Result<void, Failure> | undefined,
  { path, file }: Pick<ImportRequest, 'path' | 'file'>,
): string {
  if (written === undefined) return '; nothing was written';
  if (written.ok) return '';
  return written.failure.message === alreadyThere(path).message
    ? `; ${file} is there already, and no draft was written: choose another --file, or give --force, which keeps what is there beside it`
    : `; ${written.failure.message}`;
}

/** Nobody reads more of them at once. */
const most = 200;

function tell(
  { text, warnings, assumptions, secrets, fixed, kept }: ImportedDefinition,
  { file, texts }: Pick<ImportRequest, 'file' | 'texts'>,
  world: World,
): void {
  const all = [...texts, { file, text }];
  if (warnings.length > 0) world.report({ type: 'warning', text: withoutMark(warnings, all) });
  for (const line of fixed) world.report({ type: 'note', text: `corrected: ${line}` });
  for (const line of assumptions) world.report({ type: 'note', text: `assumed: ${line}` });
  for (const title of kept)
    world.report({ type: 'note', text: `kept as a comment: ${title.replace(/:$/, '')}` });
  for (const { variable, what } of secrets)
    world.report({ type: 'note', text: `set ${variable} before a run: ${what}` });
  if (world.json) world.print(JSON.stringify({ file, assumptions, secrets, fixed, kept, warnings }));
  world.report({ type: 'note', text: `${file} written: npx task check, npx task trust, npx task render` });
}

/** The reporter says that these are warnings. */
const withoutMark = (warnings: Problems, texts: readonly Text[]): string =>
  showAll(warnings, texts)
    .trimEnd()
    .replaceAll(/^(\S.*?:\d+:\d+: )warning: /gm, '$1');
