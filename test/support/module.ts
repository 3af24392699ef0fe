import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { collectionFolder, packageRoot } from '../../tasks/runtime/package.ts';
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
const plugins = 'ansible_collections/playsmith/host/plugins';
/** What Python compiled stays for the next run of the tests. */
const cache = join(packageRoot, 'node_modules/.cache/playsmith');
const collections = ownCollections();

/** Runs a module of the collection as Ansible does on a host, whose programs are these. Needs the Python that has Ansible. */
export function runModule(name: string, given: Readonly<Record<string, unknown>>, host: Host = {}): Ran {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-module-'));
  const log = join(folder, 'log');
  write(log, '');
  const changed = changedBy(host.replaced ?? {});
  for (const [path, text] of Object.entries(changed)) write(join(folder, path), text);
  for (const [program, text] of Object.entries(host.programs ?? {}))
    write(join(folder, 'bin', program), `#!/bin/bash\n${text}\n`, 0o755);
  const told = JSON.stringify({
    ANSIBLE_MODULE_ARGS: { ...given, _ansible_check_mode: host.isCheck ?? false },
  });
  const module = `${plugins}/modules/${name}.py`;
  const path = join(module in changed ? folder : collections, module);
  const words = [...(host.within ?? []), '/usr/bin/python3', path, told];
  const { stdout, stderr } = spawnSync('/usr/bin/env', words, {
    encoding: 'utf8',
    env: {
      ...process.env,
      LOG: log,
      // Packages without __init__.py are looked up file by file: what was changed comes first.
      PYTHONPATH: `${folder}:${collections}`,
      PYTHONPYCACHEPREFIX: join(cache, 'pycache'),
      PYTHONDONTWRITEBYTECODE: '',
      PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    },
  });
  const lines = linesOf(log);
  rmSync(folder, { recursive: true });
  const line = stdout.split('\n').findLast((each) => each.startsWith('{'));
  if (line === undefined) throw new Error(`${name} ended without a result: ${stdout}${stderr}`);
  return { result: JSON.parse(line) as ModuleResult, log: lines };
}

const linesOf = (path: string): readonly string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');

/** The files of the collection, by where Python looks for them. */
const texts = Object.entries(templates)
  .filter(([path]) => path.startsWith(room))
  .map(([path, text]) => [`${plugins}/${path.slice(room.length)}`, text] as const);

/** Those whose text is another one. */
function changedBy(replaced: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const pairs = Object.entries(replaced);
  return Object.fromEntries(
    texts
      .filter(([, text]) => pairs.some(([from]) => text.includes(from)))
      .map(([path, text]) => [path, pairs.reduce((sum, [from, to]) => sum.replaceAll(from, to), text)]),
  );
}

/** Above the collection as it is. */
function ownCollections(): string {
  const playsmith = join(cache, 'collections/ansible_collections/playsmith');
  mkdirSync(playsmith, { recursive: true });
  const host = join(playsmith, 'host');
  // Where the project was moved, it leads to where that was.
  const isLink = lstatSync(host, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isLink && readlinkSync(host) !== collectionFolder) rmSync(host, { force: true });
  try {
    symlinkSync(collectionFolder, host);
  } catch (error) {
    // It is there from before, or another worker was faster.
    if (!existsSync(host)) throw error;
  }
  return join(cache, 'collections');
}

function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
}
