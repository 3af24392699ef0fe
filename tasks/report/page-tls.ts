import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';
import type { Tls } from './live-server.ts';

interface TlsFiles {
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** Reads certificate and key of the live page; undefined where neither is named. */
export async function pageTls(
  { cert, key }: TlsFiles,
  cwd: string,
): Promise<Result<Tls | undefined, Failure>> {
  if (cert === undefined && key === undefined) return ok(undefined);
  if (cert === undefined || key === undefined)
    return failed({ kind: 'usage', message: '--web-cert and --web-key go together' });
  try {
    const [read, secret] = await Promise.all([readFile(resolve(cwd, cert)), readFile(resolve(cwd, key))]);
    return ok({ cert: read, key: secret });
  } catch (error) {
    return failed({
      kind: 'usage',
      message: `the certificate or key of the page cannot be read: ${(error as Error).message}`,
    });
  }
}
