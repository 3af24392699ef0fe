import { describe, expect, test } from 'vitest';
import type { Cluster, ExternalLoadBalancer } from '../../../../generators/cluster/cluster.ts';
import { meaningOf } from '../../../../generators/plan/rules/rules.ts';
import { stillBalancing } from '../../../../generators/plan/balancers.ts';
import {
  cluster,
  containerd,
  externalLoadBalancer,
  kubeadmCluster,
  machine,
} from '../../../support/definitions/clusters.ts';
import { plan, short } from '../support.ts';

const kube = kubeadmCluster();

const refusal = (key: string, before: string, after: string): string => {
  const meaning = meaningOf({ path: key.split('.'), before, after }, { before: kube, after: kube });
  return meaning.kind === 'refused' ? meaning.why : meaning.kind;
};

describe('the name of the endpoint', () => {
  const named = kubeadmCluster({ endpoint: { ...kube.endpoint, dnsName: 'api.example.org' } });
  const judged = (before: Cluster, after: Cluster): string => {
    const [was = '', is = ''] = [before, after].map(({ endpoint }) => endpoint.dnsName);
    const meaning = meaningOf(
      { path: 'endpoint.dnsName'.split('.'), before: was, after: is },
      { before, after },
    );
    return 'why' in meaning ? `${meaning.kind}: ${meaning.why}` : meaning.kind;
  };
  const held = 'refused: every kubelet, kubeconfig and pod of the control plane cannot be changed in place';
  const beside = 'For another name everywhere: build a cluster beside this one, and move what runs';

  test('that comes is refused with what clients can have at once', () => {
    expect(judged(kube, named)).toBe(
      `${held}: they ask the API at 10.0.0.100, port 6440: remove dnsName again. Clients that want api.example.org: add it to certificateSans, and lead it to 10.0.0.100. ${beside}`,
    );
  });

  test('that goes or is another one is refused with what would be lost', () => {
    const other = kubeadmCluster({ endpoint: { ...kube.endpoint, dnsName: 'other.example.org' } });
    const lost = `${held}: they ask the API at api.example.org, and nodes that no longer find it would be lost: give api.example.org back.`;
    expect(judged(named, kube)).toBe(`${lost} ${beside}`);
    expect(judged(named, other)).toBe(
      `${lost} Clients that want other.example.org: add it to certificateSans, and lead it to 10.0.0.100. ${beside}`,
    );
  });

  test('stands for the address where another address is refused', () => {
    const meaning = meaningOf(
      { path: 'endpoint.address'.split('.'), before: '10.0.0.100', after: '10.0.0.101' },
      { before: named, after: named },
    );
    expect(meaning).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('ask the API at api.example.org, port 6440') as string,
    });
  });

  test('is asked for by no host of somebody else', () => {
    const [before, after] = [cluster(), cluster({ endpoint: named.endpoint })];
    expect(judged(before, after)).toMatch(/^none: /);
  });
});

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
    const meaning = meaningOf(
      { path: key.split('.'), before: 'a', after: 'b' },
      { before: kube, after: kube },
    );
    expect(meaning).toMatchObject({ kind: 'none', why: expect.stringContaining(what) as string });
  });

  test.each([
    ['kubernetes.backup.keep', 'takes effect with the next backup, and for scheduled jobs after'],
    ['drills.atMost', 'takes effect with the next drill, and for scheduled jobs after'],
  ])('of %s is told of scheduled jobs where there are any', (key, what) => {
    const change = { path: key.split('.'), before: '1', after: '2' };
    const after = { ...kube, schedule: { secretsFolder: '', jobs: [] } };
    const why = { kind: 'none', why: expect.stringContaining(what) as string };
    expect(meaningOf(change, { before: after, after })).toMatchObject(why);
    expect(meaningOf(change, { before: kube, after: kube })).not.toMatchObject(why);
  });

  test('of a schedule that is taken out says that its timers go on', () => {
    const change = { path: ['schedule', 'jobs', 'drift', 'name'], before: 'drift', after: undefined };
    expect(meaningOf(change, { before: kube, after: kube })).toMatchObject({
      why: expect.stringContaining('npx task schedule remove') as string,
    });
  });

  test('of the place of the Ansible server says that timers stay behind', () => {
    const change = { path: ['ansibleServer', 'directory'], before: '~/a', after: '~/b' };
    const told = (before: Cluster): string => {
      const meaning = meaningOf(change, { before, after: kube });
      return meaning.kind === 'none' ? meaning.why : meaning.kind;
    };
    expect(told(kube)).toBe('what it keeps of the cluster is there');
    expect(
      told({ ...kube, schedule: { jobs: [] } as unknown as NonNullable<Cluster['schedule']> }),
    ).toContain('npx task schedule remove');
  });

  test('of the NFS server says who has to be stopped first', () => {
    const change = { path: ['storage', 'servers', 'storage1', 'server'], before: 'kernel', after: 'ganesha' };
    expect(meaningOf(change, { before: kube, after: kube })).toMatchObject({
      phases: ['nfs-server'],
      note: expect.stringContaining('systemctl disable --now nfs-server') as string,
    });
  });

  const hosts = ['elb01', 'elb02'].map((name, index) => ({
    name,
    address: `10.0.0.4${index}`,
    priority: 100,
  }));
  const having = (balancers: typeof hosts, more: Partial<ExternalLoadBalancer> = {}): Cluster => ({
    ...kube,
    machines: [...kube.machines, ...hosts.map(({ name, address }) => machine(name, address, { roles: [] }))],
    externalLoadBalancer: externalLoadBalancer({ balancers, ...more }),
  });

  test('stops Keepalived where clients outside get no address any more', () => {
    const [before, after] = [having(hosts, { address: '10.0.1.10', prefix: 24 }), having(hosts)];
    const { steps, unneeded, refused } = plan(before, after);
    expect(refused).toEqual([]);
    expect(unneeded).not.toContainEqual(expect.stringContaining('stays there'));
    expect(steps[0]).toMatchObject({
      operation: 'external-load-balancer',
      reasons: [expect.stringMatching(/address: 10\.0\.1\.10 becomes nothing \(Keepalived stops there/)],
    });
    expect(short(plan(after, before))).toEqual(['external-load-balancer', 'external-keepalived', 'verify']);
  });

  test('of a script in place of HAProxy says what goes on, and of HAProxy in place of a script', () => {
    const change = { path: ['externalLoadBalancer', 'script', 'text'], before: '', after: '#!/bin/sh' };
    const [to, from] = [change, { ...change, before: change.after, after: '' }].map((each) =>
      meaningOf(each, { before: kube, after: kube }),
    );
    expect(to).toMatchObject({ note: expect.stringContaining('HAProxy has goes on') as string });
    expect(from).toMatchObject({ note: expect.stringContaining('the script set up stays') as string });
  });

  test('takes no containerd away below running pods, by the package or by an earlier minor version', () => {
    const by = (version: string): Cluster => {
      const archive = { version, url: `https://example.org/${version}`, sha256: version };
      const whole = { ...archive, runcUrl: 'https://example.org/runc', runcSha256: 'r' };
      return kubeadmCluster({ containerd: containerd({ source: 'archive', archive: whole }) });
    };
    expect(plan(by('2.3.7'), kube).refused).toEqual([
      expect.stringMatching(/^containerd\.source: .*containerd 2\.3\.7 of its archive/),
    ]);
    expect(plan(by('2.3.7'), by('1.7.28')).refused).toEqual([
      expect.stringMatching(/^containerd\.archive\.version: 2\.3\.7 becomes 1\.7\.28: .*was not made/),
    ]);
    for (const [before, after] of [
      [by('2.3.7'), by('2.3.6')],
      [by('1.7.28'), by('2.3.7')],
      [kube, by('2.3.7')],
    ] as const) {
      expect(plan(before, after).refused).toEqual([]);
      expect(short(plan(before, after))).toContain('containerd');
    }
  });

  test('leaves no machine behind that balances for clients outside', () => {
    const whole = { bundle: 'b', made: 'now', cluster: having(hosts) };
    const wanted = { cluster: having(hosts.slice(0, 1)) };
    expect(stillBalancing({ applied: { whole, members: {} }, wanted, movement: { removed: [] } })).toEqual([
      expect.stringMatching(/^elb02 no longer balances for clients outside/),
    ]);
  });
});
