import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../tasks/runtime/package.ts';

/** The folder with ruff, mypy and pytest in their pinned versions; they see the Ansible of Debian. Made once. */
export const pythonTools = (): string => installed('python-requirements.txt', ['--system-site-packages']);

/** The folder with ansible-navigator, ansible-runner and an ansible-core that is newer than Debian's. Made once. */
export const newerAnsible = (): string => installed('ansible-requirements.txt', []);

/** The folder with ARA and what its server needs. Made once. */
export const araTools = (): string => installed('ara-requirements.txt', []);

function installed(requirements: string, options: readonly string[]): string {
  const file = join(packageRoot, 'test', requirements);
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);
  const folder = join(packageRoot, 'node_modules/.cache', `playsmith-python-${sum}`);
  // Its programs name the folder that they were made in, and a checkout may have been moved.
  const whole = join(folder, 'whole');
  if (!existsSync(whole) || readFileSync(whole, 'utf8') !== folder) {
    rmSync(folder, { recursive: true, force: true });
    run('/usr/bin/python3', '-m', 'venv', ...options, folder);
    run(join(folder, 'bin/pip'), 'install', '--quiet', '--no-deps', '--requirement', file);
    writeFileSync(whole, folder);
  }
  return join(folder, 'bin');
}

const run = (program: string, ...words: readonly string[]): void => {
  execFileSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'] });
};
