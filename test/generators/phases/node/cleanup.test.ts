import { describe, expect, test } from 'vitest';
import { cleanup } from '../../../../generators/phases/node/cleanup.ts';
import { parametersOf } from '../../../../generators/playbooks.ts';
import { kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { kubesprayExample } from '../../../support/definitions/kubespray.ts';
import { breachesOf, textOf } from '../../../support/definitions/phase-files.ts';

describe('the phase cleanup', () => {
  const clusters = [
    [kubeadmCluster(), 'reset_confirm'],
    [kubesprayExample, 'kubespray_reset_confirm'],
  ] as const;

  test('by itself wants the name of the cluster, whose load balancers it stops', () => {
    for (const [cluster, confirm] of clusters) {
      expect(parametersOf(cluster, 'cleanup')).toMatchObject([
        { variable: 'cleanup_confirm', required: true },
      ]);
      const text = textOf(cleanup, cluster, 'cleanup.yml');
      expect(text).toContain(
        `that: (cleanup_confirm | default(${confirm} | default(''))) == "${cluster.name}"`,
      );
      expect(text.indexOf('Require the name')).toBeLessThan(text.indexOf('Stop the services'));
    }
  });

  test('behind a reset has the name from that', () => {
    for (const [cluster, confirm] of clusters)
      expect(parametersOf(cluster, 'terminate').map(({ variable }) => variable)).toEqual([confirm]);
  });

  test('keeps the house rules', () => {
    for (const [cluster] of clusters) expect(breachesOf([cleanup], cluster)).toEqual([]);
  });
});
