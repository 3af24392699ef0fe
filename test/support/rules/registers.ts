import type { RenderedFile } from '../../../generators/rendered-file.ts';
import { tasksOf, type Found } from './playbook-tasks.ts';

/**
 * What the tasks of one tag read although only tasks without it register it: `--tags` would end with an undefined
 * variable. What has a default is no breach.
 */
export function unregistered(file: RenderedFile): readonly string[] {
  const tasks = tasksOf(file).map((found) => ({ ...found, reads: read(found) }));
  const registered = registers(tasks);
  const tags = new Set(tasks.flatMap((each) => each.tags).filter((tag) => tag !== 'always'));
  return [...tags].flatMap((tag) => {
    const chosen = tasks.filter((each) => [tag, 'always'].some((chosenBy) => each.tags.includes(chosenBy)));
    const known = registers(chosen);
    return chosen.flatMap(({ task, reads }) =>
      reads
        .filter((name) => registered.has(name) && !known.has(name))
        .map((name) => `${file.path} --tags ${tag}: "${String(task['name'])}" reads ${name}`),
    );
  });
}

const registers = (tasks: readonly Found[]): ReadonlySet<unknown> =>
  new Set(tasks.map(({ task }) => task['register']));

/** Registers that a task and the blocks around it read without a default, through variables too. */
function read({ task, play, conditions }: Found): readonly string[] {
  const { name: _, register: __, ...body } = task;
  const open = new Map(Object.entries({ ...(play['vars'] as object), ...(task['vars'] as object) }));
  let text = JSON.stringify([body, conditions]);
  for (let next = named(text, open); next !== undefined; next = named(text, open)) {
    text += JSON.stringify(open.get(next));
    open.delete(next);
  }
  const names = [...text.matchAll(/\b(__\w+)(?!\w|['"])(?:\.\w+)*( \| default\(| is defined)?/g)];
  return [...new Set(names.flatMap(([, name = '', guard]) => (guard === undefined ? [name] : [])))];
}

const named = (text: string, open: ReadonlyMap<string, unknown>): string | undefined =>
  [...open.keys()].find((name) => new RegExp(`\\b${name}\\b`).test(text));
