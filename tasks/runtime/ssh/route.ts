import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { AnsibleServer } from '../../../generators/cluster/cluster.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../failures.ts';
import { resolveReference } from '../secrets/resolve.ts';
import type { Secret } from '../secrets/secret.ts';
import { readUserConfig, type HostSettings, type SshEnvironment, type UserConfig } from './client-config.ts';
import type { Auth, Hop } from './hop.ts';

export type SshServer = Extract<AnsibleServer, { readonly kind: 'ssh' }>;

export const surroundings = (): SshEnvironment => ({
  home: homedir(),
  user: userInfo().username,
  agent: process.env['SSH_AUTH_SOCK'] ?? '',
});

/** The hops to the server, the server last: what the definition says, else the user's configuration, else OpenSSH's defaults. */
export async function findRoute(
  server: SshServer,
  around: SshEnvironment,
): Promise<Result<readonly Hop[], Failure>> {
  const config = await readUserConfig(around);
  const settings = config(server.host);
  if (settings.proxyCommand !== '' && server.proxyJump === '' && settings.proxyJump === '')
    return failed(proxyCommand(server.host));
  const auth = await serverAuth(server, settings, around);
  if (!auth.ok) return auth;
  const last: Hop = {
    host: settings.host,
    port: server.port || settings.port,
    user: server.user || settings.user,
    auth: auth.value,
    trust: trustOf(
      server.host,
      { ...settings, port: server.port || settings.port },
      { around, pin: server.hostKey },
    ),
  };
  const jumps = jumpsOf(server.proxyJump || settings.proxyJump, { config, around });
  return ok([...jumps, last]);
}

/** As OpenSSH does: the user's settings apply to jump hosts too, their own jump hosts included. */
function jumpsOf(
  text: string,
  { config, around, depth = 0 }: { config: UserConfig; around: SshEnvironment; depth?: number },
): Hop[] {
  if (text === '' || text === 'none' || depth > 8) return [];
  return text.split(',').flatMap((word, index) => {
    const { user, host, port } = parseJump(word.trim());
    const settings = config(host);
    const own = { ...settings, port: port || settings.port };
    const hop: Hop = {
      host: settings.host,
      port: own.port,
      user: user || settings.user,
      auth: defaultAuth(settings, around),
      trust: trustOf(host, own, { around, pin: '' }),
    };
    const before = index === 0 ? jumpsOf(settings.proxyJump, { config, around, depth: depth + 1 }) : [];
    return [...before, hop];
  });
}

function parseJump(word: string): { user: string; host: string; port: number } {
  const plain = word.replace(/^ssh:\/\//, '').replace(/\/$/, '');
  const parts = /^(?:(.*)@)?(?:\[([^\]]+)\]|([^:]+|[^@]*:[^@]*:[^@]*?))(?::(\d+))?$/.exec(plain);
  return { user: parts?.[1] ?? '', host: parts?.[2] ?? parts?.[3] ?? plain, port: Number(parts?.[4] ?? 0) };
}

const trustOf = (
  alias: string,
  settings: HostSettings,
  { around, pin }: { around: SshEnvironment; pin: string },
): Hop['trust'] => ({
  pin,
  files:
    settings.knownHosts.length > 0
      ? [...settings.knownHosts, ...systemKnownHosts]
      : [
          join(around.home, '.ssh', 'known_hosts'),
          join(around.home, '.ssh', 'known_hosts2'),
          ...systemKnownHosts,
        ],
  name: settings.hostKeyAlias || settings.host || alias,
  port: settings.hostKeyAlias === '' ? settings.port : 22,
});

const systemKnownHosts = ['/etc/ssh/ssh_known_hosts', '/etc/ssh/ssh_known_hosts2'];

async function serverAuth(
  { auth }: SshServer,
  settings: HostSettings,
  around: SshEnvironment,
): Promise<Result<Auth, Failure>> {
  const only: Auth = { agent: '', identitiesOnly: false, keys: [], password: undefined };
  switch (auth.kind) {
    case 'default':
      return ok(defaultAuth(settings, around));
    case 'agent':
      return ok({ ...only, agent: settings.agent || around.agent });
    case 'password': {
      const password = await secretFor(auth.password, 'ansibleServer.auth.password', around);
      return password.ok ? ok({ ...only, password: password.value }) : password;
    }
    case 'privateKey': {
      const passphrase = auth.passphrase
        ? await secretFor(auth.passphrase, 'ansibleServer.auth.passphrase', around)
        : undefined;
      if (passphrase?.ok === false) return passphrase;
      const path = auth.path.replace(/^~(?=\/)/, around.home);
      return ok({ ...only, keys: [{ path, passphrase: passphrase?.value, asked: true }] });
    }
  }
}

async function secretFor(
  reference: Parameters<typeof resolveReference>[0],
  path: string,
  { folder }: SshEnvironment,
): Promise<Result<Secret, Failure>> {
  const found = await resolveReference(reference, folder);
  if (found.ok) return found;
  return failed({
    kind: 'secret',
    message: `${path} has no value: ${found.failure}`,
    next: 'Provide it, or choose another reference in the definition',
  });
}

function defaultAuth(settings: HostSettings, { home }: SshEnvironment): Auth {
  const usual = ['id_ed25519', 'id_ecdsa', 'id_rsa'].map((name) => join(home, '.ssh', name));
  const asked = settings.keys.length > 0;
  const keys = (asked ? settings.keys : usual).map((path) => ({ path, passphrase: undefined, asked }));
  return { agent: settings.agent, identitiesOnly: settings.identitiesOnly, keys, password: undefined };
}

const proxyCommand = (host: string): Failure => ({
  kind: 'connection',
  message: `~/.ssh/config reaches ${host} through a ProxyCommand, which Playsmith does not run`,
  next: 'Use ProxyJump there, or ansibleServer.proxyJump in the definition',
});
