import { randomBytes } from 'node:crypto';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { RunMessages } from '../../runtime/agent/message-requests.ts';
import type { Answers, RunLife, RunStep } from '../../runtime/agent/messages.ts';
import type {
  HeldMachine,
  PlayLength,
  RunMeta,
  RunOptions,
  SealedSecrets,
} from '../../runtime/agent/run-records.ts';
import type { SealedForNode } from '../../runtime/agent/mesh-messages.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { SecretValues } from '../../runtime/secrets/secret.ts';
import { fingerprintOf, sealForNode } from '../../runtime/secrets/node-seal.ts';
import { seal } from '../../runtime/secrets/vault.ts';
import type { Server } from '../../runtime/server.ts';

export interface StartRequest {
  readonly bundle: { readonly cluster: string; readonly digest: string };
  /** Path below the bundle, like `haproxy.yml`. */
  readonly playbook: string;
  readonly options: RunOptions;
  readonly secrets: SecretValues;
  readonly meta: RunMeta;
  /** Left out: tasks are counted as they come. */
  readonly outline?: readonly PlayLength[];
  /** What no other cluster may be working on meanwhile. */
  readonly machines?: readonly HeldMachine[];
  /** Who is told how it ends; left out: nobody. */
  readonly messages?: RunMessages | undefined;
  /** What the run means for what is applied; left out: nothing. */
  readonly life?: RunLife | undefined;
  /** The step of an apply that it is. */
  readonly step?: RunStep | undefined;
  /** Over a mesh: what is done there before it begins. */
  readonly first?: readonly object[];
}

export interface StartedRun {
  readonly run: string;
  readonly warnings: readonly string[];
  /** What was said to what was done before. */
  readonly first?: Answers['start']['first'];
}

type SealingKey = Result<Answers['sealing-key'], Failure>;

/** Takes the cluster's lock and starts a playbook, detached; returns when it has really begun. */
export async function start(
  server: Server,
  {
    bundle: { cluster, digest },
    playbook,
    options,
    secrets,
    meta,
    outline = [],
    machines = [],
    messages,
    life,
    step,
    first = [],
  }: StartRequest,
  askedKey: () => Promise<SealingKey> = () => server.agent().ask('sealing-key', {}),
): Promise<Result<StartedRun, Failure>> {
  const token = randomBytes(8).toString('hex');
  const sealed = await sealedFor(server, { secrets, token, askedKey });
  if (!sealed.ok) return sealed;
  const request = {
    ...{ cluster, digest, playbook, options, meta, outline, machines, token, secrets: sealed.value },
    ...(messages === undefined ? {} : { messages }),
    ...(life === undefined ? {} : { life }),
    ...(step === undefined ? {} : { step }),
    ...(first.length === 0 ? {} : { first }),
  };
  const started = await server.agent().ask('start', request);
  if (started.ok || started.failure.kind !== 'connection') return started;
  // Whether it began is not known; the server knows by the token, and begins no second one.
  const again = await server.reopen();
  return again.ok ? server.agent().ask('start', request) : again;
}

/** Units of work lie on the disks of two nodes for a while: what goes over a mesh is readable on the last one alone. */
async function sealedFor(
  server: Server,
  {
    secrets,
    token,
    askedKey,
  }: Pick<StartRequest, 'secrets'> & { readonly token: string; readonly askedKey: () => Promise<SealingKey> },
): Promise<Result<SealedSecrets | SealedForNode | null, Failure>> {
  const sealed = await seal(secrets);
  if (sealed === null || server.node === '') return ok(sealed);
  const key = await askedKey();
  if (!key.ok) return key;
  const found = fingerprintOf(key.value.key);
  return found !== '' && ['', found].includes(server.sealingKey)
    ? ok(sealForNode(sealed, { key: key.value.key, token }))
    : failed(anotherKey(server, found));
}

const anotherKey = ({ name, node, sealingKey: pinned }: Server, found: string): Failure => ({
  kind: 'host-key',
  message: `secrets for ${name} would be sealed to ${found || 'what is no key'}, and ${pinned || 'a key'} was expected: none were sent`,
  next: `Whoever is on the way may have put it there. Look on ${node} itself: openssl pkey -in /etc/receptor/playsmith/seal.key -pubout -outform DER | openssl dgst -sha256 -binary | base64; if that is it, write it into the fleet's definition as its sealingKey`,
});
