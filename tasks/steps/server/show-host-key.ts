import type { AnsibleServer } from '../../../generators/cluster/cluster.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { SshEnvironment } from '../../runtime/ssh/client-config.ts';
import { connectSsh, readKnownHosts } from '../../runtime/ssh/connect.ts';
import { fingerprint, judge, type HostKey } from '../../runtime/ssh/host-key.ts';
import { findRoute, surroundings } from '../../runtime/ssh/route.ts';
import { knownHostName } from '../../../generators/source/networks.ts';

/** The key that an Ansible server shows. */
export interface ShownKey {
  /** As known_hosts names it, like `[192.0.2.5]:2222`. */
  readonly name: string;
  readonly type: string;
  readonly fingerprint: string;
  readonly isTrusted: boolean;
  /** Base64. */
  readonly key: string;
}

/** Asks the server for its host key and logs in nowhere but at jump hosts, whose keys have to be known. */
export async function showHostKey(
  server: AnsibleServer,
  around: SshEnvironment = surroundings(),
): Promise<Result<ShownKey, Failure>> {
  if (server.kind === 'local')
    return failed({
      kind: 'usage',
      message: 'the Ansible server is this machine: it has no host key to trust',
    });
  const route = await findRoute({ ...server, auth: { kind: 'default' }, hostKey: '' }, around);
  if (!route.ok) return route;
  const last = route.value.at(-1);
  if (last === undefined) throw new Error('a route has at least one hop');
  let shown: HostKey | undefined;
  // A pin that no key has: the handshake ends where the key was shown, before any login.
  const asking = { ...last, trust: { ...last.trust, pin: 'SHA256:' } };
  const refused = await connectSsh([...route.value.slice(0, -1), asking], {
    onHostKey: (key, hop) => {
      if (hop === asking) shown = key;
    },
  });
  if (shown === undefined) return refused.ok ? failed(silent(last.host)) : refused;
  const { trust } = last;
  const name = knownHostName(trust.name, trust.port);
  const known = await readKnownHosts(trust.files);
  return ok({
    name,
    type: shown.type,
    fingerprint: fingerprint(shown),
    isTrusted: judge(shown, { trust, known }) === undefined,
    key: shown.key,
  });
}

const silent = (host: string): Failure => ({
  kind: 'connection',
  message: `${host} showed no host key`,
  next: 'Check ansibleServer.host and port',
});
