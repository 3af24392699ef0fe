import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releases } from '../../../generators/catalog/kubespray/releases.ts';
import type { Defaults } from './kubespray-defaults.ts';

/** Beside the tests: what the tags have for each variable that is written, so that every machine can hold them against it. */
export const tablePath = join(import.meta.dirname, '../../fixtures/kubespray/defaults.json');

/** Since a tag, what stands there until the next one; nothing: the tag does not know it. */
type Change = readonly [since: string, ...defaults: unknown[]];
type Table = Readonly<Record<string, readonly Change[]>>;

export const readTags = releases.filter(({ isRead }) => isRead);

/** The defaults of a tag, from the table. */
export function tabledDefaults(tag: string): Defaults {
  const table = JSON.parse(readFileSync(tablePath, 'utf8')) as Table;
  const tags = readTags.map((each) => each.tag);
  const until = tags.indexOf(tag);
  return new Map(
    Object.entries(table).flatMap(([name, changes]): [string, readonly unknown[]][] => {
      const [, ...defaults] = changes.findLast(([since]) => tags.indexOf(since) <= until) ?? [''];
      return defaults.length === 0 ? [] : [[name, defaults]];
    }),
  );
}

/** The table of what was read, tag by tag; a line a change. */
export function tableOf(
  read: readonly (readonly [tag: string, defaults: Defaults])[],
  names: readonly string[],
): string {
  const lines = names.toSorted().map((name) => {
    const values = read.map(([tag, defaults]): Change => [tag, ...(defaults.get(name) ?? [])]);
    const changes = values.filter(
      ([, ...value], at) => JSON.stringify(value) !== JSON.stringify(values[at - 1]?.slice(1) ?? []),
    );
    return `${JSON.stringify(name)}: [\n${changes.map((each) => `  ${JSON.stringify(each)}`).join(',\n')}\n]`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}
