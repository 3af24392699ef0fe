import { describe, expect, test } from 'vitest';
import { engine } from '../../../../generators/engine.ts';
import { verify } from '../../../../generators/phases/control-plane/verify.ts';
import type { Cluster } from '../../../../generators/cluster/cluster.ts';
import { cluster, kubeadm, machine, podNetwork } from '../../../support/clusters.ts';
import { templates } from '../../../support/templates.ts';

const machines = [
  machine('cp1', '2001:db8::11', { roles: ['control-plane', 'etcd'] }),
  machine('w1', '2001:db8::21', { roles: ['worker'] }),
  machine('lb1', '2001:db8::31', { roles: ['load-balancer'] }),
];
const given = cluster({ machines, ...kubeadm(machines) });

const rendered = (from: Cluster): ReadonlyMap<string, string> =>
  new Map(verify.render(from, engine(templates, from.name)).map(({ path, text }) => [path, text]));

describe('the phase verify', () => {
  test('expects every node, and of the control planes an API server and etcd', () => {
    const program = rendered(given).get('files/verify/cluster.py') ?? '';
    expect(program).toContain('NODES = json.loads("[\\"cp1\\",\\"w1\\"]")');
    expect(program).toContain('CONTROL_PLANES = json.loads("{\\"cp1\\":\\"2001:db8::11\\"}")');
    expect(program).toContain('VERSION = "v1.34.1"');
  });

  test('starts pods of the one image that every node has', () => {
    expect(rendered(given).get('files/verify/cluster.py')).toContain(
      'IMAGE = "registry.k8s.io/pause:3.10.1"',
    );
  });

  test('asks nothing of pods where somebody else brings their network', () => {
    const files = rendered({ ...given, podNetwork: podNetwork() });
    expect([...files.keys()]).toEqual([
      'verify.yml',
      'files/verify/cluster.py',
      'files/verify/control-plane.py',
    ]);
    expect(files.get('files/verify/cluster.py')).toContain('PLUGGED = False');
    expect(files.get('verify.yml')).not.toContain('pods.py');
  });
});
