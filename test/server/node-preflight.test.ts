import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kubeadmCluster, machine } from '../support/definitions/clusters.ts';
import { etcdSaying, kubectlOf } from '../support/live-cluster.ts';
import { hostsHere, replaceIn } from '../support/server/hosts-here.ts';

const workers = ['worker1', 'worker2'];
const names = ['cp1', ...workers];
const cluster = kubeadmCluster({
  machines: [
    machine('cp1', '10.0.0.11', { roles: ['control-plane', 'etcd'] }),
    ...workers.map((name, n) => machine(name, `10.0.0.2${n + 1}`, { roles: ['worker'] })),
  ],
});

const node = (name: string): object => ({
  metadata: { name },
  spec: {},
  status: {
    nodeInfo: { machineID: name },
    addresses: [],
    conditions: [{ type: 'Ready', status: 'True' }],
  },
});
const said = {
  ...{ nodes: names.map(node), node: node('worker2'), pods: [] },
  ...{ persistentvolumes: [], poddisruptionbudgets: [], silent: [] },
};

/** What scale-in of worker2 begins with, as Ansible runs it; nothing is done. */
function leaving(variables: string) {
  const others = names.filter((name) => name !== 'worker2');
  const { folder, play } = hostsHere(cluster, () => ({ kubectl: kubectlOf(said) }), {
    ...{ targets: ['worker2'], leaving: ['worker2'], skipped: [] },
    ...{ others, unaffected: others, kubectl_host: ['cp1'] },
  });
  const plugins = join(folder, 'collections/ansible_collections/playsmith/host/plugins');
  replaceIn(join(plugins, 'module_utils/etcd.py'), {
    'def ask(': etcdSaying({ 'https://localhost:2379/v3/cluster/member/list': { members: [] } }),
  });
  replaceIn(join(plugins, 'modules/owner.py'), { '/etc/playsmith/': `${folder}/` });
  const told = `node_preflight_operation=scale-in node_preflight_confirm=worker2 ${variables}`;
  return play(['node-preflight.yml', 'remove-node.yml'], told, '--check', '--diff');
}

describe('a worker that leaves', () => {
  test('is judged by what it says of itself and by the cluster, and then taken out', () => {
    const { status, stdout } = leaving('');
    expect(status, stdout).toBe(0);
    expect(stdout).toContain('+drain worker2');
    expect(stdout).toContain('+removed worker2 from the cluster');
  });

  test('stays where too few would stay, and the reason is the failure', () => {
    const { status, stdout } = leaving('node_preflight_minimum=2');
    expect(status).not.toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('only worker1 would stay, and 2 is the minimum');
    expect(stdout).not.toContain('drain worker2');
  });
});
