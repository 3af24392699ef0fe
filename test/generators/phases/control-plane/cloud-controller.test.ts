import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { neededArtifacts } from '../../../../generators/artifacts/needed.ts';
import type { Cluster } from '../../../../generators/cluster/cluster.ts';
import { cloudController } from '../../../../generators/phases/control-plane/cloud-controller.ts';
import { controlPlane } from '../../../../generators/phases/control-plane/control-plane.ts';
import { kubeletCertificates } from '../../../../generators/phases/control-plane/kubelet-certificates.ts';
import { verify } from '../../../../generators/phases/control-plane/verify.ts';
import { workers } from '../../../../generators/phases/node/workers.ts';
import { render } from '../../../../generators/render.ts';
import { kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { breachesOf, textOf } from '../../../support/definitions/phase-files.ts';
import { templates } from '../../../support/definitions/templates.ts';

const plain = kubeadmCluster();
const image = 'registry.example.org/ccm:v1';
const daemonSet = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'ccm', namespace: 'kube-system', annotations: { note: '{{ not ours }}' } },
  spec: { template: { spec: { containers: [{ name: 'ccm', image }] } } },
};
const clouded = (configVariable = 'vault_cloud_config', more: Partial<Cluster> = {}): Cluster =>
  kubeadmCluster({
    kubernetes: { ...plain.kubernetes, externalCloudProvider: { objects: [daemonSet], configVariable } },
    ...more,
  });

interface Joining {
  readonly nodeRegistration: {
    readonly kubeletExtraArgs: readonly { readonly name: string; readonly value: string }[];
  };
}

describe('a cluster whose nodes a cloud controller initialises', () => {
  test('has kubelets that wait for it, whoever joins and how', () => {
    for (const [phase, file] of [
      [workers, 'files/workers/join.yaml.j2'],
      [controlPlane, 'files/control-plane/join.yaml.j2'],
    ] as const) {
      const { nodeRegistration } = load(textOf(phase, clouded(), file)) as Joining;
      expect(nodeRegistration.kubeletExtraArgs).toContainEqual({ name: 'cloud-provider', value: 'external' });
      expect(textOf(phase, plain, file)).not.toContain('cloud-provider');
    }
  });

  test('gets the controller before its network, and its configuration as a secret', () => {
    expect(breachesOf([cloudController, verify], clouded())).toEqual([]);
    const playbook = textOf(cloudController, clouded(), 'cloud-controller.yml');
    expect(playbook).toContain('configuration: "{{ vault_cloud_config }}"');
    expect(textOf(cloudController, clouded(''), 'cloud-controller.yml')).not.toContain('vault_');
    const objects = textOf(cloudController, clouded(), 'files/cloud-controller/objects.json');
    expect(JSON.parse(objects)).toMatchObject({ objects: [daemonSet] });
    const files = new Map(render(clouded(), templates).map(({ path, text }) => [path, text]));
    for (const operation of ['instantiate', 'scale-out', 'heal-node']) {
      const text = files.get(`${operation}.yml`) ?? '';
      expect(text.indexOf('cloud-controller.yml')).toBeGreaterThan(text.indexOf('workers.yml'));
      expect(text.indexOf('cloud-controller.yml')).toBeLessThan(text.indexOf('network.yml'));
    }
  });

  test('is looked at by verify, which says who waits', () => {
    expect(textOf(verify, clouded(), 'verify.yml')).toContain('state: initialised');
    expect(textOf(verify, plain, 'verify.yml')).not.toContain('cloud_controller');
  });

  test('has the image of the controller among its artifacts', () => {
    expect(neededArtifacts(clouded()).images).toContain(image);
  });

  test('may name addresses outside in certificates of kubelets, where they are one machine’s alone', () => {
    const machines = plain.machines.map((machine) => ({
      ...machine,
      ssh: { ...machine.ssh, host: machine.name === 'w1' ? '203.0.113.21' : '203.0.113.4' },
    }));
    const w1 = machines.find(({ name }) => name === 'w1');
    const w2 = machines.find(({ name }) => name === 'w2');
    const nodes = load(
      textOf(kubeletCertificates, clouded('', { machines }), 'files/kubelet-certificates/nodes.yml'),
    );
    expect(nodes).toMatchObject({ w1: [w1?.address, '203.0.113.21'], w2: [w2?.address] });
  });
});
