import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { network } from '../../../../generators/phases/network/network.ts';
import { kubeadmCluster, podNetwork } from '../../../support/definitions/clusters.ts';
import { runModule } from '../../../support/module.ts';
import { breachesOf, textOf } from '../../../support/definitions/phase-files.ts';

const given = kubeadmCluster({ podNetwork: podNetwork({ plugin: 'static-routes' }) });

interface Node {
  readonly name: string;
  readonly isReady?: boolean;
  readonly isCordoned?: boolean;
  readonly taint?: string;
}

/** What the module says and asks of kubectl, where pods of CoreDNS stand on the nodes that are named. */
function spread(
  places: readonly string[],
  nodes: readonly Node[],
  isCheck = false,
): readonly [string, string] {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-dns-'));
  const put = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
  };
  const pods = places.map((nodeName, at) => ({
    metadata: { name: `coredns-${at}` },
    spec: nodeName ? { nodeName } : {},
    status: { conditions: [{ type: 'Ready', status: nodeName ? 'True' : 'False' }] },
  }));
  const of = ({ name, isReady = true, isCordoned = false, taint = '' }: Node): object => ({
    metadata: { name },
    spec: { unschedulable: isCordoned, taints: taint === '' ? [] : [{ key: taint, effect: 'NoSchedule' }] },
    status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  });
  put('pods', JSON.stringify({ items: pods }));
  put('nodes', JSON.stringify({ items: nodes.map(of) }));
  const { result, log } = runModule(
    'core_dns',
    { seconds: 0 },
    {
      programs: { kubectl: `case "$1" in get) cat ${folder}/"$2" ;; *) echo "$@" >> $LOG ;; esac` },
      isCheck,
    },
  );
  expect(result.failed, result.msg).not.toBe(true);
  return [result.done?.join() ?? '', log.join('\n')];
}

const head: Node = { name: 'cp1', taint: 'node-role.kubernetes.io/control-plane' };

describe('CoreDNS', () => {
  test('loses one pod of a node that has all of them, so that another node gets one', () => {
    const [said, asked] = spread(['cp1', 'cp1'], [head, { ...head, name: 'cp2' }]);
    expect(said).toBe('coredns-1 leaves cp1: all pods of CoreDNS stood there, and cp2 would take one');
    expect(asked).toContain('delete pod coredns-1 --namespace kube-system');
    expect(spread(['cp1', 'cp1'], [head, { name: 'worker1' }], true)[1]).toBe('');
  });

  test.each<[string, readonly string[], readonly Node[]]>([
    ['stands on two nodes', ['cp1', 'worker1'], [head, { name: 'worker1' }]],
    ['has one pod alone', ['cp1'], [head, { name: 'worker1' }]],
    ['has no other node', ['cp1', 'cp1'], [head]],
    ['has no other node that is ready', ['cp1', 'cp1'], [head, { name: 'worker1', isReady: false }]],
    ['has no other node in service', ['cp1', 'cp1'], [head, { name: 'worker1', isCordoned: true }]],
    ['is tolerated nowhere else', ['cp1', 'cp1'], [head, { name: 'worker1', taint: 'dedicated' }]],
    ['waits for a node', ['', ''], [head, { name: 'worker1' }]],
  ])('is left alone where it %s', (_, places, nodes) => {
    expect(spread(places, nodes)).toEqual(['', '']);
  });

  test('is spread by a play that keeps the house rules', () => {
    expect(breachesOf([network], given)).toEqual([]);
    expect(textOf(network, given, 'network.yml')).toContain('- name: Spread CoreDNS over the nodes');
  });
});
