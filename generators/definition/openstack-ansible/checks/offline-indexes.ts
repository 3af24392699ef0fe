import { problemAt, type Finding } from '../../../source/finding.ts';
import type { OsaFacts } from '../derived.ts';
import { partBelow } from '../part-below.ts';

const keys = ['cargo', 'python', 'packages'] as const;

/** Indexes that `osa-mirror` makes lie each in a folder of its own below the others' files. */
export function indexes({ draft }: OsaFacts): readonly Finding[] {
  const { files } = draft.offline ?? {};
  if (files === undefined) return [];
  const made = keys.flatMap((key) => {
    const part = partBelow(`${draft.offline?.[key]?.replace(/\/$/, '') ?? ''}/`, files);
    return part === undefined ? [] : [{ key, part }];
  });
  const right = (key: string): string => `${files.replace(/\/$/, '')}/${key === 'cargo' ? 'crates' : key}`;
  return made.flatMap(({ key, part }, index) => {
    if (!/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(part))
      return [problemAt(['offline', key], 'it needs a folder of its own below `files`', right(key))];
    const other = made.find((each, at) => at < index && overlap(each.part, part));
    return other === undefined
      ? []
      : [
          problemAt(
            ['offline', key],
            `its folder and that of \`${other.key}\` are the same, or one is in the other`,
            right(key),
          ),
        ];
  });
}

const overlap = (one: string, other: string): boolean =>
  `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
