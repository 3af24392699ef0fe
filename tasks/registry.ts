import { attach } from './attach.ts';
import { cancel } from './cancel.ts';
import { check } from './check.ts';
import { diff } from './diff.ts';
import { logs } from './logs.ts';
import { push } from './push.ts';
import { render } from './render.ts';
import { run } from './run.ts';
import { runs } from './runs.ts';
import { schema } from './schema.ts';
import type { Task } from './task.ts';
import { unlock } from './unlock.ts';

/** Every task, in the order that help shows them. */
export const registry: readonly Task[] = [
  schema,
  check,
  render,
  diff,
  push,
  run,
  runs,
  logs,
  attach,
  cancel,
  unlock,
];
