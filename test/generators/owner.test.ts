import { describe, expect, test } from 'vitest';
import { render } from '../../generators/render.ts';
import { readYaml } from '../../generators/yaml.ts';
import { exampleClusters } from '../support/definitions/examples.ts';
import { templates } from '../support/definitions/templates.ts';

interface Entry {
  readonly hosts?: string;
  readonly tasks?: readonly Readonly<Record<string, unknown>>[];
}

const owned = exampleClusters.filter(({ osa, fleet }) => osa === undefined && fleet === undefined);
/** Change nothing of hosts, or hand them back. */
const looking = new Set([
  ...[
    'preflight',
    'node-preflight',
    'kubespray-node-preflight',
    'verify',
    'conformance',
    'storage-use',
    'etcd-backup',
  ],
  ...['kubeconfig', 'tacker-vim', 'cnf-instantiate', 'cnf-update', 'cnf-scale', 'cnf-heal', 'cnf-terminate'],
  ...[
    'kubelet-certificates',
    'cloud-controller',
    'cnf-status',
    'cnf-kubeconfig',
    'reset',
    'kubespray-reset',
    'cleanup',
    'owner',
  ],
]);

/** What others begin with, or what is not about what is on hosts. */
const inner = ['reach-hosts.yml', 'claim-hosts.yml', 'require-scope.yml', 'owner.yml'];

describe.each(owned.map((cluster) => [cluster.name, cluster] as const))(
  'the playbooks of %s',
  (name, cluster) => {
    const files = render(cluster, templates);
    const entries = files
      .filter(({ path }) => /^[\w-]+\.yml$/.test(path) && !inner.includes(path))
      .map(({ path, text }) => [path, readYaml(text) as readonly Entry[]] as const)
      // The schedule is on the Ansible server alone, which has no owner.
      .filter(([, all]) => all.some(({ hosts }) => hosts !== undefined && hosts !== 'localhost'));

    test.each(entries)('%s asks each host first', (path, [first]) => {
      const guard = looking.has(path.replace('.yml', '')) ? 'reach-hosts' : 'claim-hosts';
      expect(first).toMatchObject({
        'ansible.builtin.import_playbook': `${guard}.yml`,
        vars: { [`${guard.replace('-', '_')}_pattern`]: expect.stringMatching(/^\w/) as string },
      });
      expect(first).not.toHaveProperty('when');
    });

    test.each([
      ['reach-hosts.yml', undefined],
      ['claim-hosts.yml', 'present'],
      ['owner.yml', undefined],
    ])('%s asks whose each host is', (path, state) => {
      const text = files.find((file) => file.path === path)?.text ?? '';
      const [first] = readYaml(text) as readonly Entry[];
      const [asks, marks] = first?.tasks ?? [];
      expect(asks).toMatchObject({ 'playsmith.host.owner': { cluster: name }, tags: ['always'] });
      expect(asks).not.toHaveProperty('when');
      const given = (marks?.['playsmith.host.owner'] ?? {}) as { readonly state?: string };
      expect(given.state).toBe(state);
    });
  },
);

test('the UID of a cluster is part of what hosts are asked', () => {
  const full = owned.find(({ uid }) => uid !== undefined);
  const file = full && render(full, templates).find(({ path }) => path === 'claim-hosts.yml');
  expect(file?.text).toContain(`uid: "${full?.uid ?? ''}"`);
});
