import { expect, test } from 'vitest';
import { render } from '../../generators/render.ts';
import { kubeadmCluster } from '../support/definitions/clusters.ts';
import { exampleClusters } from '../support/definitions/examples.ts';
import { templates } from '../support/definitions/templates.ts';

const several = kubeadmCluster();
const lone = kubeadmCluster({
  name: 'lone',
  machines: several.machines.filter(({ name, roles }) => name === 'cp1' || !roles.includes('control-plane')),
});

const pages = [...exampleClusters, lone].map((cluster) => ({
  name: cluster.name,
  installer: cluster.kubernetes.installer,
  controlPlanes: cluster.machines.filter(({ roles }) => roles.includes('control-plane')).length,
  text: render(cluster, templates).find(({ path }) => path === 'README.md')?.text ?? '',
}));
const withScope = pages.filter(({ text }) => text.includes('my-scope.yml'));

test('the page of a bundle says how a node leaves by hand, with all that the playbook wants', () => {
  expect(withScope.length).toBeGreaterThan(3);
  for (const { name, installer, text } of withScope) {
    const leaves = /targets: \{hosts: \{([\w-]+): \{\}/.exec(text)?.[1] ?? '';
    const variable =
      installer === 'kubespray' ? 'kubespray_node_preflight_confirm' : 'node_preflight_confirm';
    expect(text, name).toContain(`my-scope.yml scale-in.yml --extra-vars ${variable}=${leaves}\``);
  }
});

test('and which control plane it asks once the first has left, where there is another one', () => {
  expect(new Set(withScope.map(({ controlPlanes }) => controlPlanes > 1))).toEqual(new Set([true, false]));
  for (const { name, controlPlanes, text } of withScope) {
    const first = /kubectl_host: \{hosts: \{([\w-]+): \{\}/.exec(text)?.[1] ?? '';
    expect(text.replaceAll(/\s+/g, ' '), name).toContain(
      controlPlanes > 1
        ? `a control plane that answers and is part of the cluster: once ${first} has left, another one`
        : 'a control plane that answers and is part of the cluster. Every operation',
    );
  }
});
