import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import process from 'node:process';
import type { SecretReference, SecretUse } from '../../../generators/cluster/cluster.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../failures.ts';
import { program } from '../program.ts';
import { Secret, type SecretValues } from './secret.ts';
import { readVaultKey } from './vault.ts';

/** Every value, or one failure that names all that are missing. Relative paths start at `folder`. */
export async function resolveSecrets(
  uses: readonly SecretUse[],
  folder = process.cwd(),
): Promise<Result<SecretValues, Failure>> {
  const found = await Promise.all(
    uses.map(async (use) => ({ use, value: await resolveReference(use.reference, folder) })),
  );
  const missing = found.flatMap(({ use, value }) =>
    value.ok ? [] : [`  ${use.path} (${use.variable}): ${value.failure}`],
  );
  if (missing.length === 0)
    return ok(new Map(found.flatMap(({ use, value }) => (value.ok ? [[use.variable, value.value]] : []))));
  return failed({
    kind: 'secret',
    message: [`${missing.length} of ${uses.length} secrets have no value:`, ...missing].join('\n'),
    next: 'Provide them as the references say, or change the references in the definition',
  });
}

/** The value that a reference leads to; the failure says why there is none, never what was found. */
export async function resolveReference(
  reference: SecretReference,
  folder = process.cwd(),
): Promise<Result<Secret, string>> {
  switch (reference.kind) {
    case 'env':
      return secretOf(
        process.env[reference.name],
        `the environment variable ${reference.name}`,
        'is not set',
      );
    case 'file':
      return fromFile(absolute(reference.path, folder), reference.path);
    case 'command':
      return fromCommand(reference.argv, folder);
    case 'vault': {
      const password = await resolveReference(reference.password, folder);
      if (!password.ok) return failed(`the password of ${reference.path}: ${password.failure}`);
      return readVaultKey({
        path: absolute(reference.path, folder),
        key: reference.key,
        password: password.value,
      });
    }
  }
}

function secretOf(text: string | undefined, from: string, lack: string): Result<Secret, string> {
  if (text === undefined || text === '') return failed(`${from} ${lack}`);
  // What stands for bytes that are none; a login would fail by it, and nobody would know why.
  return text.includes('\ufffd') ? failed(`${from} gives bytes that are not UTF-8`) : ok(new Secret(text));
}

const absolute = (path: string, folder: string): string =>
  path.startsWith('~/') ? `${homedir()}${path.slice(1)}` : path.startsWith('/') ? path : `${folder}/${path}`;

/** One line break at the end belongs to the file, not to the value. */
const withoutLastBreak = (text: string): string => text.replace(/\r?\n$/, '');

/** Password stores print the password first, then what else they know. */
const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';

async function fromFile(path: string, shown: string): Promise<Result<Secret, string>> {
  try {
    return secretOf(withoutLastBreak(await readFile(path, 'utf8')), `the file ${shown}`, 'is empty');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return failed(isMissing ? `there is no file ${shown}` : `the file ${shown} cannot be read`);
  }
}

/** What the program prints may hold a secret, so only how it ended is told. */
async function fromCommand(argv: readonly string[], cwd: string): Promise<Result<Secret, string>> {
  const ran = await program(argv, { cwd });
  return ran.ok
    ? secretOf(firstLine(ran.value.stdout), `the command ${argv[0] ?? ''}`, 'printed nothing')
    : failed(`the command ${ran.failure.message}`);
}
