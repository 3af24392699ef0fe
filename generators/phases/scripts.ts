import type { Fill } from '../engine.ts';
import type { RenderedFile } from '../rendered-file.ts';
import { rendered } from './phase.ts';

/** Scripts of a phase that run on hosts, each from a template of its name. */
export const scripts = (
  phase: string,
  names: readonly string[],
  { fill, view = {} }: { readonly fill: Fill; readonly view?: Readonly<Record<string, unknown>> },
): readonly RenderedFile[] =>
  names.map((name) => executable(`files/${phase}/${name}.sh`, fill(`${phase}/${name}.sh.hbs`, view)));

/** Waits for the etcd member and the API server of a host: one file for all phases that disturb them. */
export const healthScript = (fill: Fill): RenderedFile =>
  executable('files/health/healthy.sh', fill('certificates/healthy.sh.hbs', {}));

const executable = (path: string, text: string): RenderedFile => ({ ...rendered(path, text), mode: '0755' });
