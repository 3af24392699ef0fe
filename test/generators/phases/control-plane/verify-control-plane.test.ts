import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runModule } from '../../../support/module.ts';

const files = [
  ...['admin.conf', 'controller-manager.conf', 'scheduler.conf', 'pki/ca.crt', 'pki/ca.key', 'pki/sa.key'],
  ...['pki/sa.pub', 'pki/apiserver.crt', 'pki/apiserver.key', 'pki/front-proxy-ca.crt'],
  ...['pki/front-proxy-ca.key', 'pki/etcd/ca.crt', 'pki/etcd/ca.key', 'manifests/etcd.yaml'],
  ...['apiserver', 'controller-manager', 'scheduler'].map((name) => `manifests/kube-${name}.yaml`),
];

interface Container {
  readonly name: string;
  readonly pod?: string;
  readonly attempt?: number;
  readonly state?: string;
  /** Seconds since it was made. */
  readonly age?: number;
}

const asCrictl = ({ name, pod = 'a', attempt = 0, state = 'RUNNING', age = 3600 }: Container): object => ({
  id: `${name}-${pod}-${String(attempt)}-0123456789`,
  state: `CONTAINER_${state}`,
  createdAt: `${String(Math.round(Date.now() / 1000) - age)}000000000`,
  metadata: { name, attempt },
  labels: { 'io.kubernetes.pod.name': `${name}-cp1`, 'io.kubernetes.pod.uid': `${name}-${pod}` },
});

const well = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((name) => ({
  name,
}));

/** What the module says of a control plane that lacks a file, has one of another mode, and has these containers. */
function said(
  containers: readonly Container[],
  { without = '', open = '' }: { readonly without?: string; readonly open?: string } = {},
): string {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-verify-'));
  const etc = join(folder, 'kubernetes');
  for (const path of files.filter((each) => each !== without)) {
    mkdirSync(dirname(join(etc, path)), { recursive: true });
    writeFileSync(join(etc, path), '', { mode: path === open ? 0o644 : 0o600 });
  }
  const listed = JSON.stringify({ containers: containers.map(asCrictl) });
  const { result } = runModule(
    'kubernetes_verify',
    { scope: 'control_plane', name: 'cp1' },
    {
      programs: { crictl: `cat << 'END'\n${listed}\nEND` },
      replaced: { '/etc/kubernetes/': `${etc}/`, 'PATIENCE = 330': 'PATIENCE = -1' },
    },
  );
  return (result.msg ?? '').replaceAll(`${etc}/`, '');
}

describe('a control plane', () => {
  test('that has everything, and runs it, is well', () => {
    expect(said(well)).toBe('');
    expect(said([...well, { name: 'etcd', attempt: 0, state: 'EXITED', age: 7200 }])).toBe('');
    expect(said([...well.slice(1), { name: 'etcd', attempt: 3, age: 60 }])).toBe('');
  });

  test('that lacks a key is told with the way to heal it', () => {
    expect(said(well, { without: 'pki/ca.key' })).toBe('cp1: it lacks pki/ca.key: npx task heal-node cp1');
  });

  test.each(['pki/ca.key', 'admin.conf', 'pki/etcd/ca.key'])('whose %s everybody reads is told', (open) => {
    expect(said(well, { open })).toBe(`cp1: everybody on it may read ${open}: chmod 0600 there`);
  });

  test.each([
    ['waits for its next attempt', { state: 'EXITED', attempt: 7, age: 120 }],
    ['has begun a moment ago, once more', { attempt: 7, age: 3 }],
  ])('whose API server %s is told', (_, container) => {
    const others = well.filter(({ name }) => name !== 'kube-apiserver');
    expect(said([...others, { name: 'kube-apiserver', ...container }])).toContain(
      'kube-apiserver ends again and again, 7 times so far: crictl logs',
    );
  });

  test('is not called well before a component has lived for some seconds', () => {
    expect(said([...well.slice(1), { name: 'etcd', age: 1 }])).toBe(
      'cp1: etcd has only just begun, and may end again: npx task run verify',
    );
  });

  test('whose API server of an older manifest runs on is told, as is one without any', () => {
    const newer = { name: 'kube-apiserver', pod: 'b', attempt: 4, state: 'EXITED', age: 10 };
    expect(said([...well, newer])).toBe(
      'cp1: kube-apiserver of an older manifest runs on, and that of the present one cannot begin: crictl stop kube-apiserve',
    );
    expect(said(well.slice(1))).toContain('etcd does not run');
  });
});
