import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { online } from '../../../generators/artifacts/online.ts';
import { packagesOf } from '../../../generators/artifacts/packages.ts';
import { filesBeside } from '../../support/definitions/files-beside.ts';

const examples = join(import.meta.dirname, '../../../examples');

test('a definition that names files is read with them, and its hosts outside the cluster have their packages', () => {
  const text = readFileSync(join(examples, 'external-load-balancer.yml'), 'utf8');
  const read = online(text, 'cluster.yml', filesBeside(text, examples));
  expect(read.ok && read.value.externalLoadBalancer.services.map(({ port }) => port)).toEqual([
    80, 443, 5060, 9090,
  ]);
  expect(read.ok && packagesOf(read.value)).toEqual(expect.arrayContaining(['haproxy', 'keepalived']));
});
