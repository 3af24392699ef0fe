// The one place that imports ansible-vault.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Vault } from 'ansible-vault';
import { FAILSAFE_SCHEMA, load } from 'js-yaml';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { SealedSecrets } from '../agent/run-records.ts';
import { Secret, type SecretValues } from './secret.ts';

/** Encrypts values as an extra-vars file that only the run with this password reads. */
export async function seal(secrets: SecretValues): Promise<SealedSecrets | null> {
  if (secrets.size === 0) return null;
  const password = randomBytes(32).toString('base64url');
  const plain = Object.fromEntries([...secrets].map(([variable, secret]) => [variable, secret.reveal()]));
  const vault = await new Vault({ password }).encrypt(unsafe(plain), '');
  return { vault: `${vault.trim()}\n`, password, values: Object.values(plain) };
}

/** YAML that keeps each value as text: a password may look like Jinja, or like a number. */
const unsafe = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([variable, value]) => `${variable}: !unsafe ${yamlString(value)}\n`)
    .join('');

const yamlString = (value: string): string =>
  JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** One key of an Ansible Vault file. */
export async function readVaultKey({
  path,
  key,
  password,
}: {
  readonly path: string;
  readonly key: string;
  readonly password: Secret;
}): Promise<Result<Secret, string>> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return failed(`the vault file ${path} cannot be read`);
  const plain = await decrypt(text, password);
  if (plain === undefined) return failed(`the vault file ${path} does not open with that password`);
  const value = keyOf(plain, key);
  return value === undefined
    ? failed(`the vault file ${path} has no text under the key ${key}`)
    : ok(new Secret(value));
}

async function decrypt(text: string, password: Secret): Promise<string | undefined> {
  try {
    return await new Vault({ password: password.reveal() }).decrypt(text.trim(), undefined);
  } catch {
    return undefined;
  }
}

/** As it is written: a password like `0755` or a long number is no number to us. */
function keyOf(text: string, key: string): string | undefined {
  try {
    const values = load(text, { schema: FAILSAFE_SCHEMA }) as Record<string, unknown> | null;
    const value = values !== null && Object.hasOwn(values, key) ? values[key] : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  } catch {
    return undefined;
  }
}
