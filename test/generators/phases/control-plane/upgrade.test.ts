import { mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepalived } from '../../../../generators/phases/load-balancer/keepalived.ts';
import { kubernetesPackages } from '../../../../generators/phases/node/kubernetes-packages.ts';
import { preflight } from '../../../../generators/phases/node/preflight.ts';
import { upgrade } from '../../../../generators/phases/control-plane/upgrade.ts';
import { cluster, kubeadmCluster } from '../../../support/clusters.ts';
import { breachesOf, scriptOf, textOf } from '../../../support/phase-files.ts';

const judged = (kubelet: string, wanted: string): readonly string[] =>
  scriptOf(textOf(upgrade, kubeadmCluster(), 'files/upgrade/state.sh'), { kubelet })(wanted).lines.filter(
    (line) => !line.includes('no node of a cluster yet'),
  );

test.each([
  ['1.20.2', '1.20.2', []],
  ['1.20.2', '1.20.5', ['behind kubelet']],
  ['1.33.9', '1.34.1', ['behind kubelet']],
  ['1.34.1-rc.1+x', '1.34.1', []],
])('a kubelet of version %s is judged against %s', (has, wanted, lines) => {
  expect(judged(`echo Kubernetes v${has}`, wanted)).toEqual(lines);
});

test('a newer version, a skipped minor version and one that is not known are problems', () => {
  expect(judged('echo Kubernetes v1.21.0', '1.20.5')[1]).toContain('Kubernetes never goes back');
  expect(judged('echo Kubernetes v1.20.2', '1.22.0')[1]).toContain('one minor version is the most at a time');
  expect(judged('exit 1', '1.22.0')).toEqual(['problem the version of kubelet is not known']);
});

test('an upgrade asks for a snapshot of etcd that is young enough', () => {
  const age = scriptOf(textOf(upgrade, kubeadmCluster(), 'files/upgrade/age.sh'));
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-kept-'));
  const snapshot = join(folder, '20261120T174500Z.db');
  writeFileSync(join(folder, 'notes.db'), '');
  expect(age(folder, '24').lines.join()).toContain('is younger than 24 hours');
  writeFileSync(snapshot, '');
  expect(age(folder, '24')).toEqual({ status: 0, lines: [] });
  const hoursAgo = (hours: number): number => Date.now() / 1000 - hours * 3600;
  utimesSync(snapshot, hoursAgo(25), hoursAgo(25));
  expect([age(folder, '24').status, age(folder, '26').status]).toEqual([1, 0]);
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
  expect(playbook.match(/serial: \d+/g)).toEqual(['serial: 1', 'serial: 3']);
});
