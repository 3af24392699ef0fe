import { expect, test } from 'vitest';
import { defaultsOf } from '../../support/definitions/kubespray-defaults.ts';
import { readTags, tableOf, tablePath } from '../../support/definitions/kubespray-table.ts';
import { variablesAt } from '../../support/definitions/kubespray-variables.ts';

/** kubespray's git repository; with `--update` the table is written from it. */
const repository = process.env['PLAYSMITH_KUBESPRAY'] ?? '';

// kubespray's repository comes from another network: the project carries none.
test.skipIf(repository === '')(
  'the table of defaults is what the tags of PLAYSMITH_KUBESPRAY have for each variable that is written',
  async () => {
    const names = [...new Set(readTags.flatMap((release) => [...variablesAt(release).keys()]))];
    const read = readTags.map(({ tag }) => [tag, defaultsOf(repository, tag, names)] as const);
    await expect(tableOf(read, names)).toMatchFileSnapshot(tablePath);
  },
);
