import type { Fill } from '../engine.ts';
import type { RenderedFile } from '../rendered-file.ts';
import { program } from './phase.ts';

/** Scripts of a phase that run on hosts, each from a template of its name. */
export const scripts = (
  phase: string,
  names: readonly string[],
  { fill, view = {} }: { readonly fill: Fill; readonly view?: Readonly<Record<string, unknown>> },
): readonly RenderedFile[] =>
  names.map((name) => program(`files/${phase}/${name}.sh`, fill(`${phase}/${name}.sh.hbs`, view)));
