import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from './failures.ts';
import type { Ending, RemoteProcess, Transport } from './transport.ts';

/** This machine as the Ansible server. */
export function localTransport(): Transport {
  const running = new Set<() => void>();
  return {
    name: `${userInfo().username}@localhost`,
    spawn: (line) => Promise.resolve(ok(start(line, running))),
    preparePut: () => undefined,
    put: async (bytes, path) => {
      try {
        await writeFile(path, bytes, { mode: 0o600 });
        return ok(undefined);
      } catch (error) {
        return failed({ reason: (error as Error).message });
      }
    },
    close: () => {
      for (const stop of running) stop();
      return Promise.resolve();
    },
  };
}

/** In a process group of its own, as sshd would: Ctrl-C is for this program alone. */
function start(line: string, running: Set<() => void>): RemoteProcess {
  const child = spawn('/bin/sh', ['-c', line], { detached: true, stdio: 'pipe', cwd: userInfo().homedir });
  const stop = (): void => {
    child.stdin.destroy();
    child.stdout.destroy();
    child.kill('SIGHUP');
  };
  running.add(stop);
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  child.stdin.on('error', () => undefined);
  const ended = new Promise<Result<Ending, Failure>>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      running.delete(stop);
      resolve(ok({ status, stderr: Buffer.concat(errors).toString('utf8') }));
    });
  });
  return { stdin: child.stdin, stdout: child.stdout, ended, stop };
}
