import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { packageRoot } from '../../tasks/runtime/package.ts';

/** Runs a program to its end; throws what it said when it fails. */
export function command(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = process.cwd(),
): Promise<string> {
  const [file = '', ...words] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(file, words, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
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
  command([...node, ...words], env);

/** Node.js with the command line as users have it, for a folder of one's own. */
export const node = [process.execPath, join(packageRoot, 'dist', 'tasks', 'cli.js')] as const;

/** The same in a folder of its own; at its end it writes the most memory that it ever had, in KiB, to the file `peak`. */
export function taskWithPeak(
  words: readonly string[],
  { peak, home, cwd }: { readonly peak: string; readonly home: string; readonly cwd: string },
): Promise<string> {
  const write = 'fs.writeFileSync(process.env.PLAYSMITH_PEAK, String(process.resourceUsage().maxRSS))';
  const probe = `import fs from 'node:fs'; process.on('exit', () => ${write});`;
  const argv = [node[0], '--import', `data:text/javascript,${encodeURIComponent(probe)}`, node[1], ...words];
  return command(argv, { HOME: home, PLAYSMITH_PEAK: peak }, cwd);
}
