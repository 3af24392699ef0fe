import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a program answered; `status` is null when it could not be started. */
export interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Ansible has Python read the paths below it as literals, and Python warns of `-5in…`: a letter before what is random
 * keeps a number from beginning there.
 */
const home = mkdtempSync(join(tmpdir(), 'playsmith-home_'));

/** Runs a program of Ansible in a bundle's folder, without colours and without the settings of the developer. */
export function ansible(folder: string, argv: readonly [string, ...string[]]): Answer {
  const [program, ...rest] = argv;
  const { status, stdout, stderr } = spawnSync(program, rest, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      LANG: 'C.UTF-8',
      ANSIBLE_NOCOLOR: '1',
      NO_COLOR: '1',
      ANSIBLE_DEPRECATION_WARNINGS: '0',
    },
  });
  return { status, stdout, stderr };
}
