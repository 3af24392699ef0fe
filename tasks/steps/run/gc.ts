import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Retention } from '../../../generators/cluster/server.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';

const day = 24 * 60 * 60 * 1000;

/** Copies of records that lie here and are older than is wanted; removed, unless `check`. Each is whole or gone. */
export async function oldCopies(
  parent: string,
  { runs, days, check, now }: Retention & { readonly check: boolean; readonly now: number },
): Promise<Result<readonly string[], Failure>> {
  const found = await readdir(parent).catch((): string[] => []);
  const names = found.filter((name) => timeOf(name) !== undefined).sort();
  const old = names
    .slice(0, Math.max(0, names.length - runs))
    .filter((name) => (timeOf(name) ?? now) < now - days * day);
  const hidden = found.filter((name) => name.endsWith('.removed'));
  if (check) return ok(old);
  try {
    for (const name of old) {
      await rename(join(parent, name), join(parent, `.${name}.removed`));
      hidden.push(`.${name}.removed`);
    }
    for (const name of hidden) await rm(join(parent, name), { recursive: true, force: true });
    return ok(old);
  } catch (error) {
    return failed({ kind: 'file', message: `cannot remove old records: ${(error as Error).message}` });
  }
}

/** From the name of a run; undefined for what is none. */
function timeOf(name: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-.+-[0-9a-f]{4}$/.exec(name)?.slice(1).map(Number);
  if (parts === undefined) return undefined;
  const [year = 0, month = 1, date = 1, hour = 0, minute = 0, second = 0] = parts;
  return Date.UTC(year, month - 1, date, hour, minute, second);
}
