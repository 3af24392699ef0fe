import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { artifacts } from '../../../../generators/phases/node/artifacts.ts';
import { conformance } from '../../../../generators/phases/control-plane/conformance.ts';
import { containerd } from '../../../../generators/phases/node/containerd.ts';
import { cluster, kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { breachesOf, textOf } from '../../../support/definitions/phase-files.ts';

const online = kubeadmCluster({ extraPlaybooks: ['conformance'] });
const offline = kubeadmCluster({
  extraPlaybooks: ['conformance'],
  offline: { artifacts: '/srv/artifacts', sha256: 'ab'.repeat(32) },
});
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playsmith-conformance-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test.each([
  ['online', online],
  ['offline', offline],
])(
  'they keep the house rules %s, and are there where kubeadm installs and the definition asks for them',
  (_, each) => {
    expect(breachesOf([conformance, containerd, artifacts], each)).toEqual([]);
    expect([cluster(), kubeadmCluster(), each].map(conformance.applies)).toEqual([false, false, true]);
  },
);

test('they come from where Kubernetes publishes them, or from the artifacts that were reviewed', () => {
  const version = online.kubernetes.version;
  const published = textOf(conformance, online, 'conformance.yml');
  expect(published).toContain(
    `url: "https://dl.k8s.io/release/v${version}/kubernetes-test-linux-amd64.tar.gz"`,
  );
  expect(published).toContain('checksum: sha256:https://dl.k8s.io/');
  const brought = textOf(conformance, offline, 'conformance.yml');
  expect(brought).not.toContain('https://');
  expect(brought).toContain('archives/kubernetes-test.tar.gz');
});

const cases = {
  parallel: [
    ['[It] [sig-node] Pods should be updated [Conformance]', 'passed'],
    ['[It] [sig-apps] Job should finish [Conformance]', 'failed'],
    ['[It] [sig-cli] another one', 'skipped'],
    ['[SynchronizedBeforeSuite]', 'passed'],
  ],
  serial: [
    ['[It] [sig-node] NoExecuteTaintManager evicts [Serial] [Conformance]', 'passed'],
    ['[SynchronizedAfterSuite]', 'failed'],
  ],
};

/** Runs the program with programs in the place of Ginkgo's and the tests', which say what they were called with. */
function run(ginkgo: string, ...words: readonly string[]) {
  const bin = join(folder, 'kubernetes/test/bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'ginkgo'), `#!/bin/sh\necho "$@" >> ${folder}/called\n${ginkgo}`, { mode: 0o755 });
  writeFileSync(join(bin, 'e2e.test'), '#!/bin/sh\n', { mode: 0o755 });
  execFileSync('tar', ['-czf', join(folder, 'kubernetes-test.tar.gz'), '-C', folder, 'kubernetes']);
  for (const [name, each] of Object.entries(cases)) {
    const lines = each.map(([title, status]) =>
      status === 'failed'
        ? `<testcase name="${title}" status="failed"><failure message="timed&#xA;out"/></testcase>`
        : `<testcase name="${title}" status="${status}"/>`,
    );
    writeFileSync(
      join(folder, `${name}.given`),
      `<testsuites><testsuite>${lines.join('')}</testsuite></testsuites>`,
    );
  }
  const script = textOf(conformance, offline, 'files/conformance/run.py').replace(
    'FOLDER = "/var/lib/playsmith/conformance"',
    `FOLDER = "${folder}"`,
  );
  return spawnSync('python3', ['-', ...words], { input: script, encoding: 'utf8' });
}

const reports =
  'for word in "$@"; do case $word in --junit-report=*) name=${word#*=}; cp FOLDER/${name%.xml}.given FOLDER/$name;; esac; done\n';

test('what each test said is told, and what prepares or clears away for all of them when it failed', () => {
  const ran = run(reports.replaceAll('FOLDER', folder), 'Pods|Job', '', '3');
  expect(ran.stderr).toBe('');
  expect(JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    version: `v${offline.kubernetes.version}`,
    passed: 2,
    failed: ['[SynchronizedAfterSuite]', '[sig-apps] Job should finish [Conformance]'],
    reasons: {
      '[SynchronizedAfterSuite]': 'timed out',
      '[sig-apps] Job should finish [Conformance]': 'timed out',
    },
    chosen: 4,
    focus: 'Pods|Job',
  });
  const called = execFileSync('cat', [join(folder, 'called')], { encoding: 'utf8' })
    .trim()
    .split('\n');
  expect(called).toHaveLength(2);
  expect(called[0]).toContain('--label-filter=Conformance && !Serial --nodes=3 --focus=Pods|Job ');
  expect(called[1]).toContain('--label-filter=Conformance && Serial --nodes=1 --focus=Pods|Job ');
});

test('tests that end without a report are no success', () => {
  const ran = run('exit 7\n', '', '', '1');
  expect(ran.status).toBe(1);
  expect(ran.stderr).toContain('ended with status 7 without a report');
});
