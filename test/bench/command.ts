import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';

/** Runs a program to its end; throws what it said when it fails. */
export function command(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const [file = '', ...words] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(file, words, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { out: '', all: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      said.out += chunk.toString();
      said.all += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => (said.all += chunk.toString()));
    child.once('error', reject);
    child.once('close', (status) => {
      if (status === 0) resolve(said.out);
      else reject(new Error(`${argv.join(' ')}: status ${status ?? 'none'}\n${said.all}`));
    });
  });
}

/** `npx task …` as a process of its own, without what npx adds. */
export const task = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> =>
  command([process.execPath, join(import.meta.dirname, '..', '..', 'tasks', 'cli.js'), ...words], env);
