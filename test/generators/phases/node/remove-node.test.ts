import { describe, expect, test } from 'vitest';
import { removeNode } from '../../../../generators/phases/node/remove-node.ts';
import { cleanup } from '../../../../generators/phases/node/cleanup.ts';
import { etcHosts } from '../../../../generators/phases/node/etc-hosts.ts';
import { awkward, cluster, kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { runModule, type ModuleResult } from '../../../support/module.ts';
import { templates } from '../../../support/definitions/templates.ts';
import { breachesOf, textOf } from '../../../support/definitions/phase-files.ts';

const given = kubeadmCluster();

describe('the phase remove-node', () => {
  test('is nobody else’s business where somebody else installs Kubernetes', () => {
    expect(removeNode.applies(cluster())).toBe(false);
  });

  test('stops a load balancer only where the cluster has one', () => {
    const stops = (of: typeof given): boolean =>
      textOf(removeNode, of, 'remove-node.yml').includes('load_balancer_only: true');
    expect(stops(given)).toBe(true);
    expect(stops({ ...given, endpoint: { ...given.endpoint, balancers: [] } })).toBe(false);
  });

  test.each([given, awkward()])('keeps the house rules for $name', (of) => {
    expect(breachesOf([removeNode, cleanup, etcHosts], of)).toEqual([]);
  });
});

interface Drained {
  readonly ready: string;
  /** Whether kubectl drain comes to its end. */
  readonly isDone?: boolean;
  readonly isOut?: boolean;
  readonly isRegardless?: boolean;
}

describe('a node that is drained', () => {
  const drain = ({ ready, isDone = true, isOut = false, isRegardless = false }: Drained): Ran => {
    const node = {
      metadata: { name: 'worker1' },
      spec: { unschedulable: isOut },
      status: { conditions: [{ type: 'Ready', status: ready }] },
    };
    const told = ready === '' ? '' : JSON.stringify(node);
    const kubectl = `echo $1 >> $LOG; case $1 in get) echo '${told}' ;; drain) ${isDone ? ':' : 'exit 1'} ;; esac`;
    const given = { name: 'worker1', state: 'drained', seconds: 5, force: true, regardless: isRegardless };
    const { result, log } = runModule('kubernetes_node', given, { programs: { kubectl } });
    return { result, commands: log };
  };

  test('is not there any more: there is nothing to do', () => {
    expect(drain({ ready: '' }).commands).toEqual(['get']);
  });

  test('takes no more pods when it is not ready, and nothing is waited for', () => {
    expect(drain({ ready: 'Unknown' }).commands).toEqual(['get', 'cordon']);
  });

  test('goes back into service when its pods do not leave in time, unless it was out before', () => {
    const { result, commands } = drain({ ready: 'True', isDone: false });
    expect(result.msg).toContain('not everything could leave worker1 within 5 s');
    expect(commands).toEqual(['get', 'cordon', 'drain', 'uncordon', 'annotate']);
    expect(drain({ ready: 'True', isDone: false, isOut: true }).commands).toEqual(['get', 'drain']);
  });

  test('ends with the rest of its pods where budgets are passed over', () => {
    expect(drain({ ready: 'True', isDone: false, isRegardless: true }).result.changed).toBe(true);
  });
});

interface Ran {
  readonly result: ModuleResult;
  readonly commands: readonly string[];
}

describe('the phase etc-hosts', () => {
  test('names every machine, load balancers too, but nobody who leaves', () => {
    const text = textOf(etcHosts, awkward(), 'etc-hosts.yml');
    expect(text).toContain('      "lb01": "2001:db8::31 lb01"\n');
    expect(text).toContain("rejectattr('key', 'in', groups['leaving'])");
    expect(text).toContain("'' if inventory_hostname in groups['leaving'] else etc_hosts_kept");
  });

  test('leaves its lines to preflight, which knows them by the same words', () => {
    const [marker = ''] =
      /(?<=marker: "# \{mark\} ).*(?=")/.exec(textOf(etcHosts, given, 'etc-hosts.yml')) ?? [];
    const module = templates['collection/plugins/module_utils/future_node.py'] ?? '';
    for (const mark of ['BEGIN', 'END']) expect(module).toContain(`# ${mark} ${marker}`);
  });
});

describe('the phase names, as Ansible reads it,', () => {
  test('breaks lines by a line break, since a backslash in an expression would be doubled', () => {
    const text = textOf(etcHosts, awkward(), 'etc-hosts.yml');
    expect(text).toContain(String.raw`join('\n') }}"`);
    expect(text).not.toContain(String.raw`\\n`);
  });
});

describe('the phase cleanup', () => {
  test('keeps the snapshots of etcd on the Ansible server', () => {
    const text = textOf(cleanup, given, 'cleanup.yml');
    expect(text).toContain('- "kubeconfig"');
    expect(text).not.toContain('/etcd');
  });
});
