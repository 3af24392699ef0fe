import { dirname } from 'node:path';
import type { Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { Server } from '../../runtime/server.ts';
import { surroundings } from '../../runtime/ssh/route.ts';
import { connect } from './connect.ts';
import type { DefinitionFile } from '../definition/load.ts';

/** Opens the way to a definition's Ansible server; its relative paths start at the definition's folder. */
export const reach = ({ cluster, file }: DefinitionFile): Promise<Result<Server, Failure>> =>
  connect(cluster.ansibleServer, { around: { ...surroundings(), folder: dirname(file) } });
