import { describe, expect, test } from 'vitest';
import { definition, fleetOf, said } from './support.ts';

test('a sound definition has no fault, and the control node comes first', () => {
  expect(said(definition())).toEqual([]);
  const { control, nodes, clusters, certificates } = fleetOf(definition());
  expect(control).toBe('control');
  expect(certificates).toEqual({ kind: 'receptor', authority: 1 });
  expect(nodes.map(({ name, port, peers, dialledBy }) => ({ name, port, peers, dialledBy }))).toEqual([
    { name: 'control', port: 27_199, peers: [], dialledBy: ['hop1'] },
    {
      name: 'hop1',
      port: 8443,
      peers: [{ name: 'control', target: '198.51.100.5:27199' }],
      dialledBy: ['exec1', 'exec2'],
    },
    { name: 'exec1', port: 0, peers: [{ name: 'hop1', target: '[2001:db8::10]:8443' }], dialledBy: [] },
    { name: 'exec2', port: 0, peers: [{ name: 'hop1', target: '[2001:db8::10]:8443' }], dialledBy: [] },
  ]);
  expect(clusters.map(({ name, node }) => `${name} on ${node}`)).toEqual([
    'edge-b on exec2',
    'edge-a on exec1',
  ]);
  expect(clusters[0]?.labels.map(({ key }) => key)).toEqual(['size', 'tier']);
});

describe('one fault, with its line and what would be right', () => {
  test.each<[title: string, changes: Readonly<Record<string, string>>, words: readonly string[]]>([
    ['no control node', { 'role: control,': 'role: hop,' }, ['6: no node is the control node']],
    [
      'two control nodes',
      { 'hop1, role: hop': 'hop1, role: control' },
      ['10: a fleet has one control node', 'hop'],
    ],
    [
      'another user',
      { 'ssh: { user: ops }': 'ssh: { user: root }' },
      ["9: Receptor on the control node would be root's", 'ops'],
    ],
    ['a name twice', { 'name: exec2': 'name: exec1' }, ['8: exec1 stands at two nodes']],
    [
      'one address in two spellings',
      { '192.0.2.12': '"2001:DB8:0::10"' },
      ['10: 2001:db8::10 stands at two nodes'],
    ],
    [
      'one place under two addresses',
      { 'peers: [hop1], ssh: { hostKey': 'peers: [hop1], ssh: { host: 192.0.2.12, hostKey' },
      ['7: exec2 and exec1 are reached at the same place', 'its own host or port'],
    ],
    [
      'one definition in two spellings',
      { 'definition: a.yml': 'definition: ./sites/../b.yml' },
      ['13: ./sites/../b.yml stands at two clusters'],
    ],
    ['an address twice', { '192.0.2.12': '192.0.2.11' }, ['8: 192.0.2.11 stands at two nodes']],
    [
      'no site',
      { 'address: 192.0.2.11, site: paris': 'address: 192.0.2.11' },
      ['7: an execution node serves a site'],
    ],
    ['a site of a hop', { 'role: hop,': 'role: hop, site: paris,' }, ['10: a hop node serves no site']],
    ['nobody logs in', { 'ssh: { user: ops }\n': '' }, ['no user is given who logs in there']],
    ['an unknown peer', { 'peers: [control]': 'peers: [contrl]' }, ['10: contrl is no node', 'control']],
    [
      'itself as peer',
      { 'peers: [control]': 'peers: [control, hop1]' },
      ['10: a node does not connect to itself'],
    ],
    ['a peer twice', { 'peers: [control]': 'peers: [control, control]' }, ['10: control is listed twice']],
    ['no way', { ', peers: [control]': '' }, ['10: hop1 has no connection to control', 'peers: [control]']],
    [
      'a way over an execution node',
      { 'site: paris, peers: [hop1]': 'site: paris, peers: [exec2]' },
      ['7: exec1 has no connection to control'],
    ],
    [
      'an unknown site',
      { 'b.yml, site: paris': 'b.yml, site: pari' },
      ['12: no execution node serves pari', 'paris'],
    ],
    [
      'an unknown node',
      { 'node: exec2': 'node: hop1' },
      ['12: hop1 is no execution node of paris', 'exec1 or exec2'],
    ],
    ['a cluster twice', { 'name: edge-a': 'name: edge-b' }, ['13: edge-b stands at two clusters']],
    [
      'a definition twice',
      { 'definition: a.yml': 'definition: b.yml' },
      ['13: b.yml stands at two clusters'],
    ],
    ['an unknown role', { 'role: hop': 'role: hopp' }, ['10: `role` cannot be "hopp"', 'hop']],
    ['an unknown key', { 'clusters:': 'cluster:' }, ['11: unknown key "cluster"', 'clusters']],
  ])('%s', (_, changes, words) => {
    const found = said(definition(changes));
    for (const word of words) expect(found.join('\n')).toContain(word);
  });
});

test('a node whose host key nobody pinned is warned of', () => {
  const found = said(definition().replace(/, ssh: \{ hostKey: [^}]* \} \}\nclusters/, ' }\nclusters'));
  expect(found).toHaveLength(1);
  expect(found[0]).toContain('warning 10: no host key is pinned');
});

test('a sealing key is that of an execution node, and authorities are counted where they are the fleet’s own', () => {
  const key = `SHA256:${'k'.repeat(43)}`;
  const pinned = definition({
    'site: paris, peers: [hop1], ssh': `site: paris, sealingKey: "${key}", peers: [hop1], ssh`,
  });
  expect(fleetOf(pinned).nodes.map(({ sealingKey }) => sealingKey)).toEqual(['', '', key, '']);
  expect(
    said(
      definition({
        'port: 8443,': `port: 8443, sealingKey: "${key}",`,
        'clusters:': 'certificates: { directory: /x, authority: 2 }\nclusters:',
      }),
    ),
  ).toEqual([
    expect.stringContaining('a hop node gets no secrets'),
    expect.stringContaining("the authority is somebody else's"),
  ]);
});
