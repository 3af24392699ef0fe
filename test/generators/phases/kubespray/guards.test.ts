import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../../generators/cluster/cluster.ts';
import { operationOf, playbooks } from '../../../../generators/playbooks.ts';
import { scopeOf } from '../../../../generators/operations/scope.ts';
import { outline } from '../../../../generators/outline/outline.ts';
import { render } from '../../../../generators/render.ts';
import { unnamedFiles } from '../../../../generators/phases/kubespray/guards.ts';
import { kubesprayExample } from '../../../support/definitions/kubespray.ts';
import { standInTree } from '../../../support/hosts/kubespray/kubespray-lab.ts';
import { oldKubespray } from '../../../support/definitions/clusters.ts';
import { templates } from '../../../support/definitions/templates.ts';

const example = kubesprayExample;

const reasons = (name: string, targets: readonly string[], cluster: Cluster = example): readonly string[] => {
  const operation = operationOf(cluster, name);
  if (operation === undefined) throw new Error(`no ${name}`);
  const scope = scopeOf(cluster, { operation, targets });
  return scope.ok ? [] : scope.failure;
};

describe('an operation', () => {
  test.each([
    ['scale-out', 'worker02'],
    ['scale-in', 'worker02'],
    ['heal-node', 'worker02'],
    ['heal-node', 'master01'],
    ['replace-node', 'master03'],
  ])('%s takes %s', (operation, target) => {
    expect(reasons(operation, [target])).toEqual([]);
  });

  test('takes no control plane in alone, since scale.yml takes workers only', () => {
    expect(reasons('scale-out', ['master03'])).toEqual([
      'master03 is a control plane: kubespray takes these in with the whole cluster, by npx task run',
    ]);
  });

  test('never takes out the first control plane, nor leaves an even number of members', () => {
    expect(reasons('scale-in', ['master01'])).toEqual([
      expect.stringContaining('master01 is the first control plane, which kubespray cannot take out'),
      expect.stringContaining('2 members of etcd would be left'),
    ]);
    expect(reasons('scale-in', ['master03'])).toEqual([
      expect.stringContaining('2 members of etcd would be left'),
    ]);
  });

  test('takes out a control plane that is not the first where etcd stands elsewhere', () => {
    expect(reasons('scale-in', ['master2'], oldKubespray())).toEqual([]);
  });
});

describe('the bundle', () => {
  const files = render(example, templates);

  test('has the operations that kubespray can do', () => {
    expect(playbooks(example).flatMap(({ file, run }) => (run === 'operation' ? [file] : []))).toEqual([
      'instantiate.yml',
      'scale-out.yml',
      'scale-in.yml',
      'heal-node.yml',
      'replace-node.yml',
      'heal-storage.yml',
      'heal-cluster.yml',
      'upgrade.yml',
      'terminate.yml',
    ]);
  });

  test('balances the API before kubespray, and does what stands around Kubernetes after it', () => {
    const names = outline(files, 'instantiate.yml').plays.map(({ name }) => name);
    const order = [
      'Balance the Kubernetes API, one load balancer at a time',
      'Install Kubernetes with kubespray',
      "Create the PersistentVolumes of the storage servers' exports",
      'Check the cluster and change nothing',
    ].map((name) => names.indexOf(name));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
  });

  test('calls scale.yml in place of cluster.yml for single nodes', () => {
    const text = files.find(({ path }) => path === 'scale-out.yml')?.text ?? '';
    expect(text).toContain('import_playbook: kubespray-scale.yml');
    expect(text).not.toContain('import_playbook: kubespray-cluster.yml');
  });
});

describe('which files are called', () => {
  test('is known of the tags that were read, and else said by the definition', () => {
    expect(unnamedFiles(example)).toBe('');
    const source = {
      kind: 'git',
      url: 'https://git.example.org/kubespray.git',
      commit: '',
      tree: '',
    } as const;
    const of = (more: object) =>
      unnamedFiles({ kubespray: { ...example.kubespray, source: { ...source, ...more } } });
    expect(of({})).toContain('which files kubespray v2.28.1 has is not known here');
    expect(of({ commit: 'a'.repeat(40) })).toBe('');
    expect(of({ tree: 'a'.repeat(40) })).toBe('');
  });

  test('the guide names those of the stand-in that its test puts there', () => {
    expect(readFileSync('docs/guides/around-kubespray.md', 'utf8')).toContain(`tree: ${standInTree()}`);
  });
});
