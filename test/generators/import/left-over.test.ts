import { expect, test } from 'vitest';
import { restOf } from '../../../generators/import/left-over.ts';
import { readJson } from '../../../generators/source/foreign/json.ts';

test.each([
  ['10.10.0.1', 'address: 10.10.0.10', true],
  ['10.10.0.1', 'address: 110.10.0.1', true],
  ['10.10.0.1', 'address: 10.10.0.1', false],
  ['10.10.0.1', '# reached by 10.10.0.1.', false],
  ['10.10.0.1', 'host: 10.10.0.1:5000', false],
  ['10.10.0.1', 'address: 10.10.0.1/24', false],
  ['10.10.0.0/16', 'nodeSubnet: 10.10.0.0/16', false],
  ['2001:db8::1', 'address: 2001:db8::10', true],
  ['2001:db8::1', 'address: 2001:db8::1:2', true],
  ['2001:db8::1', 'proxyJump: "ops@[2001:db8::1]:22"', false],
  ['worker_node', '# worker_node', false],
])('%s beside the definition "%s" is left over: %s', (value, text, expected) => {
  const read = readJson({ file: 'a.json', text: JSON.stringify({ key: value }) });
  if (!read.ok) throw new Error('unreadable');
  expect(restOf([read.value])(text).leftOver.map(({ path }) => path)).toEqual(expected ? ['key'] : []);
});
