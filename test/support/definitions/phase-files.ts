import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { scopeInventory, wholeCluster } from '../../../generators/operations/scope.ts';
import { engine } from '../../../generators/engine.ts';
import { inventory } from '../../../generators/phases/inventory.ts';
import type { Phase } from '../../../generators/phases/phase.ts';
import type { RenderedFile } from '../../../generators/rendered-file.ts';
import { breaches } from '../rules/invariants.ts';
import { templates } from './templates.ts';

/** What one phase renders for a cluster. */
export const filesOf = (phase: Phase, cluster: Cluster): readonly RenderedFile[] =>
  phase.render(cluster, engine(templates, cluster.name));

/** The text of one of its files. */
export function textOf(phase: Phase, cluster: Cluster, path: string): string {
  const file = filesOf(phase, cluster).find((each) => each.path === path);
  if (file === undefined) throw new Error(`${phase.name} renders no ${path}`);
  return file.text;
}

/** Breaches of the house rules by the files of one phase, or of phases whose files it shares. */
export const breachesOf = (phases: readonly Phase[], cluster: Cluster): readonly string[] =>
  breaches([
    ...phases.flatMap((phase) => filesOf(phase, cluster)),
    ...inventory(cluster),
    scopeInventory(cluster.name, wholeCluster(cluster)),
  ]);

/** A rendered script in a folder of its own; `run` gives what it printed. Programs named in `stubs` come first in PATH. */
export function scriptOf(
  text: string,
  stubs: Readonly<Record<string, string>> = {},
): (...words: readonly string[]) => { readonly status: number | null; readonly lines: readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-script-'));
  for (const [name, body] of Object.entries({ 'script.sh': text, ...stubs })) {
    const path = join(folder, 'bin', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, body.startsWith('#!') ? body : `#!/bin/bash\n${body}\n`);
    chmodSync(path, 0o755);
  }
  return (...words) => {
    const { status, stdout, stderr } = spawnSync(join(folder, 'bin/script.sh'), words, {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` },
    });
    return { status, lines: `${stdout}${stderr}`.split('\n').filter((line) => line !== '') };
  };
}
