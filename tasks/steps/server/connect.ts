import type { AnsibleServer } from '../../../generators/cluster/cluster.ts';
import { ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import { Lending } from '../../runtime/agent/lending.ts';
import { localTransport } from '../../runtime/local-transport.ts';
import { Server } from '../../runtime/server.ts';
import type { Transport } from '../../runtime/transport.ts';
import { connectSsh, type ConnectOptions } from '../../runtime/ssh/connect.ts';
import type { SshEnvironment } from '../../runtime/ssh/client-config.ts';
import { findRoute, surroundings } from '../../runtime/ssh/route.ts';

export interface ReachOptions extends ConnectOptions {
  /** Whose SSH settings count; the user's own when left out. */
  readonly around?: SshEnvironment;
  /** A node of the mesh whose control node the server is: it is asked in the server's place, and has a directory of its own. */
  readonly over?: {
    readonly node: string;
    readonly directory: string;
    readonly sealingKey: string;
    /** Ways to the control node that others have used. */
    readonly lending: Lending;
  };
}

/** Opens the way to the Ansible server; close what comes back. */
export async function connect(
  server: AnsibleServer,
  { around = surroundings(), over, ...options }: ReachOptions = {},
): Promise<Result<Server, Failure>> {
  const open = over === undefined ? await openerOf(server, around, options) : ok(() => over.lending.take());
  if (!open.ok) return open;
  const transport = await open.value();
  if (!transport.ok) return transport;
  return ok(new Server(transport.value, over?.directory ?? server.directory, open.value, over));
}

/** Ways to a server for many who come one after the other; who that is, and its secrets, are found once. */
export function lendingOf(server: AnsibleServer, around: SshEnvironment): Lending {
  let known: ReturnType<typeof openerOf> | undefined;
  return new Lending(async () => {
    known ??= openerOf(server, around, {});
    const open = await known;
    return open.ok ? open.value() : open;
  });
}

type Opener = () => Promise<Result<Transport, Failure>>;

/** Finds the way and its secrets once, so that nobody is asked again when it is opened again. */
async function openerOf(
  server: AnsibleServer,
  around: SshEnvironment,
  options: ConnectOptions,
): Promise<Result<Opener, Failure>> {
  if (server.kind === 'local') return ok(() => Promise.resolve(ok(localTransport())));
  const route = await findRoute(server, around);
  return route.ok ? ok(() => connectSsh(route.value, options)) : route;
}
