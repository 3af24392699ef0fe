import { healCluster } from '../generators/operations/heal-cluster.ts';
import { healNode } from '../generators/operations/heal-node.ts';
import { healStorage } from '../generators/operations/heal-storage.ts';
import { replaceNode } from '../generators/operations/replace-node.ts';
import { restore } from '../generators/operations/restore.ts';
import { rotateCertificates } from '../generators/operations/rotate-certificates.ts';
import { scaleIn } from '../generators/operations/scale-in.ts';
import { scaleOut } from '../generators/operations/scale-out.ts';
import { terminate } from '../generators/operations/terminate.ts';
import { upgrade } from '../generators/operations/upgrade.ts';
import { operationTask } from './operation-task.ts';
import type { Task } from './task.ts';

/** The tasks that run one operation each; `run` knows all of them as well. */
export const operationTasks: Readonly<Record<string, Task>> = Object.fromEntries(
  [
    operationTask(scaleOut, { example: 'scale-out worker03 worker04' }),
    operationTask(scaleIn, { example: 'scale-in worker03 --confirm worker03' }),
    operationTask(healNode, { example: 'heal-node worker03' }),
    operationTask(replaceNode, { example: 'replace-node master02 --confirm master02' }),
    operationTask(healStorage, { example: 'heal-storage --confirm edge-a' }),
    operationTask(healCluster, { example: 'heal-cluster --confirm edge-a' }),
    operationTask(upgrade, { example: 'upgrade' }),
    operationTask(rotateCertificates, { example: 'rotate-certificates' }),
    operationTask(restore, { example: 'restore --set etcd_restore_snapshot=latest --confirm edge-a' }),
    operationTask(terminate, { example: 'terminate --confirm edge-a' }),
  ].map((each) => [each.name, each]),
);
