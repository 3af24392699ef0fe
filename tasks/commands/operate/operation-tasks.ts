import { ownTasks } from '../../../generators/operations/table.ts';
import { operationTask } from './operation-task.ts';
import type { Task } from '../../task.ts';

/** The tasks that run one operation each; `run` knows all of them as well. */
export const operationTasks: Readonly<Record<string, Task>> = Object.fromEntries(
  ownTasks.map((operation) => [operation.name, operationTask(operation)]),
);
