import type { Bundle } from '../../../generators/bundle.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { archive } from '../../runtime/archive.ts';
import type { Answers, Requests } from '../../runtime/agent/messages.ts';
import type { Agent } from '../../runtime/agent/agent.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { Server } from '../../runtime/server.ts';

export interface PushSummary {
  readonly digest: string;
  /** What travelled; 0 when the bundle was there. */
  readonly bytes: number;
  readonly wasThere: boolean;
}

/**
 * Brings a bundle to the server: one archive over SFTP, checked file by file there, then renamed into place. The way for
 * files opens with the login, beside that of the question, so that a slow line is waited for once.
 */
export async function push(
  server: Server,
  { cluster, digest, files }: Pick<Bundle, 'cluster' | 'digest' | 'files'>,
): Promise<Result<PushSummary, Failure>> {
  if (server.node !== '') return pushInside(server, { cluster, digest, files });
  const agent = server.agent();
  const asked = agent.ask('stat-bundle', { cluster, digest });
  const packed = archive(files);
  const found = await asked;
  if (!found.ok) return found;
  if (found.value.there) return ok({ digest, bytes: 0, wasThere: true });
  const bytes = await packed;
  const path = found.value.partial;
  // The agent waits for the archive while it travels.
  const unpacking = agent.ask('unpack', { cluster, digest, partial: path, size: bytes.length });
  let isWaiting = true;
  const sending = server.transport.put(bytes, path).then((sent) => {
    if (isWaiting) agent.hurry();
    return sent;
  });
  const unpacked = await unpacking;
  isWaiting = false;
  if (!unpacked.ok) return unpacked;
  if (unpacked.value.there) return ok({ digest, bytes: bytes.length, wasThere: false });
  const sent = await sending;
  if (!sent.ok && 'lost' in sent.failure) return failed(sent.failure.lost);
  const said = !sent.ok && 'reason' in sent.failure ? sent.failure.reason : 'SFTP says that it succeeded';
  return failed(await whyNot({ server, agent }, { bytes: bytes.length, path, evidence: said }));
}

/** Over a mesh, where no file travels beside the request: the bundle goes along with it, whether it is there or not. */
async function pushInside(
  server: Server,
  bundle: Pick<Bundle, 'cluster' | 'digest' | 'files'>,
): Promise<Result<PushSummary, Failure>> {
  const { request, summary } = await carriage(bundle);
  const received = await server.ahead('receive', request)();
  return received.ok ? ok(summary(received.value)) : received;
}

/** A bundle inside a request, and what its answer says of it. */
export async function carriage({
  cluster,
  digest,
  files,
}: Pick<Bundle, 'cluster' | 'digest' | 'files'>): Promise<{
  readonly request: Requests['receive'];
  readonly summary: (answer: Pick<Answers['receive'], 'wasThere'>) => PushSummary;
}> {
  const bytes = await archive(files);
  return {
    request: { cluster, digest, archive: Buffer.from(bytes).toString('base64') },
    summary: ({ wasThere }) => ({ digest, bytes: wasThere ? 0 : bytes.length, wasThere }),
  };
}

/** SFTP says little about a full disk or a missing right, so the agent is asked why. */
async function whyNot(
  { server, agent }: { readonly server: Server; readonly agent: Agent },
  { bytes, path, evidence }: { readonly bytes: number; readonly path: string; readonly evidence: string },
): Promise<Failure> {
  const reason = await agent.ask('probe', { path, bytes });
  if (!reason.ok) return reason.failure;
  return {
    kind: 'server',
    message: `${server.name} does not accept the file ${path}`,
    evidence,
    next: 'Check that sftp works there: `Subsystem sftp` in its sshd_config, and no output from shell start-up files',
  };
}
