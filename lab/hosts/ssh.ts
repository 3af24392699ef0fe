import type { Result } from '../../generators/result.ts';
import { ok } from '../../generators/result.ts';
import type { LabFailure } from '../machine/lab-failure.ts';
import { checkHost, type Lab } from '../state/lab.ts';
import { describe } from './describe.ts';

/** The words that open a shell on a host, or run one command there, as `ops`, with the host's pinned key. */
export function sshArgv(
  lab: Lab,
  host: string,
  command: readonly string[] = [],
): Result<readonly string[], LabFailure> {
  const known = checkHost(lab, host);
  if (!known.ok) return known;
  const { keyPath, knownHostsPath, user, hosts } = describe(lab);
  const address = hosts.find(({ name }) => name === host)?.address ?? '';
  const options = { IdentitiesOnly: 'yes', UserKnownHostsFile: knownHostsPath, StrictHostKeyChecking: 'yes' };
  return ok([
    ...['ssh', '-F', 'none', '-i', keyPath],
    ...Object.entries(options).flatMap(([key, value]) => ['-o', `${key}=${value}`]),
    ...[`${user}@${address}`, ...command],
  ]);
}
