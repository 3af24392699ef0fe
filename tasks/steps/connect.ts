import type { AnsibleServer } from '../../generators/cluster.ts';
import { ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';
import { localTransport } from '../runtime/local-transport.ts';
import { Server } from '../runtime/server.ts';
import { connectSsh, type ConnectOptions } from '../runtime/ssh/connect.ts';
import type { Surroundings } from '../runtime/ssh/client-config.ts';
import { findRoute, surroundings } from '../runtime/ssh/route.ts';

export interface ReachOptions extends ConnectOptions {
  /** Whose SSH settings count; the user's own when left out. */
  readonly around?: Surroundings;
}

/** Opens the way to the Ansible server; close what comes back. */
export async function connect(
  server: AnsibleServer,
  { around = surroundings(), ...options }: ReachOptions = {},
): Promise<Result<Server, Failure>> {
  if (server.kind === 'local') return ok(new Server(localTransport(), server.directory));
  const route = await findRoute(server, around);
  if (!route.ok) return route;
  const transport = await connectSsh(route.value, options);
  return transport.ok ? ok(new Server(transport.value, server.directory)) : transport;
}
