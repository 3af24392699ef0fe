import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { meaningOf } from '../../../generators/plan/rules.ts';
import { stillBalancing } from '../../../generators/plan/balancers.ts';
import { externalLoadBalancer, kubeadmCluster, machine } from '../../support/definitions/clusters.ts';

const kube = kubeadmCluster();

const refusal = (key: string, before: string, after: string): string => {
  const meaning = meaningOf({ key, before, after }, { before: kube, after: kube });
  return meaning.kind === 'refused' ? meaning.why : meaning.kind;
};

describe('a change that no playbook brings to what runs', () => {
  test.each([['endpoint.haproxy.etcdPort', '0', '12379', 'no client would trust them there']])(
    'of %s is refused, with what would not work',
    (key, before, after, why) => {
      expect(refusal(key, before, after)).toContain(why);
    },
  );

  test('of etcd behind the endpoint is brought where its certificates hold the address', () => {
    expect(refusal('endpoint.haproxy.etcdPort', '12379', '12380')).toBe('phases');
  });

  test.each([
    ['schedule.jobs.drift.onCalendar', 'npx task schedule install'],
    ['messages.ops.on', 'npx task schedule install'],
  ])('of %s says what does', (key, what) => {
    const meaning = meaningOf({ key, before: 'a', after: 'b' }, { before: kube, after: kube });
    expect(meaning).toMatchObject({ kind: 'none', why: expect.stringContaining(what) as string });
  });

  test('leaves no machine behind that balances for clients outside', () => {
    const hosts = ['elb01', 'elb02'].map((name, index) => ({
      name,
      address: `10.0.0.4${index}`,
      priority: 100,
    }));
    const having = (balancers: typeof hosts): Cluster => ({
      ...kube,
      machines: [
        ...kube.machines,
        ...hosts.map(({ name, address }) => machine(name, address, { roles: [] })),
      ],
      externalLoadBalancer: externalLoadBalancer({ balancers }),
    });
    const whole = { bundle: 'b', made: 'now', cluster: having(hosts) };
    const wanted = { cluster: having(hosts.slice(0, 1)) };
    expect(stillBalancing({ applied: { whole }, wanted, movement: { removed: [] } })).toEqual([
      expect.stringMatching(/^elb02 no longer balances for clients outside/),
    ]);
  });
});
