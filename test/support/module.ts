import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { templates } from './definitions/templates.ts';

export interface ModuleResult {
  readonly changed?: boolean;
  readonly failed?: boolean;
  readonly msg?: string;
  readonly done?: readonly string[];
  readonly problems?: readonly string[];
  readonly [key: string]: unknown;
}

interface Ran {
  readonly result: ModuleResult;
  /** What the programs wrote to `$LOG`, a line each. */
  readonly log: readonly string[];
}

export interface Host {
  /** Programs of the host by name, in bash; a line to `$LOG` is told as `log`. */
  readonly programs?: Readonly<Record<string, string>>;
  /** What is put for what in the text of every file of the collection. */
  readonly replaced?: Readonly<Record<string, string>>;
  readonly isCheck?: boolean;
  /** What runs Python, like `ip netns exec <name>`. */
  readonly within?: readonly string[];
}

const room = 'collection/plugins/';

/** Runs a module of the collection as Ansible does on a host, whose programs are these. Needs the Python that has Ansible. */
export function runModule(name: string, given: Readonly<Record<string, unknown>>, host: Host = {}): Ran {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-module-'));
  const log = join(folder, 'log');
  write(log, '');
  const plugins = join(folder, 'ansible_collections/playsmith/host/plugins');
  for (const [path, text] of Object.entries(templates).filter(([path]) => path.startsWith(room)))
    write(join(plugins, path.slice(room.length)), replace(text, host.replaced ?? {}));
  for (const [program, text] of Object.entries(host.programs ?? {}))
    write(join(folder, 'bin', program), `#!/bin/bash\n${text}\n`, 0o755);
  const told = JSON.stringify({
    ANSIBLE_MODULE_ARGS: { ...given, _ansible_check_mode: host.isCheck ?? false },
  });
  const words = [...(host.within ?? []), '/usr/bin/python3', join(plugins, `modules/${name}.py`), told];
  const { stdout, stderr } = spawnSync('/usr/bin/env', words, {
    encoding: 'utf8',
    env: {
      ...process.env,
      LOG: log,
      PYTHONPATH: folder,
      PYTHONDONTWRITEBYTECODE: '1',
      PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    },
  });
  const line = stdout.split('\n').findLast((each) => each.startsWith('{'));
  if (line === undefined) throw new Error(`${name} ended without a result: ${stdout}${stderr}`);
  return { result: JSON.parse(line) as ModuleResult, log: linesOf(log) };
}

const linesOf = (path: string): readonly string[] =>
  spawnSync('cat', [path], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line !== '');

const replace = (text: string, replaced: Readonly<Record<string, string>>): string =>
  Object.entries(replaced).reduce((sum, [from, to]) => sum.replaceAll(from, to), text);

function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
}
