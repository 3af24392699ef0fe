import { readFile, readdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import SSHConfig, { glob } from 'ssh-config';

/** Where the user's own SSH settings are. */
export interface SshEnvironment {
  readonly home: string;
  readonly user: string;
  /** Socket of the SSH agent, or empty. */
  readonly agent: string;
  /** Where relative paths of a definition start: its folder. The current one when left out. */
  readonly folder?: string;
}

/** What OpenSSH would take for a host; empty texts and lists: nothing is said. */
export interface HostSettings {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly keys: readonly string[];
  readonly identitiesOnly: boolean;
  readonly agent: string;
  readonly proxyJump: string;
  readonly proxyCommand: string;
  readonly knownHosts: readonly string[];
  readonly hostKeyAlias: string;
}

export type UserConfig = (alias: string) => HostSettings;

/** Reads `~/.ssh/config`, then the system's: the first that says something is right. */
export async function readUserConfig(around: SshEnvironment): Promise<UserConfig> {
  const files = [join(around.home, '.ssh', 'config'), '/etc/ssh/ssh_config'];
  const texts = await Promise.all(files.map((file) => expandIncludes(file, around.home, 0)));
  const config = SSHConfig.parse(texts.join('\n'));
  return (alias) =>
    settingsOf(alias, config.compute({ Host: alias, User: around.user }, { ignoreCase: true }), around);
}

/** `Include` is read in place, as deep as OpenSSH does. */
async function expandIncludes(file: string, home: string, depth: number): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split(/\r?\n/).map(async (line) => {
    const include = /^\s*include[\s=]+(.+)$/i.exec(line)?.[1];
    if (include === undefined || depth >= 16) return line;
    const paths = await Promise.all(
      include
        .trim()
        .split(/\s+/)
        .map((path) => matching(path, file, home)),
    );
    const parts = await Promise.all(paths.flat().map((path) => expandIncludes(path, home, depth + 1)));
    return parts.join('\n');
  });
  return (await Promise.all(lines)).join('\n');
}

async function matching(path: string, file: string, home: string): Promise<string[]> {
  const unquoted = path.replaceAll('"', '').replace(/^~(?=\/)/, home);
  const full = isAbsolute(unquoted) ? unquoted : join(dirname(file), unquoted);
  if (!/[*?]/.test(full)) return [full];
  const names = await readdir(dirname(full)).catch(() => []);
  return names
    .filter((name) => glob(basename(full), name))
    .sort()
    .map((name) => join(dirname(full), name));
}

function settingsOf(
  alias: string,
  found: Record<string, string | string[]>,
  around: SshEnvironment,
): HostSettings {
  const all = (key: string): readonly string[] => [found[key] ?? []].flat();
  const one = (key: string): string => all(key)[0] ?? '';
  const host = one('hostname').replaceAll('%h', alias) || alias;
  const user = one('user') || around.user;
  const tokens: Record<string, string> = {
    '%': '%',
    h: host,
    n: alias,
    r: user,
    u: around.user,
    d: around.home,
    p: one('port') || '22',
  };
  const path = (text: string): string =>
    text.replace(/^~(?=\/)/, around.home).replaceAll(/%(.)/g, (whole, key: string) => tokens[key] ?? whole);
  return {
    host,
    user,
    port: Number(one('port') || 22),
    keys: all('identityfile').map(path),
    identitiesOnly: one('identitiesonly').toLowerCase() === 'yes',
    agent: agentOf(one('identityagent'), around.agent, path),
    proxyJump: none(one('proxyjump')),
    proxyCommand: none(one('proxycommand')),
    knownHosts: all('userknownhostsfile')
      .flatMap((paths) => paths.split(/\s+/))
      .map(path),
    hostKeyAlias: one('hostkeyalias'),
  };
}

function agentOf(said: string, usual: string, path: (text: string) => string): string {
  if (said === '' || said === 'SSH_AUTH_SOCK') return usual;
  return said === 'none' ? '' : path(said);
}

const none = (text: string): string => (text.toLowerCase() === 'none' ? '' : text);
