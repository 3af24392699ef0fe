import { failed, ok, type Result } from '../../../generators/result.ts';
import { componentNames } from '../../../generators/update/components.ts';
import type { VersionChange } from '../../../generators/update/kubespray.ts';
import { isMirrorUrl, mirrorOf } from '../../artifacts/mirror.ts';
import { agreement } from '../../runtime/agreement.ts';
import { columns } from '../../runtime/columns.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { World } from '../../runtime/world.ts';
import { renderBundle, type DefinitionPlace } from '../../steps/bundle/bundle.ts';
import { write } from '../../steps/bundle/write.ts';
import { load, type DefinitionFile } from '../../steps/definition/load.ts';
import { editDefinition } from '../../steps/definition/replace-file.ts';
import { fileOption, outputOption, task } from '../../task.ts';
import { findUpdates } from '../../update/find-updates.ts';
import { seeUpdate } from '../../update/update.ts';
import { yesOption } from '../run/apply.ts';

export const update = task({
  name: 'update',
  positionals: '',
  example: 'update --only containerd --dry-run',
  options: {
    file: fileOption,
    output: outputOption,
    only: {
      type: 'string',
      array: true,
      nargs: 1,
      default: [] as string[],
      choices: [...componentNames, 'kubespray'],
      describe: 'Look at this alone; repeatable',
    },
    minor: {
      type: 'boolean',
      default: false,
      describe: 'Go one minor version further, not only to the newest patch',
    },
    'dry-run': { type: 'boolean', default: false, describe: 'Show what would change, and write nothing' },
    mirror: {
      type: 'string',
      default: '',
      describe: 'Ask this URL in place of the publishers: their host names are the first part of its paths',
    },
    yes: yesOption,
  },
  run: async ({ file, output, only, minor, 'dry-run': dryRun, mirror, yes }, world) => {
    if (mirror !== '' && !isMirrorUrl(mirror))
      return failed({ kind: 'usage', message: `--mirror ${mirror} is no URL of http or https` });
    const loaded = await load(file, world);
    if (!loaded.ok) return loaded;
    const { text } = loaded.value;
    const found = await findUpdates({ text, only, minor, place: mirrorOf(mirror).file });
    show(found.changes, world);
    const [first, ...others] = found.failures;
    for (const failure of others) world.report({ type: 'failed', failure: withNextOnce(first, failure) });
    if (first !== undefined) return failed(first);
    if (found.text === text) {
      world.report({ type: 'note', text: `${file} names nothing of which there is a newer version` });
      return ok(undefined);
    }
    return bring({ definition: loaded.value, text: found.text, place: { file, output }, dryRun, yes }, world);
  },
});

/** The failure without its next step where the last one says the same. */
const withNextOnce = (last: Failure | undefined, failure: Failure): Failure =>
  last !== undefined && 'next' in last && 'next' in failure && last.next === failure.next
    ? { ...failure, next: '' }
    : failure;

function show(changes: readonly VersionChange[], { json, print }: World): void {
  if (json) print(JSON.stringify({ type: 'updates', changes }));
  else if (changes.length > 0)
    print(columns([['name', 'has', 'newest'], ...changes.map(({ name, from, to }) => [name, from, to])]));
}

interface Bringing {
  readonly definition: DefinitionFile;
  /** The new text of the definition. */
  readonly text: string;
  readonly place: DefinitionPlace;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/** Shows the difference, asks, and writes definition and bundle. */
async function bring(
  { definition, text, place, dryRun, yes }: Bringing,
  world: World,
): Promise<Result<void, Failure>> {
  const seen = await seeUpdate(definition, text, place.file);
  if (!seen.ok) return seen;
  if (!world.json) world.print(seen.value.shown);
  if (definition.cluster.offline.artifacts !== '')
    world.report({
      type: 'warning',
      text: 'this cluster is installed from artifacts: prepare them again and push them, and write their checksum, before npx task plan',
    });
  if (dryRun) return ok(undefined);
  const agreed = await agreement(`Write this to ${place.file} and its bundle?`, yes, world);
  if (!agreed.ok) return agreed;
  const replaced = await editDefinition(definition, text);
  if (!replaced.ok) return replaced;
  const rendered = await renderBundle(place, { ...world, report: () => undefined });
  if (!rendered.ok) return rendered;
  const { bundle, folder, shownFolder } = rendered.value;
  const written = await write(bundle, folder);
  if (!written.ok) return written;
  world.report({
    type: 'note',
    text: `${place.file} and ${shownFolder} written; npx task plan shows the steps`,
  });
  return ok(undefined);
}
