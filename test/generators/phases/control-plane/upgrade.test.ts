import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepalived } from '../../../../generators/phases/load-balancer/keepalived.ts';
import { kubernetesPackages } from '../../../../generators/phases/node/kubernetes-packages.ts';
import { preflight } from '../../../../generators/phases/node/preflight.ts';
import { upgrade } from '../../../../generators/phases/control-plane/upgrade.ts';
import { cluster, kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { runModule, type ModuleResult } from '../../../support/module.ts';
import { breachesOf, textOf } from '../../../support/definitions/phase-files.ts';

const noNode = 'the host is no node of a cluster yet';

const judged = (kubelet: string, version: string): ModuleResult =>
  runModule('kubernetes_upgrade', { version }, { programs: { kubelet } }).result;

test.each([
  ['1.20.2', '1.20.2', []],
  ['1.20.2', '1.20.5', ['kubelet']],
  ['1.33.9', '1.34.1', ['kubelet']],
  ['1.34.1-rc.1+x', '1.34.1', []],
])('a kubelet of version %s is judged against %s', (has, wanted, behind) => {
  expect(judged(`echo Kubernetes v${has}`, wanted)).toMatchObject({ behind, problems: [noNode] });
});

test('a newer version, a skipped minor version and one that is not known are problems', () => {
  const problem = (kubelet: string, wanted: string): unknown => judged(kubelet, wanted).problems?.[1];
  expect(problem('echo Kubernetes v1.21.0', '1.20.5')).toContain('Kubernetes never goes back');
  expect(problem('echo Kubernetes v1.20.2', '1.22.0')).toContain('one minor version is the most at a time');
  expect(problem('exit 1', '1.22.0')).toBe('the version of kubelet is not known');
});

test('an upgrade asks for a snapshot of etcd that is young enough', () => {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-kept-'));
  const problem = (hours: number): unknown => runModule('kept_snapshot', { folder, hours }).result.msg;
  const made = (hoursAgo: number): string =>
    `${new Date(Date.now() - hoursAgo * 3_600_000).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z.db`;
  writeFileSync(join(folder, 'notes.db'), '');
  expect(problem(24)).toContain('is younger than 24 hours');
  // Fetched just now, perhaps, but made then.
  writeFileSync(join(folder, made(25)), '');
  expect([problem(24), problem(26)]).toEqual([expect.stringContaining('24 hours'), undefined]);
  writeFileSync(join(folder, made(1)), '');
  expect(problem(24)).toBeUndefined();
});

test('it keeps the house rules, and is there only where Playsmith installs Kubernetes', () => {
  expect(breachesOf([upgrade, preflight, keepalived, kubernetesPackages], kubeadmCluster())).toEqual([]);
  expect([cluster(), kubeadmCluster()].map(upgrade.applies)).toEqual([false, true]);
});

test('workers are upgraded so many at a time, control planes one by one', () => {
  const { kubernetes } = kubeadmCluster();
  const playbook = textOf(
    upgrade,
    kubeadmCluster({ kubernetes: { ...kubernetes, upgrade: { workersAtOnce: 3 } } }),
    'upgrade.yml',
  );
  expect(playbook).toContain('serial: [1, 1, 1, 3]');
});
