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
    limits: { vip: 1.5, 'control-plane': 9, worker: 0, storage: 0 },
    atMost: 120,
    window: { from: '22:00', to: '04:00', days: [0, 6] },
  });
  expect(loaded(changed()).cluster.drills).toBeUndefined();
});

test.each([
  ['{ limits: { vip: fast } }', /`vip`.*1s or 200ms|"fast" is not a length of time → 1s or 200ms/],
  [
    '{ limits: { storage: 20s } }',
    /"20s" is no longer than the way to the storage is cut for → more than 20s/,
  ],
  ['{ limits: { storage: soon } }', /"soon" is not a length of time/],
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
    expect.stringMatching(
      /^warning .*`drills` has no effect: only a cluster of kubeadm, or one with a storage server, has drills/,
    ),
  );
});

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDzwNTPVr6c9OMaqOA85XIpKVDivvMvtpBo+JU2H5REO';
const storage = `hosts: [{ name: storage01, address: 192.0.2.90, ssh: { hostKey: ${key} } }]
storage: { host: storage01, volumes: [{ device: /dev/vdb, mountTo: /volume }], exports: [{ path: /volume/a, to: 192.0.2.0/24 }] }
`;

test('a storage server has a drill whoever installs Kubernetes', () => {
  const text = defined('{ limits: { storage: 45s, worker: 5s } }', storage);
  expect(loaded(text).cluster.drills?.limits.storage).toBe(45);
  expect(said(text)).toContainEqual(
    expect.stringMatching(
      /`worker` has no effect: only a cluster of kubeadm has that drill → remove the key$/,
    ),
  );
  expect(said(defined('{ limits: { storage: 45s } }'))).toContainEqual(
    expect.stringMatching(/^warning .*`storage` has no effect: there is no storage server/),
  );
});
