import { failed, ok } from '../../../generators/result.ts';
import { catalogue, codeOf, entryText, exitCodeTable, type FailureKind } from '../../runtime/catalogue.ts';
import { asTyped } from '../../runtime/command-name.ts';
import { task } from '../../task.ts';

const kinds = Object.keys(catalogue) as FailureKind[];

export const explain = task({
  name: 'explain',
  positionals: '[error]',
  example: 'explain locked',
  options: {
    error: { type: 'string', default: '', describe: 'A kind of failure, or an exit code' },
  },
  run: ({ error }, { json, print }) => {
    const kind = kinds.find((each) => each === error || String(codeOf(each)) === error);
    if (kind === undefined && error !== '')
      return Promise.resolve(
        failed({
          kind: 'usage',
          message: `there is no failure ${error}; there are ${kinds.map((each) => `${each} (${codeOf(each)})`).join(', ')}`,
        }),
      );
    const shown = kind === undefined ? kinds : [kind];
    if (json)
      for (const each of shown)
        print(JSON.stringify({ kind: each, exitCode: codeOf(each), ...catalogue[each] }));
    else if (kind !== undefined) print(asTyped(entryText(kind)));
    else print(asTyped(exitCodeTable()));
    return Promise.resolve(ok(undefined));
  },
});
