import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nothingApplied } from '../../../../generators/plan/applied.ts';
import { leftBehind } from '../../../../tasks/steps/state/former-server.ts';
import { cluster } from '../../../support/definitions/clusters.ts';

const former = { kind: 'local', directory: '/srv/playsmith' };

test('the advice for a cluster that is gone removes one file, whatever the folder is called', async () => {
  const root = await mkdtemp(join(tmpdir(), 'playsmith-former-'));
  const folder = join(root, 'my clusters', '.playsmith');
  const copy = join(folder, 'applied/try.json');
  await mkdir(join(folder, 'applied'), { recursive: true });
  const applied = { whole: { cluster: { ansibleServer: former } }, members: { 'cp-1': {} }, phases: {} };
  await writeFile(copy, JSON.stringify(applied));
  expect(
    await leftBehind(cluster({ name: 'try' }), { applied: nothingApplied, digest: '' }, folder),
  ).toMatchObject({
    next: expect.stringMatching(/ rm '[^']+\/my clusters\/\.playsmith\/applied\/try\.json'$/) as string,
  });
  await rm(root, { recursive: true });
});
