import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { profile } from '../../../../generators/definition/profiles/profiles.ts';
import { load } from '../../../../tasks/steps/definition/load.ts';
import type { Event } from '../../../../tasks/runtime/events.ts';
import { quietWorld } from '../../../support/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'playsmith-load-'));

test('warnings are marked once, also those of a file whose path has spaces', async () => {
  writeFileSync(join(folder, 'my cluster.yml'), profile('single', { name: 'odd', ansibleServer: 'local' }));
  const said: string[] = [];
  const report = (event: Event): void => {
    if (event.type === 'warning') said.push(event.text);
  };
  await load('my cluster.yml', { ...quietWorld(folder), report });
  expect(said.join()).toMatch(/^my cluster\.yml:\d+:\d+: (?!warning: )/);
});

test.each([
  ['UTF-16', Buffer.from('﻿kind: Cluster\n', 'utf16le'), 'it is not UTF-8'],
  [
    'Latin-1',
    Buffer.concat([Buffer.from('# Ärger\n'), Buffer.from('# Müller\n', 'latin1')]),
    'it is not UTF-8 in line 2',
  ],
  ['a package', Buffer.from([0x1f, 0x8b, 8, 0, 0xff]), 'it is an archive'],
])('a definition that is %s is refused by what it is', async (_, bytes, says) => {
  writeFileSync(join(folder, 'cluster.yml'), bytes);
  const loaded = await load('cluster.yml', quietWorld(folder));
  expect(!loaded.ok && loaded.failure).toMatchObject({
    kind: 'file',
    message: expect.stringContaining(`cannot read the definition cluster.yml: ${says}`) as string,
  });
});
