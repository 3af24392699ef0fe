import { join } from 'node:path';
import { packageRoot } from '../../library/package.ts';

export { collectionFolder, packageRoot, version } from '../../library/package.ts';

/** Programs that are sent to the Ansible server and run there. */
export const agentFolder = join(packageRoot, 'agent');

/** Programs that run on lab hosts. */
export const labFolder = join(packageRoot, 'lab', 'files');
