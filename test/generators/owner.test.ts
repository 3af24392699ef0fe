import { describe, expect, test } from 'vitest';
import { render } from '../../generators/render.ts';
import { readYaml } from '../../generators/yaml.ts';
import { exampleClusters } from '../support/definitions/examples.ts';
import { templates } from '../support/definitions/templates.ts';

interface Play {
  readonly name?: string;
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
  ...['cnf-status', 'cnf-kubeconfig', 'reset', 'kubespray-reset', 'cleanup', 'owner'],
]);

describe.each(owned.map((cluster) => [cluster.name, cluster] as const))(
  'the playbooks of %s',
  (name, cluster) => {
    const files = render(cluster, templates);
    const playbooks = files.filter(
      ({ path, text }) =>
        /^[\w-]+\.yml$/.test(path) && !text.includes('import_playbook') && path !== 'require-scope.yml',
    );

    test.each(playbooks.map(({ path, text }) => [path, text] as const))(
      '%s asks each host first',
      (path, text) => {
        const [first] = readYaml(text) as readonly Play[];
        const [asks, marks] = first?.tasks ?? [];
        expect(asks).toMatchObject({ 'playsmith.host.owner': { cluster: name }, tags: ['always'] });
        expect(asks).not.toHaveProperty('when');
        const given = (marks?.['playsmith.host.owner'] ?? {}) as { readonly state?: string };
        expect(given.state).toBe(looking.has(path.replace('.yml', '')) ? undefined : 'present');
      },
    );
  },
);

test('the UID of a cluster is part of what hosts are asked', () => {
  const full = owned.find(({ uid }) => uid !== undefined);
  const file = full && render(full, templates).find(({ path }) => path === 'haproxy.yml');
  expect(file?.text).toContain(`uid: "${full?.uid ?? ''}"`);
});
