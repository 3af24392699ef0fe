import { chmod, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Answers } from '../../runtime/agent/messages.ts';
import type { Failure } from '../../runtime/failures.ts';
import { createFolder } from '../../runtime/folders.ts';
import { program } from '../../runtime/program.ts';
import type { Server } from '../../runtime/server.ts';
import type { PutProblem } from '../../runtime/transport.ts';

/** What playbooks keep of a cluster on the Ansible server: the folder's absolute path, and plain names of files. */
export async function listKept(
  server: Server,
  cluster: string,
  folder: '' | 'etcd',
): Promise<Result<Answers['kept'], Failure>> {
  const answer = await server.agent().ask('kept', { cluster, folder });
  if (!answer.ok) return answer;
  // Names become paths of this machine: a server that lies about them would write where it likes.
  return isPlainFolder(answer.value.folder) && answer.value.files.every(isPlainName)
    ? answer
    : failed(strange(server));
}

const isPlainFolder = (path: unknown): boolean =>
  typeof path === 'string' && /^\/[^\p{C}]*$/u.test(path) && !path.split('/').includes('..');

const isPlainName = (name: unknown): boolean =>
  typeof name === 'string' && /^[A-Za-z0-9][A-Za-z0-9._-]{0,200}$/.test(name);

const strange = ({ name }: Server): Failure => ({
  kind: 'server',
  message: `${name} names files that no playbook keeps; nothing was copied`,
  evidence: '',
  next: 'Look at what answers there: it is not what Playsmith sent',
});

export interface Fetch {
  /** Absolute paths on the server, and their names here. */
  readonly files: readonly { readonly path: string; readonly name: string }[];
  /** The folder of this machine that they are for. */
  readonly to: string;
  /** What a file of that kind may have, in bytes: a server could give without an end. */
  readonly most: number;
  /** Judges the copies before they get their names: paths of this machine, as `files`. */
  readonly judge: (copies: readonly string[]) => Promise<Result<void, Failure>>;
}

/** Of a kubeconfig or a VIM, which are judged by their text afterwards. */
export const mostOfText = 4 * 2 ** 20;

/** Copies files from the server, for their user alone; all of them appear whole, or none. */
export async function fetchFiles(
  server: Server,
  { files, to, most, judge }: Fetch,
): Promise<Result<void, Failure>> {
  let partial: string | undefined;
  try {
    createFolder(to, 0o700);
    partial = await mkdtemp(join(to, '.partial-'));
    const copies: string[] = [];
    for (const { path, name } of files) {
      const copy = join(partial, name);
      await (await open(copy, 'wx', 0o600)).close();
      const got = await server.transport.download(path, { to: copy, most });
      if (!got.ok) return failed(ungettable(server, path, got.failure));
      copies.push(copy);
    }
    const judged = await judge(copies);
    if (!judged.ok) return judged;
    for (const copy of copies) await settle(copy, join(to, basename(copy)));
    return ok(undefined);
  } catch (error) {
    return failed({ kind: 'file', message: `cannot write below ${to}: ${(error as Error).message}` });
  } finally {
    if (partial !== undefined) await rm(partial, { recursive: true, force: true });
  }
}

async function settle(copy: string, path: string): Promise<void> {
  await chmod(copy, 0o600);
  const file = await open(copy, 'r');
  await file.sync();
  await file.close();
  await rename(copy, path);
}

const ungettable = (server: Server, path: string, problem: PutProblem): Failure =>
  'lost' in problem
    ? problem.lost
    : {
        kind: 'server',
        message: `${server.name} does not provide the file ${path}`,
        evidence: problem.reason,
        next: 'Check that sftp works there: `Subsystem sftp` in its sshd_config',
      };

/** True when git would take the file along with the next `git add`: it lies in a checkout and nothing ignores it. */
export async function isCommittable(path: string): Promise<boolean> {
  const cwd = dirname(path);
  const ignored = await program(['git', 'check-ignore', '--quiet', '--', path], { cwd });
  return !ignored.ok && ignored.failure.status === 1;
}
