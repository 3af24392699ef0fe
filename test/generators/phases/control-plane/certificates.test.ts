import { expect, test } from 'vitest';
import { certificates } from '../../../../generators/phases/control-plane/certificates.ts';
import { cluster, kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { breachesOf } from '../../../support/definitions/phase-files.ts';

test('it keeps the house rules, and is there only where Playsmith installs Kubernetes', () => {
  expect(breachesOf([certificates], kubeadmCluster())).toEqual([]);
  expect([cluster(), kubeadmCluster()].map(certificates.applies)).toEqual([false, true]);
});
