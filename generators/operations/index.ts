import { healCluster } from './heal-cluster.ts';
import { healNode } from './heal-node.ts';
import { healStorage } from './heal-storage.ts';
import { instantiate } from './instantiate.ts';
import type { Operation } from './operation.ts';
import { replaceNode } from './replace-node.ts';
import { restore } from './restore.ts';
import { rotateCertificates } from './rotate-certificates.ts';
import { scaleIn } from './scale-in.ts';
import { scaleOut } from './scale-out.ts';
import { site } from './site.ts';
import { terminate } from './terminate.ts';
import { upgrade } from './upgrade.ts';

/** Every operation. The first that applies to a cluster is the one that is run when none is named. */
export const operations: readonly Operation[] = [
  site,
  instantiate,
  scaleOut,
  scaleIn,
  healNode,
  replaceNode,
  healStorage,
  healCluster,
  rotateCertificates,
  restore,
  upgrade,
  terminate,
];
