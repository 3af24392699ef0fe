import { load } from 'js-yaml';
import type { RenderedFile } from '../../../generators/rendered-file.ts';

export type Entry = Readonly<Record<string, unknown>>;

export interface Where {
  readonly play: Entry;
  readonly task: Entry;
}

interface Flattened {
  readonly task: Entry;
  readonly tags: readonly string[];
  /** Of the blocks around it. */
  readonly conditions: readonly unknown[];
}

export interface Found extends Where, Flattened {
  readonly path: string;
}

export const sections = ['pre_tasks', 'tasks', 'post_tasks', 'handlers'];

/** Every task of a playbook and every handler, blocks opened. */
export const tasksOf = ({ path, text }: RenderedFile): Found[] =>
  (load(text) as readonly Entry[]).flatMap((play) =>
    sections.flatMap((section) => flattened(play[section]).map((found) => ({ path, play, ...found }))),
  );

/** The tasks of a list, with the tags and the conditions that they inherit. */
export function flattened(
  list: unknown,
  inherited: Omit<Flattened, 'task'> = { tags: [], conditions: [] },
): readonly Flattened[] {
  return ((list ?? []) as readonly Entry[]).flatMap((task) => {
    const tags = [...inherited.tags, ...((task['tags'] ?? []) as readonly string[])];
    const around = { tags, conditions: [...inherited.conditions, task['when'] ?? ''] };
    return 'block' in task
      ? ['block', 'rescue', 'always'].flatMap((part) => flattened(task[part], around))
      : [{ ...inherited, task, tags }];
  });
}
