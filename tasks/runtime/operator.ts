import { hostname, userInfo } from 'node:os';
import { program } from './program.ts';

/** Who starts a run, for the lock and the record: git's name and address where it has one, else `user@host`. */
export async function operator(cwd: string): Promise<string> {
  const here = `${userInfo().username}@${hostname()}`;
  const [name, address] = await Promise.all([git(cwd, 'user.name'), git(cwd, 'user.email')]);
  return [name === '' ? '' : `${name}${address === '' ? '' : ` <${address}>`}`, here]
    .filter((part) => part !== '')
    .join(', ');
}

async function git(cwd: string, key: string): Promise<string> {
  const found = await program(['git', 'config', '--get', key], { cwd });
  return found.ok ? found.value.stdout.trim() : '';
}
