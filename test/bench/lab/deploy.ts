import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunStatus, HostRecap } from '../../../tasks/runtime/events.ts';
import { task } from '../command.ts';
import type { BenchLab } from './bench-lab.ts';
import { definition, type Setting } from './settings.ts';

/** A definition that is rendered, and the bundle's folder on the Ansible server. */
export interface Deployed {
  readonly file: string;
  readonly output: string;
  readonly remoteFolder: string;
}

/** Brings the lab's hosts into a setting with `task render` and `task run`, as a person would. */
export async function deploy(bench: BenchLab, setting: Setting): Promise<Deployed> {
  const [file, output] = [join(bench.folder, `${setting}.yml`), join(bench.folder, setting)];
  writeFileSync(file, definition(bench.lab, setting));
  await task(['render', '--file', file, '--output', output]);
  await runSite({ file, output });
  const { cluster, digest } = JSON.parse(
    readFileSync(join(output, bench.lab.state.name, 'manifest.json'), 'utf8'),
  ) as { readonly cluster: string; readonly digest: string };
  return { file, output, remoteFolder: `playsmith/bundles/${cluster}/${digest}` };
}

/** `npx task run` as a process of its own; the number of changes that it made. */
export async function runSite({ file, output }: Pick<Deployed, 'file' | 'output'>): Promise<number> {
  const said = await task(['run', '--json', '--file', file, '--output', output]);
  const ended = said
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Ended)
    .find(({ type }) => type === 'run-finished');
  if (ended?.status !== 'successful') throw new Error(`the run did not succeed:\n${said}`);
  return Object.values(ended.recap).reduce((sum, { changed }) => sum + changed, 0);
}

interface Ended {
  readonly type: string;
  readonly status: RunStatus;
  readonly recap: Readonly<Record<string, HostRecap>>;
}
