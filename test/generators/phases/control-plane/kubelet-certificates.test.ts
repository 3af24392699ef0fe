import { load, loadAll } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../../generators/cluster/cluster.ts';
import { kubeletCertificates } from '../../../../generators/phases/control-plane/kubelet-certificates.ts';
import { kubernetesSettings } from '../../../../generators/phases/control-plane/kubernetes-settings.ts';
import { verify } from '../../../../generators/phases/control-plane/verify.ts';
import { render } from '../../../../generators/render.ts';
import { kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { breachesOf, textOf } from '../../../support/definitions/phase-files.ts';
import { templates } from '../../../support/definitions/templates.ts';

const plain = kubeadmCluster();
const asking: Cluster = kubeadmCluster({
  kubernetes: { ...plain.kubernetes, serverTLSBootstrap: true },
  machines: plain.machines.map((machine) =>
    machine.name === 'w1' ? { ...machine, secondaryAddress: '2001:db8::21' } : machine,
  ),
});

const files = (cluster: Cluster): ReadonlyMap<string, string> =>
  new Map(render(cluster, templates).map(({ path, text }) => [path, text]));

const configurations = (cluster: Cluster): readonly unknown[] =>
  [...files(cluster)]
    .filter(([path]) => path.startsWith('files/kubernetes-settings/kubeadm'))
    .flatMap(([, text]) => loadAll(text))
    .filter((document) => (document as { readonly kind: string }).kind === 'KubeletConfiguration');

describe('certificates that the cluster signs for kubelets', () => {
  test('are asked for by every kubelet, of those that join too', () => {
    expect(configurations(asking).length).toBeGreaterThan(0);
    for (const document of configurations(asking))
      expect(document).toMatchObject({ serverTLSBootstrap: true });
    for (const document of configurations(plain)) expect(document).not.toHaveProperty('serverTLSBootstrap');
  });

  test('are approved for the addresses of the inventory alone', () => {
    expect(breachesOf([kubeletCertificates, kubernetesSettings, verify], asking)).toEqual([]);
    const nodes = load(textOf(kubeletCertificates, asking, 'files/kubelet-certificates/nodes.yml'));
    const w1 = plain.machines.find(({ name }) => name === 'w1');
    expect(nodes).toMatchObject({ w1: [w1?.address, '2001:db8::21'] });
    expect(Object.keys(nodes as object)).toEqual(
      plain.machines
        .filter(({ roles }) => roles.includes('control-plane') || roles.includes('worker'))
        .map(({ name }) => name),
    );
  });

  test.each(['instantiate', 'scale-out', 'heal-node', 'replace-node', 'reconfigure', 'rotate-certificates'])(
    'are approved by %s',
    (operation) => {
      expect(files(asking).get(`${operation}.yml`)).toContain('import_playbook: kubelet-certificates.yml');
      expect(files(plain).get(`${operation}.yml`)).not.toContain('kubelet-certificates');
    },
  );

  test('are approved node by node while kubelets are reconfigured, and looked at by verify', () => {
    const module = 'playsmith.host.kubelet_serving_certificates:';
    const settings = textOf(kubernetesSettings, asking, 'kubernetes-settings.yml');
    // Workers have the same task by its alias.
    expect(settings.split(module)).toHaveLength(2);
    expect(settings.split('*approve_certificate')).toHaveLength(2);
    expect(settings.indexOf('Configure the kubelet')).toBeLessThan(settings.indexOf(module));
    expect(textOf(verify, asking, 'verify.yml')).toContain('state: served');
    for (const [phase, path] of [
      [kubernetesSettings, 'kubernetes-settings.yml'],
      [verify, 'verify.yml'],
    ] as const)
      expect(textOf(phase, plain, path)).not.toContain(module);
  });
});
