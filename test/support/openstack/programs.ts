import { execFile, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';

/** Programs that run until they are all ended. */
export interface Programs {
  /** Starts one; what it prints is in `<name>.log` of the folder. */
  readonly start: (name: string, argv: readonly string[], env?: Readonly<Record<string, string>>) => void;
  /** Runs one to its end; throws with what it said. */
  readonly run: (argv: readonly string[], env?: Readonly<Record<string, string>>) => Promise<string>;
  readonly logOf: (name: string) => string;
  readonly end: () => void;
}

export function programs(folder: string): Programs {
  const groups: number[] = [];
  return {
    start: (name, [program = '', ...words], env = {}) => {
      const log = openSync(join(folder, `${name}.log`), 'a');
      const child = spawn(program, words, {
        env: { ...process.env, ...env },
        cwd: folder,
        detached: true,
        stdio: ['ignore', log, log],
      });
      child.unref();
      if (child.pid !== undefined) groups.push(child.pid);
    },
    run: async ([program = '', ...words], env = {}) => {
      const done = await promisify(execFile)(program, words, {
        env: { ...process.env, ...env },
        cwd: folder,
        maxBuffer: 64 * 1024 * 1024,
      });
      return done.stdout;
    },
    logOf: (name) => readFileSync(join(folder, `${name}.log`), 'utf8'),
    end: () => {
      for (const group of groups.toReversed()) endGroup(group);
    },
  };
}

function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Whether somebody listens. */
export const listens = (port: number, address = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, address);
    const end = (answer: boolean) => (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', end(true)).once('error', end(false));
  });

/** Looks again until it holds. */
export async function waitFor(what: string, holds: () => Promise<boolean>, seconds = 180): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await pause(300);
  }
}
