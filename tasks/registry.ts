import { check } from './check.ts';
import { render } from './render.ts';
import { schema } from './schema.ts';
import type { Task } from './task.ts';

/** Every task, in the order that help shows them. */
export const registry: readonly Task[] = [schema, check, render];
