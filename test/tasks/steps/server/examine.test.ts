import { expect, test } from 'vitest';
import { cluster } from '../../../support/definitions/clusters.ts';
import { compareVersions, examineServer } from '../../../../tasks/steps/server/examine.ts';
import { connect } from '../../../../tasks/steps/server/connect.ts';

test.each([
  ['2.14.18', '2.14', 0],
  ['2.9.27', '2.14', -1],
  ['2.19.0', '2.14', 1],
  ['3', '2.14', 1],
  ['2.14.0rc1', '2.14.0', 0],
])('%s against %s', (one, other, order) => {
  expect(Math.sign(compareVersions(one, other))).toBe(order);
});

test('a server is examined with a shell alone, and every finding says what was seen', async () => {
  const server = await connect({
    kind: 'local',
    directory: '/nowhere/at/all',
    retention: { runs: 1, days: 1 },
    ansible: { kind: 'packages' },
  });
  if (!server.ok) throw new Error('no local server');
  const findings = await examineServer(server.value, cluster());
  await server.value.close();
  if (!findings.ok) throw new Error('not examined');
  expect(findings.value.map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      'system',
      'Python',
      'ansible-core',
      'ansible-runner',
      'directory',
      'free space',
      'clock',
    ]),
  );
  for (const { seen, state, remedy } of findings.value) {
    expect(seen).not.toBe('');
    expect(remedy === '').toBe(state === 'fit');
  }
});
