import type { Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { Server } from '../../runtime/server.ts';
import type { World } from '../../runtime/world.ts';
import { load, type DefinitionFile } from '../definition/load.ts';
import { reach } from './reach.ts';

export interface Session extends DefinitionFile {
  readonly server: Server;
}

/** Loads a definition, opens the way to its Ansible server for `work`, and closes it whatever happens. */
export async function withServer<Value>(
  file: string,
  world: World,
  work: (session: Session) => Promise<Result<Value, Failure>>,
): Promise<Result<Value, Failure>> {
  const loaded = await load(file, world);
  if (!loaded.ok) return loaded;
  const server = await reach(loaded.value);
  if (!server.ok) return server;
  try {
    return await work({ ...loaded.value, server: server.value });
  } finally {
    await server.value.close();
  }
}
