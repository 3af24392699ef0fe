import { expect, test } from 'vitest';
import { distances } from '../../../../generators/definition/fleet/distances.ts';
import { definition, fleetOf } from '../../fleet/support.ts';

test('of nodes are counted in connections, whoever opened them, and never over an execution node', () => {
  const node = (name: string, role: string, ...peers: readonly string[]) => ({ name, role, peers });
  const found = distances([
    node('exec2', 'execution', 'exec1'),
    node('exec1', 'execution', 'far'),
    node('far', 'hop'),
    node('near', 'hop', 'control', 'far'),
    node('control', 'control'),
  ]);
  expect([...found]).toEqual([
    ['control', 0],
    ['near', 1],
    ['far', 2],
    ['exec1', 3],
  ]);
});

test('tell who is configured first: a hop before those behind it', () => {
  const behind = definition({
    'peers: [hop1], ssh': 'peers: [hop2], ssh',
    '  - { name: control,':
      '  - { name: hop2, role: hop, address: 192.0.2.20, peers: [hop1] }\n  - { name: control,',
  });
  expect(fleetOf(behind).nodes.map(({ name }) => name)).toEqual([
    'control',
    'hop1',
    'hop2',
    'exec1',
    'exec2',
  ]);
});
