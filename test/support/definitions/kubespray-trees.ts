import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { releaseOf } from '../../../generators/catalog/kubespray/releases.ts';

/**
 * Real tags of kubespray: `PLAYSMITH_KUBESPRAY` is a folder with checkouts named as their tags, or a git repository of
 * kubespray, bare or not, of which some tags are taken.
 */
export const given = process.env['PLAYSMITH_KUBESPRAY'] ?? '';

/**
 * The Ansible that a tag wants is looked for beside its checkout (`v2.28.1-venv`), then in `PLAYSMITH_ANSIBLE`, a git
 * repository of ansible-core with its `stable-2.16` and the like; else it is the one of this machine.
 */
const ansibleGiven = process.env['PLAYSMITH_ANSIBLE'] ?? '';

/** Names of groups, places of playbooks and forms of variables change between them. */
const chosen = ['v2.31.0', 'v2.28.1', 'v2.26.1', 'v2.23.3', 'v2.22.2', 'v2.16.0'];

/** A tag: its checkout, the folder of the programs of its Ansible ('' for those on the path) and what these say they are. */
export interface Tree {
  readonly tag: string;
  readonly tree: string;
  readonly programs: string;
  readonly ansible: string;
}

function found(folder: string): readonly Tree[] {
  const isRepository = existsSync(join(folder, 'HEAD')) || existsSync(join(folder, '.git'));
  const tags = isRepository ? chosen : readdirSync(folder).filter((name) => /^v2\.\d+\.\d+$/.test(name));
  return tags.map((tag) => {
    const tree = isRepository ? unpacked(folder, tag) : join(folder, tag);
    const beside = join(folder, `${tag}-venv`, 'bin');
    const programs = existsSync(beside) ? beside : programsOf(tag);
    return { tag, tree, programs, ansible: versionOf(programs) };
  });
}

/** Some files of a git repository at a revision, in a temporary folder. */
function unpacked(repository: string, revision: string, ...paths: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), `${revision}-`));
  const script =
    'repository=$1 revision=$2 folder=$3; shift 3; git -C "$repository" archive "$revision" "$@" | tar -x -C "$folder"';
  execFileSync('sh', ['-c', script, 'sh', repository, revision, folder, ...paths]);
  return folder;
}

/** Older ones run on no Python that is still kept. */
const oldest = 12;

/** The newest ansible-core that a tag allows, run from its source with the modules of this machine's Python. */
function programsOf(tag: string): string {
  if (ansibleGiven === '') return '';
  const below = releaseOf(tag)?.ansible[1].split('.')[1] ?? '';
  const minor = Math.max(oldest, Number(below) - 1);
  const folder = unpacked(ansibleGiven, `stable-2.${minor}`, 'bin', 'lib');
  for (const name of ['playbook', 'inventory']) {
    const main = `import sys; sys.argv[0] = "ansible-${name}"; from ansible.cli.${name} import main; main()`;
    const lines = [
      '#!/bin/sh',
      `export PYTHONPATH='${folder}/lib' PYTHONDONTWRITEBYTECODE=1`,
      // Later ones are links into the modules, which must not lie on the path themselves.
      `exec /usr/bin/python3 ${minor > 12 ? `-c '${main}'` : `'${folder}/bin/ansible-${name}'`} "$@"`,
    ];
    const file = join(folder, `ansible-${name}`);
    writeFileSync(file, `${lines.join('\n')}\n`);
    chmodSync(file, 0o755);
  }
  return folder;
}

const versionOf = (programs: string): string =>
  /\[core ([\w.]+)\]/.exec(
    execFileSync(join(programs, 'ansible-inventory'), ['--version'], { encoding: 'utf8' }),
  )?.[1] ?? '';

/** Whether the tag itself wants this ansible-core. */
export function isWanted({ tag, ansible }: Tree): boolean {
  const [from, below] = releaseOf(tag)?.ansible ?? ['', ''];
  const number = (text: string): number => {
    const [major = 0, minor = 0, patch = 0] = text.split('.').map((part) => Number.parseInt(part, 10));
    return (major * 1000 + minor) * 1000 + patch;
  };
  return number(from) <= number(ansible) && number(ansible) < number(below);
}

/** What a program said, and its status. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Runs `ansible-playbook` or `ansible-inventory` of the tag, as `run.py` does: in the checkout, with its settings. */
export function run({ tree, programs }: Tree, words: readonly string[]): Answer {
  const [program = '', ...rest] = words;
  const env = {
    PATH: process.env['PATH'],
    HOME: tmpdir(),
    LANG: 'C.UTF-8',
    ANSIBLE_CONFIG: join(tree, 'ansible.cfg'),
    ANSIBLE_ROLES_PATH: join(tree, 'roles'),
    ANSIBLE_LIBRARY: join(tree, 'library'),
    ANSIBLE_CACHE_PLUGIN_CONNECTION: mkdtempSync(join(tmpdir(), 'facts-')),
    ANSIBLE_NOCOLOR: '1',
    ANSIBLE_DEPRECATION_WARNINGS: '0',
  };
  try {
    const text = execFileSync(join(programs, program), rest, {
      ...{ cwd: tree, env, encoding: 'utf8', stdio: 'pipe' },
      maxBuffer: 64 * 1024 * 1024,
    });
    return { status: 0, text };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { status, text: `${stdout}\n${stderr}` };
  }
}

/** What was given; none where nothing is. */
export const trees: readonly Tree[] = given === '' ? [] : found(given);
