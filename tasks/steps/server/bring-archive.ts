import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { KubespraySource } from '../../../generators/cluster/cluster.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import { agentFolder } from '../../runtime/package.ts';
import type { Server } from '../../runtime/server.ts';

export type Archive = Extract<KubespraySource, { kind: 'archive' }>;

/** Whether a file of this machine is the archive that the definition names: a `usage` failure where it is not. */
export async function checkArchive(file: string, source: KubespraySource): Promise<Result<Archive, Failure>> {
  if (source.kind !== 'archive')
    return failed(usage('the definition has no installer.kubespray.archive that --archive could be'));
  const sum = await sumOf(file);
  if (sum === undefined) return failed(usage(`--archive ${file} cannot be read`));
  return sum === source.sha256
    ? ok(source)
    : failed(
        usage(`--archive ${file} has the sum ${sum}; installer.kubespray.archive.sha256 is ${source.sha256}`),
      );
}

/** Brings the archive to its place on the Ansible server, unless it is there; its sum is checked there before it gets its name. */
export async function bringArchive(
  server: Server,
  file: string,
  { path, sha256 }: Archive,
): Promise<Result<'brought' | 'there', Failure>> {
  const looked = await ask(server, [path, sha256, 'look']);
  if (!looked.ok) return looked;
  if (looked.value.isThere) return ok('there');
  const sent = await server.transport.upload(file, `${looked.value.path}.partial`);
  if (!sent.ok)
    return failed('lost' in sent.failure ? sent.failure.lost : untaken(server, path, sent.failure.reason));
  const taken = await ask(server, [path, sha256, 'take']);
  if (!taken.ok) return taken;
  return taken.value.isThere
    ? ok('brought')
    : failed(untaken(server, path, 'what arrived has another SHA-256 sum than what was sent'));
}

async function ask(
  server: Server,
  words: readonly string[],
): Promise<Result<{ readonly path: string; readonly isThere: boolean }, Failure>> {
  const told = await server.run({ argv: ['sh', '-s', '--', ...words] }, { stdin: program });
  if (!told.ok) return told;
  const { status, stdout, stderr } = told.value;
  const path = /^path=(.*)$/m.exec(stdout)?.[1];
  if (status !== 0 && path === undefined) return failed(untaken(server, words[0] ?? '', stderr.trim()));
  return ok({ path: path ?? '', isThere: /^there=yes$/m.test(stdout) });
}

const program = readFileSync(join(agentFolder, 'archive.sh'), 'utf8');

async function sumOf(file: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file), hash);
  } catch {
    return undefined;
  }
  return hash.digest('hex');
}

const usage = (message: string): Failure => ({ kind: 'usage', message });

const untaken = (server: Server, path: string, reason: string): Failure => ({
  kind: 'server',
  message: `${server.name} does not accept the archive as ${path}`,
  evidence: reason,
  next: 'name a folder that the user of the Ansible server may write in installer.kubespray.archive.path',
});
