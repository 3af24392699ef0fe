import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fitsPattern, isPattern } from '../../../generators/definition/cnf/sources.ts';
import type { Files } from '../../../generators/definition/files.ts';
import { filesNamed } from '../../../generators/definition/reader.ts';
import { ok } from '../../../generators/result.ts';

/** The files that a definition in `folder` names; throws when one is not there. */
export const filesBeside = (text: string, folder: string): Files =>
  new Map(
    filesNamed(text).flatMap((path) => {
      const read = (each: string) => [each, ok(readFileSync(join(folder, each), 'utf8'))] as const;
      if (!isPattern(path)) return [read(path)];
      const names = readdirSync(join(folder, dirname(path))).filter((name) =>
        fitsPattern(name, path.split('/').at(-1) ?? ''),
      );
      const paths = names.toSorted().map((name) => `${dirname(path)}/${name}`);
      return [[path, ok(paths.join('\n'))] as const, ...paths.map(read)];
    }),
  );
