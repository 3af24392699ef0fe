import { ok, type Result } from '../generators/result.ts';
import type { Failure } from './runtime/failures.ts';
import type { World } from './runtime/world.ts';
import { renderBundle } from './steps/bundle/bundle.ts';
import { execute } from './steps/run/execute.ts';
import { runSecrets } from './steps/run/messages.ts';
import { prepare, type RunRequest } from './steps/run/prepare.ts';
import { reach } from './steps/server/reach.ts';
import { requireReview } from './steps/bundle/review.ts';
import type { Session } from './steps/server/session.ts';

/** The whole product on one screen: definition → bundle → reviewed → pushed → run → record. */
export async function perform(
  request: RunRequest,
  world: World,
  afterwards: FollowUp = () => Promise.resolve(ok(undefined)),
): Promise<Result<void, Failure>> {
  const rendered = await renderBundle(request, world);
  if (!rendered.ok) return rendered;
  const prepared = await prepare(rendered.value, request, world);
  if (!prepared.ok) return prepared;
  const revision = await requireReview(rendered.value);
  if (!revision.ok) return revision;
  const secrets = await runSecrets(prepared.value);
  if (!secrets.ok) return secrets;
  const server = await (request.reach ?? reach)(prepared.value);
  if (!server.ok) return server;
  try {
    const ran = await execute(
      { ...prepared.value, revision: revision.value, secrets: secrets.value, server: server.value },
      world,
    );
    return ran.ok ? await afterwards({ ...prepared.value, server: server.value }) : ran;
  } finally {
    await server.value.close();
  }
}

/** What is done on the same connection once the run has succeeded. */
export type FollowUp = (session: Session) => Promise<Result<void, Failure>>;
