import type { Cluster } from '../../generators/cluster/cluster.ts';
import type { Problems } from '../../generators/source/problem.ts';
import { showAll } from '../../generators/import/masked.ts';
import { readJson } from '../../generators/source/foreign/json.ts';
import type { Text } from '../../generators/source/foreign/node.ts';
import { readDocuments } from '../../generators/import/tacker/documents.ts';
import type { Commands } from '../../generators/import/tacker/commands.ts';
import { commandsFor } from '../../generators/import/tacker/operation.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';
import type { World } from '../runtime/world.ts';
import { load } from '../steps/definition/load.ts';
import type { ImportKind } from './kinds.ts';
import { readTexts } from './read-texts.ts';

export interface ImportCommand {
  readonly kind: ImportKind;
  readonly sources: readonly string[];
  /** The file of the operation's request. */
  readonly operation: string;
  /** The definition. */
  readonly file: string;
}

/** Prints the command that does what a request of Tacker asks for. */
export async function showCommand(
  { kind, sources, operation, file }: ImportCommand,
  world: World,
): Promise<Result<void, Failure>> {
  if (kind !== 'tacker')
    return failed({ kind: 'usage', message: '--operation is a request of Tacker: npx task import tacker' });
  const loaded = await load(file, world);
  if (!loaded.ok) return loaded;
  const texts = await readTexts([operation, ...sources], world.cwd);
  if (!texts.ok) return texts;
  const found = translate(texts.value, loaded.value.cluster);
  if (!found.ok)
    return failed({
      kind: 'definition',
      message: 'this request cannot be translated',
      report: showAll(found.failure, texts.value),
    });
  const { commands, notes } = found.value;
  for (const text of notes) world.report({ type: 'note', text });
  world.print(world.json ? JSON.stringify({ commands, notes }) : commands.join('\n'));
  return ok(undefined);
}

/** The first text is the request, the others tell what its identifiers mean. */
function translate([request, ...others]: readonly Text[], cluster: Cluster): Result<Commands, Problems> {
  const operation = readJson(request ?? { file: '', text: '' });
  if (!operation.ok) return operation;
  const documents = readDocuments(others.filter(({ file }) => file !== request?.file));
  return documents.ok ? commandsFor(operation.value, documents.value, cluster) : documents;
}
