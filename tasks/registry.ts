import { attach } from './attach.ts';
import { bootstrap } from './bootstrap.ts';
import { cancel } from './cancel.ts';
import { check } from './check.ts';
import { diff } from './diff.ts';
import { doctor } from './doctor.ts';
import { init } from './init.ts';
import { lab } from './lab.ts';
import { logs } from './logs.ts';
import { push } from './push.ts';
import { render } from './render.ts';
import { run } from './run.ts';
import { runs } from './runs.ts';
import { schema } from './schema.ts';
import type { Task } from './task.ts';
import { trust } from './trust.ts';
import { unlock } from './unlock.ts';

/** Every task, in the order that help shows them: as one comes to need them. */
export const registry: readonly Task[] = [
  init,
  check,
  schema,
  render,
  diff,
  trust,
  bootstrap,
  doctor,
  push,
  run,
  runs,
  logs,
  attach,
  cancel,
  unlock,
  lab,
];
