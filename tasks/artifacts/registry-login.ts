import { failed, ok, type Result } from '../../generators/result.ts';
import { isMap } from '../../generators/shape.ts';
import type { Failure } from '../runtime/failures.ts';
import type { Secret } from '../runtime/secrets/secret.ts';
import { ask, askForDocument, jsonIn, noAnswer } from '../runtime/http.ts';

/** Who we are at a registry, and whom it is certified by. */
export interface RegistryLogin {
  readonly user: string;
  readonly password: Secret | undefined;
  /** PEM, or empty. */
  readonly ca: string;
}

/** The way to one repository of a registry. */
export interface LoginWay {
  /** Address below which manifests and blobs of one repository lie. */
  readonly base: string;
  readonly ca: string;
  /** The header, or empty. */
  readonly authorization: string;
}

/** What we understand of an image. */
export const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** Asks what the registry wants to see: nothing, a password, or a token that its own service gives. */
export async function authorize(
  { base, ca, wanted }: Omit<LoginWay, 'authorization'> & { readonly wanted: string },
  login: RegistryLogin | undefined,
): Promise<Result<string, Failure>> {
  const basic = login?.password
    ? `Basic ${Buffer.from(`${login.user}:${login.password.reveal()}`).toString('base64')}`
    : '';
  const tried = await ask(`${base}/manifests/${wanted}`, {
    headers: { accept: manifestTypes },
    ca,
    accepted: [401],
  });
  if (!tried.ok) return tried;
  await tried.value.body?.cancel();
  const challenge = tried.value.headers.get('www-authenticate') ?? '';
  if (tried.value.status !== 401) return ok('');
  if (/^basic/i.test(challenge)) return basic === '' ? failed(loginRefused(base)) : ok(basic);
  return token(base, challenge, { basic, ca });
}

async function token(
  base: string,
  challenge: string,
  { basic, ca }: { readonly basic: string; readonly ca: string },
): Promise<Result<string, Failure>> {
  const field = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(challenge)?.[1] ?? '';
  const realm = URL.canParse(field('realm')) ? new URL(field('realm')) : null;
  // A password goes to the registry itself, or over TLS to the service that it names.
  if (realm === null || (realm.protocol !== 'https:' && realm.origin !== new URL(base).origin))
    return failed(loginRefused(base));
  for (const name of ['service', 'scope']) if (field(name) !== '') realm.searchParams.set(name, field(name));
  const answer = await askForDocument(realm.href, { headers: headersOf(basic), ca });
  if (!answer.ok) return answer;
  const given = jsonIn(answer.value.bytes);
  if (!isMap(given)) return failed(noAnswer(realm.href, 'what answers sends no token'));
  const value = given['token'] ?? given['access_token'];
  return typeof value === 'string' && isToken(value) ? ok(`Bearer ${value}`) : failed(loginRefused(base));
}

/** As a header takes it. */
const isToken = (text: string): boolean => /^[\x20-\x7e]+$/.test(text);

export const headersOf = (authorization: string): Readonly<Record<string, string>> =>
  authorization === '' ? {} : { authorization };

const loginRefused = (base: string): Failure => ({
  kind: 'authentication',
  message: `the registry refuses ${base} without a login`,
  next: 'Name user and password of the registry in containerd.registries of the definition, and give the password a value here',
});
