import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../runtime/package.ts';
import type { Task } from '../task.ts';
import type { TaskName } from './summaries.ts';

/** What is said of a task, without what it does. */
export type TaskEntry = Omit<Task, 'run'>;

/** From the list that the build made of all tasks, since a task brings with it all that it works with. */
export async function taskEntry(name: TaskName): Promise<TaskEntry> {
  return (await taskEntries())[name];
}

/** Of all tasks. */
export async function taskEntries(): Promise<Readonly<Record<TaskName, TaskEntry>>> {
  const text = await readFile(join(packageRoot, 'dist', 'tasks.json'), 'utf8');
  return JSON.parse(text) as Readonly<Record<TaskName, TaskEntry>>;
}
