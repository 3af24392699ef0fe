import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import { agentFolder } from '../../runtime/package.ts';
import { printable } from '../../runtime/printable.ts';
import type { Server } from '../../runtime/server.ts';
import { somethingElse } from '../../runtime/transport.ts';

/** One thing that has to be right before a run. */
export interface CheckResult {
  readonly what: string;
  readonly state: 'fit' | 'unfit' | 'unsure';
  readonly seen: string;
  /** What would be right and how to get there; empty where nothing is wrong. */
  readonly remedy: string;
}

const oldestCore = '2.14';
const oldestRunner = '2.3';
const leastFree = 200_000;
const mostSkew = 5;

/** Looks at the Ansible server with a POSIX shell alone, since a bare one has no more. */
export async function examineServer(
  server: Server,
  cluster: Cluster,
): Promise<Result<readonly CheckResult[], Failure>> {
  const script = readFileSync(join(agentFolder, 'examine.sh'), 'utf8');
  const asked = Date.now() / 1000;
  const told = await server.run({ argv: ['sh', '-s', '--', server.directory] }, { stdin: script });
  if (!told.ok) return told;
  const facts = new Map(
    told.value.stdout
      .split('\n')
      .map((line): [string, string] => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]),
  );
  const fact = (name: string): string => facts.get(name) ?? '';
  if (!facts.has('directory'))
    return failed(somethingElse(server.name, printable(told.value.stdout + told.value.stderr)));
  const now = (asked + Date.now() / 1000) / 2;
  return ok([
    { what: 'system', state: 'fit', seen: fact('system') || 'unknown', remedy: '' },
    atLeast('Python', fact('python'), '3.9'),
    atLeast('ansible-core', fact('ansible'), oldestCore),
    atLeast('ansible-runner', fact('runner'), oldestRunner),
    has('OpenSSH client', fact('ssh')),
    ...(needsSshpass(cluster) ? [has('sshpass', fact('sshpass'))] : []),
    directory(fact),
    space(Number(fact('free'))),
    clock(Number(fact('clock')) - now),
    detachedRuns(fact('kill'), fact('linger')),
  ]);
}

const bootstrap = 'npx task bootstrap installs it';

const needsSshpass = ({ machines }: Cluster): boolean =>
  machines.some(({ ssh }) => ssh.passwordVariable !== '');

function atLeast(what: string, version: string, oldest: string): CheckResult {
  // Debian 13's ansible-runner does not know its own version.
  if (version === '0.0.0')
    return { what, state: 'fit', seen: 'there, of a version it does not tell', remedy: '' };
  if (version === '') return { what, state: 'unfit', seen: 'missing', remedy: bootstrap };
  return compareVersions(version, oldest) < 0
    ? { what, state: 'unfit', seen: version, remedy: `${oldest} or newer is needed; ${bootstrap}` }
    : { what, state: 'fit', seen: version, remedy: '' };
}

const has = (what: string, path: string): CheckResult =>
  path === ''
    ? { what, state: 'unfit', seen: 'missing', remedy: bootstrap }
    : { what, state: 'fit', seen: path, remedy: '' };

function directory(fact: (name: string) => string): CheckResult {
  const what = 'directory';
  const path = fact('directory');
  if (fact('writable') !== 'yes')
    return {
      ...{ what, state: 'unfit', seen: `${path} cannot be written` },
      remedy: 'npx task bootstrap makes it and gives it to you, or choose another ansibleServer.directory',
    };
  return fact('others') === ''
    ? { what, state: 'fit', seen: path, remedy: '' }
    : {
        ...{ what, state: 'unfit', seen: `others than its user may write ${fact('others')}` },
        remedy:
          'no run begins there: take that right back with chmod go-w, or choose another ansibleServer.directory',
      };
}

const space = (kilobytes: number): CheckResult => ({
  what: 'free space',
  state: kilobytes >= leastFree ? 'fit' : 'unfit',
  seen: `${(kilobytes / 1000).toFixed(0)} MB`,
  remedy: kilobytes >= leastFree ? '' : `${leastFree / 1000} MB are needed for bundles and records`,
});

const clock = (skew: number): CheckResult => ({
  what: 'clock',
  state: Math.abs(skew) <= mostSkew ? 'fit' : 'unsure',
  seen: `${Math.abs(skew).toFixed(0)} s ${skew < 0 ? 'behind' : 'ahead of'} this machine`,
  remedy:
    Math.abs(skew) <= mostSkew ? '' : "times in records are the server's; set one of the two clocks right",
});

const detachedRuns = (kill: string, linger: string): CheckResult =>
  /^(?:yes|y|true|t|on|1)$/i.test(kill) && linger !== 'yes'
    ? {
        what: 'detached runs',
        state: 'unfit',
        seen: 'KillUserProcesses=yes',
        remedy: 'systemd would end a run at logout: loginctl enable-linger for this user',
      }
    : { what: 'detached runs', state: 'fit', seen: 'outlive the login', remedy: '' };

export function compareVersions(one: string, other: string): number {
  const parts = (version: string): number[] =>
    version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  const [left, right] = [parts(one), parts(other)];
  const at = left.findIndex((part, index) => part !== (right[index] ?? part));
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}
