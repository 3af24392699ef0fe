import { join, relative } from 'node:path';
import { packageRoot } from '../../library/package.ts';
import { isStandalone } from './command-name.ts';

export { collectionFolder, packageRoot, version } from '../../library/package.ts';

/** Programs that are sent to the Ansible server and run there. */
export const agentFolder = join(packageRoot, 'agent');

/** Programs that run on lab hosts. */
export const labFolder = join(packageRoot, 'lab', 'files');

/**
 * Where editors find the schema of a definition in `folder`. Where this is no package of a project, that lies elsewhere for everybody: then
 * it is a file beside the definition, which `task schema` writes.
 */
export const schemaFrom = (folder: string): string =>
  isStandalone ? 'cluster.schema.json' : relative(folder, join(packageRoot, 'schema', 'cluster.schema.json'));
