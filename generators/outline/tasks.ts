import { tagsOf } from './tags.ts';

export interface TaskOutline {
  readonly name: string;
  readonly tags: readonly string[];
}

/** Tasks in order, blocks opened, with the tags that they inherit. Ansible announces a written `meta` task as well. */
export function flatten(list: unknown, inherited: readonly string[]): readonly TaskOutline[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: Readonly<Record<string, unknown>>) => {
    const tags = [...new Set([...inherited, ...tagsOf(entry['tags'])])];
    if ('block' in entry) return [...flatten(entry['block'], tags), ...flatten(entry['always'], tags)];
    return [{ name: String(entry['name']), tags }];
  });
}
