import { randomBytes } from 'node:crypto';
import type { Result } from '../../generators/result.ts';
import type { RunLife, RunMeta, RunOptions, RunStep } from '../runtime/agent/messages.ts';
import type { Failure } from '../runtime/failures.ts';
import type { SecretValues } from '../runtime/secrets/secret.ts';
import { seal } from '../runtime/secrets/vault.ts';
import type { Server } from '../runtime/server.ts';

export interface RunRequest {
  readonly bundle: { readonly cluster: string; readonly digest: string };
  /** Path below the bundle, like `haproxy.yml`. */
  readonly playbook: string;
  readonly options: RunOptions;
  readonly secrets: SecretValues;
  readonly meta: RunMeta;
  /** What the run means for what is applied; left out: nothing. */
  readonly life?: RunLife | undefined;
  /** The step of an apply that it is. */
  readonly step?: RunStep | undefined;
}

export interface Started {
  readonly run: string;
  readonly warnings: readonly string[];
}

/** Takes the cluster's lock and starts a playbook, detached; returns when it has really begun. */
export async function start(
  server: Server,
  { bundle: { cluster, digest }, playbook, options, secrets, meta, life, step }: RunRequest,
): Promise<Result<Started, Failure>> {
  const token = randomBytes(8).toString('hex');
  const request = {
    ...{ cluster, digest, playbook, options, meta, token, secrets: await seal(secrets) },
    ...(life === undefined ? {} : { life }),
    ...(step === undefined ? {} : { step }),
  };
  const started = await server.agent().ask('start', request);
  if (started.ok || started.failure.kind !== 'connection') return started;
  // Whether it began is not known; the server knows by the token, and begins no second one.
  const again = await server.reopen();
  return again.ok ? server.agent().ask('start', request) : again;
}
