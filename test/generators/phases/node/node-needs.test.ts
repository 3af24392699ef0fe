import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { releaseOf } from '../../../../generators/phases/node/release.ts';
import type { Kubernetes } from '../../../../generators/cluster/cluster.ts';
import { containerd, kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { runModule } from '../../../support/module.ts';

interface Host {
  readonly version?: string;
  readonly kubelet?: Kubernetes['kubelet'];
  readonly isArchive?: boolean;
  readonly cgroup?: string;
  readonly kernel?: string;
  readonly containerd?: string;
  readonly candidate?: string;
  readonly runc?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly mode?: 'new' | 'upgrade';
}

interface Said {
  readonly problems: readonly string[];
  readonly notices: readonly string[];
}

const nodeFile = { '/etc/kubernetes/kubelet.conf': '' };

/** What the module itself says on a host whose files and programs lie in a folder. */
function look(host: Host): Said {
  const root = mkdtempSync(join(tmpdir(), 'playsmith-needs-'));
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    chmodSync(join(root, path), 0o755);
  };
  const says = (name: string, text = ''): void => {
    put(`bin/${name}`, `#!/bin/sh\n${text === '' ? 'exit 1' : `echo '${text}'`}\n`);
  };
  put('proc/self/mounts', `x /sys/fs/cgroup ${host.cgroup ?? 'cgroup2'} rw 0 0\n`);
  const runs = host.containerd ?? '';
  says('containerd', runs === '' ? '' : `containerd github.com/containerd/containerd ${runs} 1234567`);
  says(
    'systemctl',
    runs === '' ? 'ExecStart=' : `ExecStart={ path=${join(root, 'bin/containerd')} ; argv[]= }`,
  );
  says('apt-cache', host.candidate === undefined ? '' : `  Candidate: ${host.candidate}`);
  says('runc', host.runc === undefined ? '' : `runc version ${host.runc}`);
  for (const [path, text] of Object.entries(host.files ?? {})) put(path, text);
  const { result } = runModule(
    'host_preflight',
    { seconds: 0, release: releaseOf(cluster(host)) },
    {
      replaced: {
        '"/usr/local/sbin:/usr/local/bin:" + os.environ.get("PATH", "")': `"${join(root, 'bin')}"`,
        'os.uname().release': JSON.stringify(host.kernel ?? '6.1.0-40-amd64'),
        ...Object.fromEntries(
          ['proc/self', 'etc/default', 'etc/kubernetes', 'var/lib/kubelet'].map((path) => [
            `"/${path}/`,
            `"${root}/${path}/`,
          ]),
        ),
        ...(host.mode === 'upgrade'
          ? { 'of_host(wanted["release"], False)': 'of_host(wanted["release"], True)' }
          : {}),
        'problems = of_system(wanted) +': 'problems = [] +',
      },
    },
  );
  const { problems, notices } = result as unknown as Said;
  return JSON.parse(JSON.stringify({ problems, notices }).replaceAll(root, '')) as Said;
}

function cluster({
  version = '1.36.3',
  kubelet = {},
  isArchive = false,
}: Host): ReturnType<typeof kubeadmCluster> {
  const { kubernetes } = kubeadmCluster();
  return kubeadmCluster({
    kubernetes: { ...kubernetes, version, kubelet },
    containerd: containerd({ source: isArchive ? 'archive' : 'distribution' }),
  });
}

const problem = (host: Host): string => look(host).problems.join('; ');

describe('cgroup v1', () => {
  test('is refused from 1.35 on with both ways out', () => {
    expect(problem({ version: '1.35.4', cgroup: 'tmpfs' })).toBe(
      'it has cgroup v1 (tmpfs on /sys/fs/cgroup), which Kubernetes 1.35 refuses: boot it with systemd.unified_cgroup_hierarchy=1, or say installer.kubeadm.kubelet.failCgroupV1: false until then',
    );
  });

  test.each<Host>([
    { version: '1.34.4', cgroup: 'tmpfs' },
    { kubelet: { failCgroupV1: false }, cgroup: 'tmpfs' },
    { cgroup: 'cgroup2' },
    // A node that runs is not refused by what a newer preflight asks of new ones; an upgrade asks it.
    { cgroup: 'tmpfs', files: nodeFile },
  ])('is no problem for %j', (host) => {
    expect(look(host)).toEqual({ problems: [], notices: [] });
  });

  test('is refused by an upgrade of a node that runs', () => {
    expect(problem({ cgroup: 'tmpfs', files: nodeFile, mode: 'upgrade' })).toContain(
      'which Kubernetes 1.36 refuses',
    );
  });
});

test.each([
  ['1.36.3', '5.10.0-35-amd64', ''],
  ['1.36.3', '6.18.44', ''],
  [
    '1.36.3',
    '5.11.0-generic',
    'its kernel is 5.11.0-generic, and Kubernetes 1.36 wants 5.4, 5.10, 5.15, 6.0 or newer',
  ],
  ['1.36.3', '4.19.0', 'its kernel is 4.19.0'],
  ['1.33.13', '4.19.0', ''],
  ['1.33.13', '4.18.0-553.el8', 'wants 4.19 or newer: install one of these and boot it'],
])('Kubernetes %s on kernel %s: %s', (version, kernel, said) => {
  if (said === '') expect(problem({ version, kernel })).toBe('');
  else expect(problem({ version, kernel })).toContain(said);
});

describe('containerd', () => {
  test.each<[Host, string, string]>([
    [{ version: '1.36.3', containerd: 'v2.3.7' }, '', ''],
    [{ version: '1.36.3', containerd: '2.2.0' }, '', ''],
    [{ version: '1.36.3', containerd: '2.9.0' }, '', ''],
    [
      { version: '1.36.3', containerd: '2.1.4' },
      '',
      'it runs containerd 2.1.4, which nobody tested with Kubernetes 1.36; tested are 2.3.0+, 2.2.0+',
    ],
    [{ version: '1.35.4', containerd: '1.6.20~ds1' }, '', 'it runs containerd 1.6.20'],
    [
      { version: '1.35.4', containerd: '1.5.9' },
      'it runs containerd 1.5.9, and Kubernetes 1.35 does not start before 1.6.0',
      '',
    ],
    [
      { version: '1.38.0', containerd: '1.7.30' },
      'Kubernetes 1.38 does not start before 2.0.0: `containerd.archive` of the definition',
      '',
    ],
    [
      { version: '1.38.0', candidate: '1.7.24~ds1-6' },
      'apt would install containerd 1.7.24, and Kubernetes 1.38',
      '',
    ],
    [{ version: '1.38.0', candidate: '(none)' }, '', ''],
    // The definition brings its own, but only after an upgrade has come through.
    [{ version: '1.38.0', containerd: '1.7.30', isArchive: true }, '', ''],
    [
      { version: '1.38.0', containerd: '1.7.30', isArchive: true, mode: 'upgrade' },
      'applied before this',
      '',
    ],
  ])('%j', (host, problems, notices) => {
    const said = look(host);
    expect(said.problems.join()).toContain(problems);
    expect(said.notices.join()).toContain(notices);
    expect([said.problems.length, said.notices.length]).toEqual(
      [problems, notices].map((text) => Number(text !== '')),
    );
  });
});

test('a runc that does not know cgroup v2 is refused where there is one', () => {
  expect(problem({ containerd: '2.3.0', runc: '0.1.1' })).toContain(
    'its runc is 0.1.1, and cgroup v2 wants 1.0.0',
  );
  expect(problem({ version: '1.34.4', containerd: '2.3.0', runc: '0.1.1', cgroup: 'tmpfs' })).toBe('');
  expect(problem({ containerd: '2.3.0', runc: '1.3.4' })).toBe('');
});

test('an upgrade refuses a kubelet that is told of a feature gate which the release took out', () => {
  const host = (text: string): Host => ({
    version: '1.37.2',
    mode: 'upgrade',
    files: { '/var/lib/kubelet/config.yaml': text },
  });
  expect(problem(host('featureGates:\n  SidecarContainers: true\n  NodeSwap: true\n'))).toBe(
    '/var/lib/kubelet/config.yaml names the feature gate SidecarContainers, which Kubernetes 1.37 does not know any more: nothing starts with it, take it out there first',
  );
  expect(problem({ ...host('SidecarContainers: true'), version: '1.36.3' })).toBe('');
  expect(problem({ ...host('SidecarContainers: true'), mode: 'new' })).toBe('');
  const flags = {
    '/var/lib/kubelet/kubeadm-flags.env': 'KUBELET_KUBEADM_ARGS="--feature-gates=MemoryManager=true"',
  };
  const old = { '/etc/default/kubelet': 'KUBELET_EXTRA_ARGS=--register-schedulable=false' };
  expect(problem({ version: '1.34.4', mode: 'upgrade', files: old })).toContain(
    'names the argument register-schedulable',
  );
  expect(problem({ mode: 'upgrade', files: flags })).toContain(
    'kubeadm-flags.env names the feature gate MemoryManager',
  );
});
