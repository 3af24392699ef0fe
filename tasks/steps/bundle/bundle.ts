import { join, relative, resolve } from 'node:path';
import { pack, type Bundle } from '../../../generators/bundle.ts';
import { sha256 } from '../../../generators/digest.ts';
import { render } from '../../../generators/render.ts';
import { ok, type Result } from '../../../generators/result.ts';
import { readTemplates } from '../../../library/texts.ts';
import type { Failure } from '../../runtime/failures.ts';
import { version } from '../../runtime/package.ts';
import type { World } from '../../runtime/world.ts';
import { load, type DefinitionFile } from '../definition/load.ts';

export interface RenderedBundle extends DefinitionFile {
  readonly bundle: Bundle;
  /** Where the bundle lies, absolute and as shown to a person. */
  readonly folder: string;
  readonly shownFolder: string;
  /** SHA-256 of what rendered it: this package and its templates. */
  readonly made: string;
}

/** Where a definition is, and where its bundle lies. */
export interface DefinitionPlace {
  readonly file: string;
  readonly output: string;
}

/** Definition → bundle, in memory; nothing is written. */
export async function renderBundle(
  { file, output }: DefinitionPlace,
  world: World,
): Promise<Result<RenderedBundle, Failure>> {
  const loaded = await load(file, world);
  if (!loaded.ok) return loaded;
  const { cluster } = loaded.value;
  const templates = readTemplates();
  const bundle = pack(cluster, render(cluster, templates));
  const folder = join(resolve(world.cwd, output), cluster.name);
  return ok({
    ...loaded.value,
    bundle,
    folder,
    shownFolder: relative(world.cwd, folder),
    made: maker(templates),
  });
}

/** Many clusters are rendered by the same templates. */
function maker(templates: Readonly<Record<string, string>>): string {
  const known = makers.get(templates);
  if (known !== undefined) return known;
  const digest = sha256(JSON.stringify([version, Object.entries(templates).sort()]));
  makers.set(templates, digest);
  return digest;
}

const makers = new WeakMap<Readonly<Record<string, string>>, string>();
