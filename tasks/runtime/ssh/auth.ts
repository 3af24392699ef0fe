import { readFile } from 'node:fs/promises';
import type { Failure } from '../failures.ts';
import { hopName, type Auth, type Hop } from './hop.ts';
import {
  createAgent,
  parseKey,
  type AnyAuthMethod,
  type AuthHandlerMiddleware,
  type ParsedKey,
  type SshAgent,
} from './ssh2.ts';

/** Ways to log in, in the order that they are tried, and what happened to each. */
export interface SshLogin {
  readonly handler: AuthHandlerMiddleware;
  /** Whether the server has refused anything so far. */
  readonly refused: () => boolean;
  /** Says what was tried and what the server offered; never holds a secret. */
  readonly failure: () => Failure;
}

interface Candidate {
  readonly label: string;
  readonly method: AnyAuthMethod;
}

/** Reads the keys; those that cannot be used are named when nothing else works. */
export async function login(hop: Hop): Promise<SshLogin> {
  const { candidates, unusable } = await candidatesOf(hop);
  const tried: string[] = [];
  let offered: readonly string[] | undefined;
  const waiting = [...candidates];
  const handler: AuthHandlerMiddleware = (left, _partial, next) => {
    // null before the server has said anything, whatever the types say
    const allowed = left as readonly string[] | null;
    if (allowed !== null) offered = allowed;
    for (let candidate = waiting.shift(); candidate !== undefined; candidate = waiting.shift()) {
      if (allowed !== null && !allowed.includes(wireName(candidate.method))) continue;
      tried.push(candidate.label);
      next(candidate.method);
      return;
    }
    next(false as never);
  };
  return {
    handler,
    refused: () => offered !== undefined,
    failure: () => refusal(hop, { tried, offered: offered ?? [], unusable }),
  };
}

const wireName = ({ type }: AnyAuthMethod): string => (type === 'agent' ? 'publickey' : type);

async function candidatesOf({ user, auth }: Hop): Promise<{ candidates: Candidate[]; unusable: string[] }> {
  const keys = await Promise.all(auth.keys.map((key) => readKey(key)));
  const usable = keys.flatMap((key) => ('key' in key ? [key] : []));
  const unusable = keys.flatMap((key) => ('problem' in key && key.problem !== '' ? [key.problem] : []));
  const agent = agentCandidate(user, auth, await publicKeys(auth));
  const byKey = usable.map(({ path, key }): Candidate => ({
    label: `the key ${path}`,
    method: { type: 'publickey', username: user, key },
  }));
  return { candidates: [...agent, ...byKey, ...passwordCandidates(user, auth), none(user)], unusable };
}

/** Last, so that a server that offers other methods can say so. */
const none = (username: string): Candidate => ({ label: 'no login', method: { type: 'none', username } });

function agentCandidate(username: string, auth: Auth, allowed: readonly string[]): Candidate[] {
  if (auth.agent === '') return [];
  const agent = auth.identitiesOnly ? chosenKeys(auth.agent, allowed) : createAgent(auth.agent);
  return [{ label: 'the keys of the SSH agent', method: { type: 'agent', username, agent } }];
}

function passwordCandidates(username: string, { password }: Auth): Candidate[] {
  if (password === undefined) return [];
  let given = false;
  const prompt: Extract<AnyAuthMethod, { type: 'keyboard-interactive' }>['prompt'] = (...args) => {
    const [, , , prompts, finish] = args;
    // Once, to a question whose answer is not shown: a second one is about something else, like a code.
    const hidden = given ? -1 : prompts.findIndex(({ echo }) => echo !== true);
    given ||= hidden >= 0;
    finish(prompts.map((_, index) => (index === hidden ? password.reveal() : '')));
  };
  return [
    { label: 'the password', method: { type: 'password', username, password: password.reveal() } },
    {
      label: 'the password (keyboard-interactive)',
      method: { type: 'keyboard-interactive', username, prompt },
    },
  ];
}

type ReadKey =
  | { readonly path: string; readonly key: ParsedKey }
  | { readonly path: string; readonly problem: string };

/** A key that nobody asked for by name may be missing. */
async function readKey({ path, passphrase, asked }: Auth['keys'][number]): Promise<ReadKey> {
  const text = await readFile(path).catch((error: unknown) => error as NodeJS.ErrnoException);
  if (text instanceof Error) return { path, problem: asked || text.code !== 'ENOENT' ? text.message : '' };
  const key = parseKey(text, passphrase?.reveal());
  if (!(key instanceof Error)) return { path, key };
  const reason =
    /encrypted/i.test(key.message) && passphrase === undefined ? 'needs a passphrase' : key.message;
  return { path, problem: `the key ${path} cannot be used: ${reason}` };
}

async function publicKeys({ keys }: Auth): Promise<string[]> {
  const texts = keys.map(({ path }) => readFile(`${path}.pub`, 'utf8').catch(() => ''));
  return (await Promise.all(texts)).map((text) => text.split(/\s+/)[1] ?? '').filter((key) => key !== '');
}

/** An agent that offers only some of its keys: servers count each that is offered as a failed try. */
function chosenKeys(socket: string, allowed: readonly string[]): SshAgent {
  const agent = createAgent(socket);
  const all = agent.getIdentities.bind(agent);
  agent.getIdentities = (callback) => {
    all((error, keys) => {
      callback(
        error,
        keys?.filter((key) => allowed.includes((key as ParsedKey).getPublicSSH().toString('base64'))),
      );
    });
  };
  return agent;
}

function refusal(
  hop: Hop,
  {
    tried,
    offered,
    unusable,
  }: {
    readonly tried: readonly string[];
    readonly offered: readonly string[];
    readonly unusable: readonly string[];
  },
): Failure {
  const real = tried.filter((label) => label !== 'no login');
  const what = real.length === 0 ? 'nothing to log in with' : `it refused ${real.join(', ')}`;
  const offers = offered.length === 0 ? '' : `; it offers ${offered.join(', ')}`;
  const also = unusable.length === 0 ? '' : `; ${unusable.join('; ')}`;
  return {
    kind: 'authentication',
    message: `${hopName(hop)} refuses the login: ${what}${offers}${also}`,
    next: 'Check ansibleServer.user and ansibleServer.auth, and that the server knows the key or the password',
  };
}
