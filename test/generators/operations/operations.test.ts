import { describe, expect, test } from 'vitest';
import { kindOf } from '../../../generators/kinds/kinds.ts';
import { hasScope, mainPlaybook, parametersOf, phasesOf, playbooks } from '../../../generators/playbooks.ts';
import { inventoryOf } from '../../../generators/outline/hosts.ts';
import { render } from '../../../generators/render.ts';
import { readYaml } from '../../../generators/yaml.ts';
import { goldenClusters, kubeadmCluster, single } from '../../support/definitions/clusters.ts';
import { templates } from '../../support/definitions/templates.ts';

const clusters = [...goldenClusters, kubeadmCluster()];

describe.each(clusters)('the playbooks of cluster $name', (cluster) => {
  const files = render(cluster, templates);
  const all = playbooks(cluster);

  test('lie in the bundle, each once', () => {
    const paths = files.map(({ path }) => path);
    expect(all.map(({ file }) => file).filter((file) => !paths.includes(file))).toEqual([]);
    expect(new Set(all.map(({ file }) => file)).size).toBe(all.length);
  });

  test('are told in the order: what is run when none is named, its parts, what is asked for', () => {
    expect(all[0]).toMatchObject({ file: `${mainPlaybook(cluster)}.yml`, run: 'operation' });
    const runs = all.map(({ run }) => run);
    expect(runs).toEqual(runs.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
  });

  test('are imported by the operation in the order of the phases, but for those that are asked for', () => {
    const operation = files.find(({ path }) => path === all[0]?.file);
    const imported = readYaml(operation?.text ?? '') as readonly Readonly<Record<string, string>>[];
    expect(imported.map((play) => play['ansible.builtin.import_playbook'])).toEqual([
      ...(hasScope(cluster) ? ['require-scope.yml'] : []),
      ...phasesOf(cluster)
        .filter(({ run }) => run === 'instantiate')
        .map(({ name }) => `${name}.yml`),
    ]);
  });

  test('name the hosts that the inventory has in their groups', () => {
    const inventory = inventoryOf(files.find(({ path }) => path === 'inventory/hosts.yml')?.text ?? '');
    for (const [group, names] of kindOf(cluster).groups(cluster))
      expect(new Set(inventory.get(group))).toEqual(new Set(names));
    // Those that a run fills itself.
    const rolled = all.some(({ file }) => file === 'containerd.yml') ? ['containerd_rolled'] : [];
    expect([...inventory.keys()].toSorted()).toEqual(
      [...kindOf(cluster).groups(cluster).keys(), 'reached', 'owned', ...rolled].toSorted(),
    );
  });

  test('name every variable that they may be told', () => {
    for (const { file, parameters } of all)
      expect(parametersOf(cluster, file.replace(/\.yml$/, ''))).toEqual(parameters);
    expect(parametersOf(cluster, 'nothing')).toEqual([]);
  });
});

test('the operation is `instantiate` where Playsmith installs Kubernetes, and `site` where somebody else does', () => {
  expect(mainPlaybook(kubeadmCluster())).toBe('instantiate');
  expect(mainPlaybook(single())).toBe('site');
});

const order = ['operation', 'instantiate', 'asked', 'part'];
