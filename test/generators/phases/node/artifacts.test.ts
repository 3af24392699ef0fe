import { describe, expect, test } from 'vitest';
import { artifacts } from '../../../../generators/phases/node/artifacts.ts';
import { cluster, kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { breachesOf } from '../../../support/definitions/phase-files.ts';

const given = kubeadmCluster({ offline: { artifacts: '/srv/artifacts', sha256: 'ab'.repeat(32) } });

describe('the phase artifacts', () => {
  test('is there only offline, and keeps the house rules', () => {
    expect(artifacts.applies(cluster())).toBe(false);
    expect(artifacts.applies(given)).toBe(true);
    expect(breachesOf([artifacts], given)).toEqual([]);
  });
});
