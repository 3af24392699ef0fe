import { load } from 'js-yaml';
import type { RenderedFile } from '../../../generators/rendered-file.ts';
import type { Entry } from './invariants.ts';

interface Selected {
  readonly task: Entry;
  readonly tags: readonly string[];
  /** Of itself, of the blocks around it, and of the variables that these read. */
  readonly text: string;
}

/**
 * What the tasks of one tag read although only tasks without it register it: `--tags` would end with an undefined
 * variable. What has a default is no breach.
 */
export function unregistered(file: RenderedFile): readonly string[] {
  const plays = load(file.text) as readonly Entry[];
  const tasks = plays.flatMap((play) =>
    ['pre_tasks', 'tasks', 'post_tasks'].flatMap((section) => selectedIn(play[section], play, [], '')),
  );
  const registered = registers(tasks);
  const tags = new Set(tasks.flatMap((task) => task.tags).filter((tag) => tag !== 'always'));
  return [...tags].flatMap((tag) => {
    const chosen = tasks.filter((task) => [tag, 'always'].some((each) => task.tags.includes(each)));
    const known = registers(chosen);
    return chosen.flatMap(({ task, text }) =>
      [...read(text)]
        .filter((name) => registered.has(name) && !known.has(name))
        .map((name) => `${file.path} --tags ${tag}: "${String(task['name'])}" reads ${name}`),
    );
  });
}

const registers = (tasks: readonly Selected[]): ReadonlySet<string> =>
  new Set(tasks.flatMap(({ task }) => (typeof task['register'] === 'string' ? [task['register']] : [])));

const read = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/\b(__\w+)(?!\w|['"])((?:\.\w+)*)( \| default\(| is defined)?/g)].flatMap(
      ([, name = '', , isGuarded]) => (isGuarded === undefined ? [name] : []),
    ),
  );

function selectedIn(
  list: unknown,
  play: Entry,
  inherited: readonly string[],
  around: string,
): readonly Selected[] {
  return ((list ?? []) as readonly Entry[]).flatMap((task) => {
    const tags = [...inherited, ...((task['tags'] ?? []) as readonly string[])];
    const condition = `${around} ${JSON.stringify(task['when'] ?? '')}`;
    if ('block' in task)
      return ['block', 'rescue', 'always'].flatMap((part) => selectedIn(task[part], play, tags, condition));
    const { name, register, ...body } = task;
    return [
      { task: { name, register }, tags, text: filledIn(`${JSON.stringify(body)} ${condition}`, play, task) },
    ];
  });
}

/** With the texts of the variables that it names, and of those that these name. */
function filledIn(text: string, play: Entry, task: Entry): string {
  const open = new Map(Object.entries({ ...(play['vars'] as Entry), ...(task['vars'] as Entry) }));
  let whole = text;
  for (let next = named(whole, open); next !== undefined; next = named(whole, open)) {
    whole += ` ${JSON.stringify(open.get(next))}`;
    open.delete(next);
  }
  return whole;
}

const named = (text: string, open: ReadonlyMap<string, unknown>): string | undefined =>
  [...open.keys()].find((name) => new RegExp(`\\b${name}\\b`).test(text));
