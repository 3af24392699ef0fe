import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bundle } from '../../../generators/bundle.ts';
import type { AnsibleServer } from '../../../generators/cluster/cluster.ts';
import type { Result } from '../../../generators/result.ts';
import type { RunMeta, RunOptions } from '../../../tasks/runtime/agent/run-records.ts';
import type { Event } from '../../../tasks/runtime/events.ts';
import type { Failure } from '../../../tasks/runtime/failures.ts';
import { Secret } from '../../../tasks/runtime/secrets/secret.ts';
import type { Server } from '../../../tasks/runtime/server.ts';
import { connect } from '../../../tasks/steps/server/connect.ts';
import { follow, type FollowEnding, type FollowRequest } from '../../../tasks/steps/run/follow.ts';
import { push } from '../../../tasks/steps/bundle/push.ts';
import { start, type StartedRun } from '../../../tasks/steps/run/start.ts';
import type { Sshd } from './sshd.ts';

/** A folder that plays the Ansible server's directory; remove it at the end. PLAYSMITH_TEST_PYTHON names another Ansible's Python. */
export function serverFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-'));
  const python = process.env['PLAYSMITH_TEST_PYTHON'];
  if (python !== undefined) {
    mkdirSync(join(folder, 'venv', 'bin'), { recursive: true, mode: 0o700 });
    symlinkSync(python, join(folder, 'venv', 'bin', 'python'));
  }
  return folder;
}

/** A small file system of its own, so that it can be full. Undo with `unmount`. */
export function smallDisk(kilobytes: number): { readonly folder: string; readonly unmount: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k,mode=0700`, 'tmpfs', folder]);
  return {
    folder,
    unmount: () => {
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const value = <Value>(result: Result<Value, Failure>): Value => {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
};

export const failure = <Value>(result: Result<Value, Failure>): Failure => {
  if (result.ok) throw new Error(`expected a failure, got ${JSON.stringify(result.value)}`);
  return result.failure;
};

export const sshServer = (
  sshd: Pick<Sshd, 'port'>,
  directory: string,
  more: Partial<Extract<AnsibleServer, { kind: 'ssh' }>> = {},
): Extract<AnsibleServer, { kind: 'ssh' }> => ({
  kind: 'ssh',
  host: '127.0.0.1',
  port: sshd.port,
  user: '',
  auth: { kind: 'default' },
  hostKey: '',
  proxyJump: '',
  becomePassword: null,
  ansible: { kind: 'packages' },
  directory,
  retention: { runs: 50, days: 90 },
  ...more,
});

export const overSsh = async (sshd: Sshd, directory: string): Promise<Server> =>
  value(await connect(sshServer(sshd, directory), { around: sshd.around }));

export const locally = async (directory: string): Promise<Server> =>
  value(
    await connect({
      kind: 'local',
      directory,
      retention: { runs: 50, days: 90 },
      ansible: { kind: 'packages' },
    }),
  );

export const meta: RunMeta = {
  operator: 'Ada <ada@example.org>, ada@laptop',
  definitionDigest: 'd'.repeat(64),
  commit: 'c'.repeat(40),
  dirty: false,
  plays: 1,
  tasks: 2,
  commandLine: ['task', 'run'],
};

export interface RunIt {
  readonly options?: RunOptions;
  readonly secrets?: Readonly<Record<string, string>>;
}

/** Pushes and starts `site.yml` of a bundle. */
export async function begin(
  server: Server,
  bundle: Bundle,
  { options = {}, secrets = {} }: RunIt = {},
): Promise<Result<StartedRun, Failure>> {
  value(await push(server, bundle));
  const values = new Map(Object.entries(secrets).map(([name, text]) => [name, new Secret(text)]));
  return start(server, { bundle, playbook: 'site.yml', options, secrets: values, meta });
}

export interface Seen {
  readonly events: Event[];
  readonly followed: Result<FollowEnding, Failure>;
}

export async function watch(server: Server, run: string, more: Partial<FollowRequest> = {}): Promise<Seen> {
  const events: Event[] = [];
  const report = (event: Event): void => {
    events.push(event);
  };
  return {
    events,
    followed: await follow(server, { cluster: 'try', run, from: 0, total: 0, report, ...more }),
  };
}

/** All the way: push, start, follow to the end. */
export async function runIt(
  server: Server,
  bundle: Bundle,
  it: RunIt = {},
): Promise<Seen & { readonly run: string }> {
  const { run } = value(await begin(server, bundle, it));
  return { run, ...(await watch(server, run)) };
}

/** Every file below a folder with its content, for tests that look for what must not be there. */
export function contents(folder: string): Map<string, string> {
  mkdirSync(folder, { recursive: true });
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    found.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, readFileSync(path).toString('latin1')];
    }),
  );
}
