import { describe, expect, test } from 'vitest';
import { engine } from '../../../../generators/engine.ts';
import { verify } from '../../../../generators/phases/control-plane/verify.ts';
import type { Cluster } from '../../../../generators/cluster/cluster.ts';
import { cluster, kubeadm, machine, podNetwork } from '../../../support/definitions/clusters.ts';
import { templates } from '../../../support/definitions/templates.ts';

const machines = [
  machine('cp1', '2001:db8::11', { roles: ['control-plane', 'etcd'] }),
  machine('w1', '2001:db8::21', { roles: ['worker'] }),
  machine('lb1', '2001:db8::31', { roles: ['load-balancer'] }),
];
const given = cluster({ machines, ...kubeadm(machines) });

const rendered = (from: Cluster): ReadonlyMap<string, string> =>
  new Map(verify.render(from, engine(templates, from.name)).map(({ path, text }) => [path, text]));

describe('the phase verify', () => {
  test('expects the version of the definition, and API servers at its port', () => {
    const playbook = rendered(given).get('verify.yml');
    expect(playbook).toContain('version: "1.34.1"');
    expect(playbook).toContain('port: 6443');
  });

  test('starts pods of the one image that every node has', () => {
    expect(rendered(given).get('verify.yml')).toContain('image: "registry.k8s.io/pause:3.10.1"');
  });

  test('asks nothing of pods where somebody else brings their network', () => {
    const files = rendered({ ...given, podNetwork: podNetwork() });
    expect([...files.keys()]).toEqual(['verify.yml']);
    expect(files.get('verify.yml')).toContain('plugged: false');
    expect(files.get('verify.yml')).not.toContain('scope: pods');
  });
});
