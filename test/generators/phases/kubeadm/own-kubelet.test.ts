import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { kubernetesSettings } from '../../../../generators/phases/control-plane/kubernetes-settings.ts';
import { controlPlane } from '../../../../generators/phases/control-plane/control-plane.ts';
import { upgrade } from '../../../../generators/phases/control-plane/upgrade.ts';
import { workers } from '../../../../generators/phases/node/workers.ts';
import { kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { breachesOf, textOf } from '../../../support/definitions/phase-files.ts';

const plain = kubeadmCluster();
const own = kubeadmCluster({
  machines: plain.machines.map((machine) =>
    machine.name === 'w1' ? { ...machine, kubelet: { maxPods: 50 } } : machine,
  ),
});

describe('the kubelet of one worker', () => {
  test('is told its own fields when it joins, as a patch of kubeadm', () => {
    expect(breachesOf([kubernetesSettings, controlPlane, workers], own)).toEqual([]);
    expect(load(textOf(workers, own, 'files/workers/join/w1.yaml.j2'))).toMatchObject({
      patches: { directory: '/etc/kubernetes/playsmith/patches' },
    });
    expect(load(textOf(workers, own, 'files/workers/join.yaml.j2'))).not.toHaveProperty('patches');
    for (const [phase, file] of [
      [workers, 'workers.yml'],
      [controlPlane, 'control-plane.yml'],
    ] as const)
      expect(textOf(phase, own, file)).toContain("when: inventory_hostname in ['w1']");
  });

  test('gets them while it runs, and keeps them through an upgrade', () => {
    expect(load(textOf(kubernetesSettings, own, 'files/kubernetes-settings/kubelet/w1.yaml'))).toEqual({
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      maxPods: 50,
    });
    expect(textOf(kubernetesSettings, own, 'kubernetes-settings.yml')).toContain(
      'playsmith.host.kubelet_patch:',
    );
    expect(textOf(upgrade, own, 'upgrade.yml')).toContain(
      "(['--patches=/etc/kubernetes/playsmith/patches'] if inventory_hostname in 'w1'.split() else [])",
    );
  });

  test('changes nothing where no worker has any', () => {
    expect(textOf(kubernetesSettings, plain, 'kubernetes-settings.yml')).not.toContain('patch');
    expect(textOf(upgrade, plain, 'upgrade.yml')).not.toContain('patches');
  });
});
