import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { pipeline } from 'node:stream/promises';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from './failures.ts';
import type { Ending, PutProblem, RemoteProcess, Transport } from './transport.ts';

/** This machine as the Ansible server. */
export function localTransport(): Transport {
  const running = new Set<() => void>();
  return {
    name: `${userInfo().username}@localhost`,
    spawn: (line) => Promise.resolve(ok(start(line, running))),
    preparePut: () => undefined,
    put: (bytes, path) => tried(() => writeFile(path, bytes, { mode: 0o600 })),
    upload: (from, path) => tried(() => copy(from, path)),
    download: (path, to) => tried(() => copy(path, to)),
    close: () => {
      for (const stop of running) stop();
      return Promise.resolve();
    },
  };
}

async function tried(work: () => Promise<void>): Promise<Result<void, PutProblem>> {
  try {
    await work();
    return ok(undefined);
  } catch (error) {
    return failed({ reason: (error as Error).message });
  }
}

/** Into the file that is there, or a new one of its user alone: copyFile would bring the mode along. */
const copy = (from: string, to: string): Promise<void> =>
  pipeline(createReadStream(from), createWriteStream(to, { mode: 0o600 }));

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
