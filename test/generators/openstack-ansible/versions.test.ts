import { expect, test } from 'vitest';
import { definition, said, treeOf, osaOf } from './support.ts';

const pods = '  podSubnet: 172.29.200.0/22\n';
const asked = (versions: string, release = '2025.2'): readonly string[] =>
  said(definition({ '"2025.2"': `"${release}"`, [pods]: `${pods}versions: { ${versions} }\n` }));

test.each([
  ['2025.2', 'clusterctl: 1.9.6', 'has no 1.9.6 → one of 1.3.2, 1.3.3, 1.4.4, 1.5.1, 1.6.0, 1.8.4'],
  ['2025.2', 'clusterApi: 1.3.3', 'has no 1.3.3 → one of 1.3.2, 1.4.4, 1.5.1, 1.6.0, 1.8.4'],
  ['2025.2', 'provider: 0.12.4', 'has no 0.12.4 → one of 0.7.0'],
  ['2025.2', 'kubernetes: 1.31.1', 'has no 1.31.1 → one of 1.19.16'],
  ['2026.1', 'clusterctl: 1.10.5', 'has no 1.10.5 → one of 1.8.4, 1.9.6, 1.10.10'],
  ['2026.1', 'clusterApi: 1.8.4', 'has no 1.8.4 → one of 1.9.6'],
  ['2026.1', 'provider: 0.12.4', 'has no 0.12.4 → one of 0.11.2, 0.12.2'],
  ['2026.1', 'driver: v0.38.1', 'v0.38.1 cannot be built there: from v0.38.0 on the driver wants Rust 1.95'],
  ['2024.2', 'driver: v0.25.0', 'built with Rust, which the playbooks of this release do not install'],
])('%s with %s is told, with what would be right', (release, versions, words) => {
  const found = asked(versions, release);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(/^10: /);
  expect(found[0]).toContain(words);
});

test('from 2026.1 on every version of Kubernetes is one, since its sums are fetched', () => {
  expect(asked('kubernetes: 1.35.7', '2026.1')).toEqual([]);
});

test('a release whose variables stand in other files is refused', () => {
  expect(said(definition({ '"2025.2"': '"2024.1"' })).join()).toContain('`release` cannot be "2024.1"');
});

test('a collection without its source is refused: OpenStack-Ansible would drop it without a word', () => {
  const own = definition({ [pods]: `${pods}collections: [{ name: a.b, version: v1.0.0 }]\n` });
  expect(said(own).join()).toMatch(/^10: .*`?source`?/);
});

test('the requirements name the collections, what they depend on, and all that their modules import', () => {
  const tree = treeOf(osaOf());
  const { collections } = tree.get('user-collection-requirements.yml') as {
    readonly collections: readonly { readonly name: string; readonly type: string }[];
  };
  expect(collections.map(({ name, type }) => `${name} ${type}`)).toEqual([
    ...[
      'vexxhost.kubernetes git',
      'vexxhost.containers git',
      'osa_ops.mcapi_vexxhost git',
      'kubernetes.core git',
    ],
  ]);
  const packages = String(tree.get('user-ansible-venv-requirements.txt')).split('\n');
  expect(packages.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
    'docker-image-py',
    'kubernetes',
  ]);
});
