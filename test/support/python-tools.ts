import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../tasks/runtime/package.ts';

const requirements = join(packageRoot, 'test/python-requirements.txt');

/** The folder with ruff, mypy and pytest in their pinned versions; they see the Ansible of Debian. Made once. */
export function pythonTools(): string {
  const sum = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = join(packageRoot, 'node_modules/.cache', `playsmith-python-${sum}`);
  if (!existsSync(join(folder, 'whole'))) {
    rmSync(folder, { recursive: true, force: true });
    run('/usr/bin/python3', '-m', 'venv', '--system-site-packages', folder);
    run(join(folder, 'bin/pip'), 'install', '--quiet', '--no-deps', '--requirement', requirements);
    writeFileSync(join(folder, 'whole'), '');
  }
  return join(folder, 'bin');
}

const run = (program: string, ...words: readonly string[]): void => {
  execFileSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'] });
};
