import { createReadStream, createWriteStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { pipeline } from 'node:stream/promises';
import { failed, ok, type Result } from '../../generators/result.ts';
import { converse } from './program.ts';
import type { PutProblem, RemoteProcess, Transport } from './transport.ts';

/** This machine as the Ansible server. */
export function localTransport(): Transport {
  const running = new Set<() => void>();
  return {
    name: `${userInfo().username}@localhost`,
    spawn: (line) => Promise.resolve(ok(start(line, running))),
    put: (bytes, path) => putResult(() => writeFile(path, bytes, { mode: 0o600 })),
    upload: (from, path) => putResult(() => copy(from, path)),
    download: (path, { to, most }) => putResult(() => copy(path, to, most)),
    isLost: () => false,
    close: () => {
      for (const stop of running) stop();
      return Promise.resolve();
    },
  };
}

async function putResult(work: () => Promise<void>): Promise<Result<void, PutProblem>> {
  try {
    await work();
    return ok(undefined);
  } catch (error) {
    return failed({ reason: (error as Error).message });
  }
}

/** Into the file that is there, or a new one of its user alone: copyFile would bring the mode along. */
async function copy(from: string, to: string, most = Infinity): Promise<void> {
  if ((await stat(from)).size > most) throw new Error(`it is larger than ${most} bytes`);
  await pipeline(createReadStream(from), createWriteStream(to, { mode: 0o600 }));
}

function start(line: string, running: Set<() => void>): RemoteProcess {
  const { ended, ...process } = converse(line, userInfo().homedir);
  running.add(process.stop);
  const result = ended.then((ending) => {
    running.delete(process.stop);
    return ok(ending);
  });
  return { ...process, ended: result };
}
