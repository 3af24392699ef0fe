import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Answers } from '../runtime/agent/messages.ts';
import type { Failure } from '../runtime/failures.ts';
import type { Server } from '../runtime/server.ts';
import { indexFile } from './seal.ts';
import { sumsFile } from '../runtime/sums.ts';
import type { VerifiedFolder } from './verify.ts';

export interface PushWish {
  /** Folder of this machine, and what was found in it. */
  readonly from: string;
  readonly verified: VerifiedFolder;
  /** Folder on the Ansible server as the definition names it. */
  readonly to: string;
  readonly tell: (text: string) => void;
}

/** Brings to the Ansible server what differs there, file by file, each checked there before it gets its name; the sums come last. */
export async function pushArtifacts(
  server: Server,
  { from, verified, to, tell }: PushWish,
): Promise<Result<{ readonly sent: number; readonly bytes: number }, Failure>> {
  const sums: Readonly<Record<string, string>> = {
    ...Object.fromEntries(verified.sums),
    [sumsFile]: verified.sha256,
  };
  const compared = await server.agent().ask('compare-artifacts', { folder: to, sums });
  if (!compared.ok) return compared;
  const { folder, missing } = compared.value;
  // Paths of this machine are made of them: a server that lies about them would be sent any file of the operator.
  if (!missing.every((path) => Object.hasOwn(sums, path))) return failed(strange(server));
  const sized = await Promise.all(
    missing.map(async (path) => ({ path, size: (await stat(join(from, path))).size })),
  );
  const bytes = sized.reduce((sum, { size }) => sum + size, 0);
  const room = roomFor(bytes, compared.value, server);
  if (!room.ok) return room;
  for (const { path, size } of sized.sort(sumsLast)) {
    tell(`${path} (${(size / 1e6).toFixed(1)} MB)`);
    const sent = await server.transport.upload(join(from, path), `${folder}/${path}.partial`);
    if (!sent.ok)
      return failed('lost' in sent.failure ? sent.failure.lost : untaken(server, path, sent.failure.reason));
    const taken = await server.agent().ask('take-artifact', { folder: to, path, sha256: sums[path] ?? '' });
    if (!taken.ok) return taken;
  }
  return ok({ sent: sized.length, bytes });
}

const strange = ({ name }: Server): Failure => ({
  kind: 'server',
  message: `${name} asks for files that are no artifacts; nothing was sent`,
  evidence: '',
  next: 'Look at what answers there: it is not what Playsmith sent',
});

/** A folder whose sums are there is complete. */
const sumsLast = (a: { readonly path: string }, b: { readonly path: string }): number =>
  rank(a.path) - rank(b.path) || (a.path < b.path ? -1 : 1);

const rank = (path: string): number => (path === sumsFile ? 2 : path === indexFile ? 1 : 0);

function roomFor(
  bytes: number,
  { folder, free }: Answers['compare-artifacts'],
  server: Server,
): Result<void, Failure> {
  const gigabytes = (count: number): string => `${(count / 1e9).toFixed(2)} GB`;
  return free === null || bytes < free
    ? ok(undefined)
    : failed({
        kind: 'server',
        message: `${server.name} has no room for the artifacts in ${folder}`,
        evidence: `${gigabytes(bytes)} are wanted, ${gigabytes(free)} are free; nothing was sent`,
        next: 'Make room there, or name another folder in offline.artifacts',
      });
}

const untaken = (server: Server, path: string, reason: string): Failure => ({
  kind: 'server',
  message: `${server.name} does not accept the file ${path}`,
  evidence: reason,
  next: 'Check that sftp works there: `Subsystem sftp` in its sshd_config',
});
