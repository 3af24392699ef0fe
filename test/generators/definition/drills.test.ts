import { expect, test } from 'vitest';
import { changed, loaded, said } from './support.ts';

const kubeadm = 'installer: { kubeadm: { version: 1.35.9 } }\n';
const defined = (drills: string, installer = kubeadm): string =>
  changed(['network:\n', `${installer}drills: ${drills}\nnetwork:\n  plugin: static-routes\n`]);

test('limits are seconds, days are numbers, and what is not said is as usual', () => {
  const { cluster } = loaded(
    defined(
      "{ limits: { vip: 1500ms, controlPlane: 9s }, window: { from: '22:00', to: '04:00', days: [sun, mon] } }",
    ),
  );
  expect(cluster.drills).toEqual({
    limits: { vip: 1.5, 'control-plane': 9, worker: 0 },
    atMost: 120,
    window: { from: '22:00', to: '04:00', days: [0, 6] },
  });
  expect(loaded(changed()).cluster.drills).toBeUndefined();
});

test.each([
  ['{ limits: { vip: fast } }', /`vip`.*1s or 200ms|"fast" is not a length of time → 1s or 200ms/],
  ['{ atMost: 30s }', /"30s" is no bound of a fault → from 60s to 900s/],
  ["{ window: { from: '25:00', to: '04:00' } }", /"25:00" is no time of day → "22:00"/],
  [
    "{ window: { from: '22:00', to: '22:00' } }",
    /the window closes when it opens → another time than `from`/,
  ],
  ["{ window: { from: '22:00', to: '04:00', days: [someday] } }", /someday/],
])('%s is refused', (drills, expected) => {
  expect(said(defined(drills))).toEqual([expect.stringMatching(expected)]);
});

test('what has no effect is told', () => {
  expect(said(defined('{ limits: { vip: 5s } }', ''))).toContainEqual(
    expect.stringMatching(/^warning .*`drills` has no effect: only a cluster of kubeadm has drills/),
  );
});
