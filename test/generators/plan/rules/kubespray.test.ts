import { describe, expect, test } from 'vitest';
import type { Cluster, Machine } from '../../../../generators/cluster/cluster.ts';
import { appliedAfter, type AppliedState } from '../../../../generators/plan/applied.ts';
import { effectOf } from '../../../../generators/plan/effect.ts';
import { planOf } from '../../../../generators/plan/plan.ts';
import { meaningOf } from '../../../../generators/plan/rules/rules.ts';
import { kubesprayExample } from '../../../support/definitions/kubespray.ts';
import { having, plan, short, snapshot } from '../support.ts';

const kindOf = (variable: string): string => {
  const sides = { before: kubesprayExample, after: kubesprayExample };
  return meaningOf({ path: `kubespray.variables.${variable}`.split('.'), before: '1', after: '2' }, sides)
    .kind;
};

test.each([
  ['kubernetes_audit', 'upgrade'],
  ['kube_encrypt_secret_data', 'upgrade'],
  ['kube_vip_interface', 'upgrade'],
  ['kubelet_max_pods', 'phases'],
  ['kube_network_node_prefix', 'refused'],
  ['dns_domain', 'refused'],
  ['etcd_deployment_type', 'refused'],
])('a changed variable of a running cluster is brought, or refused with the reason: %s', (variable, kind) => {
  expect(kindOf(variable)).toBe(kind);
});

/** What a plan says why kubespray's cluster.yml is run. */
const reasons = (before: Cluster, after: Cluster): string => {
  const { steps, refused } = plan(before, after);
  expect(refused).toEqual([]);
  return steps.find(({ operation }) => operation === 'kubespray-cluster')?.reasons.join('\n') ?? '';
};

describe('what kubespray leaves on nodes', () => {
  const withRegistries = (...registries: Cluster['containerd']['registries']): Cluster => ({
    ...kubesprayExample,
    containerd: { ...kubesprayExample.containerd, registries },
  });
  const [first] = kubesprayExample.containerd.registries;
  if (first === undefined) throw new Error('the example has a registry');
  const other = { ...first, host: 'registry.example.org:5000' };
  const both = withRegistries(first, other);
  const of = (
    containerManager: Cluster['kubespray']['containerManager'],
    cluster: Cluster,
    version = cluster.kubespray.version,
  ): Cluster => ({ ...cluster, kubespray: { ...cluster.kubespray, containerManager, version } });

  test('of a registry that goes, or loses its mirrors, is named with the way to be rid of it', () => {
    const way =
      '(kubespray takes no registry away: on each node rm -r /etc/containerd/certs.d/registry.example.org:5000)';
    expect(reasons(both, withRegistries(first)).split(way)).toHaveLength(2);
    expect(reasons(both, withRegistries(first, { ...other, mirrors: [] })).split(way)).toHaveLength(2);
    expect(reasons(of('crio', both), of('crio', withRegistries(first)))).toContain(
      'rm /etc/containers/registries.conf.d/10-registry.example.org_5000.conf, then systemctl restart crio',
    );
  });

  test('is nothing where a mirror is another one, a registry comes, or all are in one file', () => {
    const mirrors = ['https://other.example.org'];
    expect(reasons(both, withRegistries(first, { ...other, mirrors }))).not.toContain('takes no registry');
    expect(reasons(withRegistries(first), both)).not.toContain('takes no registry');
    expect(reasons(of('docker', both), of('docker', withRegistries(first)))).not.toContain('takes no');
    expect(
      reasons(of('containerd', both, 'v2.22.2'), of('containerd', withRegistries(first), 'v2.22.2')),
    ).not.toContain('takes no');
  });

  const behind = (proxy: Partial<Cluster['proxy']>): Cluster => ({
    ...kubesprayExample,
    proxy: { ...kubesprayExample.proxy, ...proxy },
  });
  test('of a proxy is told once: that of the container manager and of apt where it goes, of apt where it changes', () => {
    const gone = reasons(kubesprayExample, behind({ http: '', https: '' }));
    expect(gone.split('rm /etc/systemd/system/containerd.service.d/http-proxy.conf')).toHaveLength(2);
    expect(gone).toContain(
      'the line Acquire::http::proxy of /etc/apt/apt.conf on each node stays http://proxy',
    );
    expect(gone).toContain('the line Acquire::https::proxy');
    const changed = reasons(kubesprayExample, behind({ http: 'http://other.example.org:3128' }));
    expect(changed).toContain('until somebody changes it');
    expect(changed).not.toContain('http-proxy.conf');
    expect(reasons(behind({ http: '', https: '' }), kubesprayExample)).not.toContain('apt.conf');
  });
});

describe('control planes that come or move', () => {
  const sans = (cluster: Cluster, ...own: readonly string[]): Cluster => {
    const heads = cluster.machines.filter(({ roles }) => roles.includes('control-plane'));
    const certificateSans = [...heads.flatMap(({ name, address }) => [name, address]), ...own].toSorted();
    return { ...cluster, kubespray: { ...cluster.kubespray, certificateSans } };
  };
  const before = sans(kubesprayExample);
  const [, second = kubesprayExample.machines[0]] = kubesprayExample.machines;
  const moved = {
    ...kubesprayExample,
    machines: kubesprayExample.machines.map((each) =>
      each.name === second?.name ? { ...each, address: '192.0.2.99' } : each,
    ),
  };

  test('are no reason for an upgrade, which would go through machines that are not in yet', () => {
    expect(second?.roles).toContain('control-plane');
    expect(short(plan(before, sans(moved)))[0]).toBe(`replace-node ${second?.name ?? ''} (quorum)`);
    expect(short(plan(before, sans(moved)))).not.toContain('upgrade');
    expect(plan(before, sans(moved)).refused).toEqual([]);
  });

  test('wait for one that something else wants, or it for them', () => {
    expect(short(plan(before, sans(kubesprayExample, 'api.other')))).toContain('upgrade');
    expect(plan(before, sans(moved, 'api.other')).refused).toEqual([
      `kubespray.certificateSans: an upgrade goes through every node, and ${second?.name ?? ''} is not in yet as the definition says: bring one of the two first, that or ${second?.name ?? ''}`,
    ]);
  });
});

test('a control plane that kubespray cannot take out is refused by the plan, not only by its step', () => {
  const [first] = kubesprayExample.machines;
  const more = ['master08', 'master09'].map((name, index) => ({
    ...(first ?? kubesprayExample.machines[0]),
    ...{ name, address: `192.0.2.7${index}` },
  })) as readonly Machine[];
  const of = (machines: readonly Machine[]): Cluster => ({ ...kubesprayExample, machines });
  const grown = of([...kubesprayExample.machines, ...more]);
  const fewer = of(grown.machines.filter(({ name }) => ![first?.name, 'master09'].includes(name)));
  expect(plan(grown, fewer).refused).toEqual(
    expect.arrayContaining([
      expect.stringContaining(
        `${first?.name ?? ''} is the first control plane, which kubespray cannot take out`,
      ),
    ]),
  );
});

describe('a mark of a node', () => {
  const taint = { key: 'dedicated', value: 'cnf', effect: 'NoSchedule' } as const;
  const [a, b] = ['a', 'b'].map((key) => ({ key, value: '1' }));
  const [{ name } = { name: '' }] = kubesprayExample.machines.filter(({ roles }) => roles.includes('worker'));
  const marked = (marks: Partial<Pick<Machine, 'labels' | 'taints'>>): Cluster => ({
    ...kubesprayExample,
    machines: kubesprayExample.machines.map((machine) =>
      machine.name === name ? { ...machine, labels: [], taints: [], ...marks } : machine,
    ),
  });
  const labelled = (...labels: readonly ({ key: string; value: string } | undefined)[]): Cluster =>
    marked({ labels: labels.flatMap((label) => label ?? []) });

  test.each([
    ['comes', labelled(a), labelled(a, b)],
    ['has another value', labelled(a), labelled({ key: 'a', value: '2' })],
    ['is a taint', labelled(), marked({ taints: [taint] })],
  ])('that %s is brought by a call for the whole cluster', (_what, before, after) => {
    expect(short(plan(before, after))).toEqual(['kubespray-cluster', 'verify']);
    expect(plan(before, after).unneeded).toEqual([]);
  });

  test('that goes is taken away by whoever reads how', () => {
    const gone = plan(labelled(a, b), labelled());
    expect(gone.steps).toEqual([]);
    expect(gone.unneeded).toEqual([
      expect.stringMatching(new RegExp(`takes nothing away: kubectl label nodes ${name} a- b-$`)),
    ]);
    const other = plan(marked({ taints: [taint] }), marked({ taints: [{ ...taint, effect: 'NoExecute' }] }));
    expect(other.steps[0]?.reasons).toEqual([
      expect.stringContaining(`kubectl taint nodes ${name} dedicated:NoSchedule-)`),
    ]);
  });

  test('is asked for until kubespray was called for it, whatever else is run before', () => {
    const wanted = snapshot(labelled(b));
    const after = (operation: string, applied: AppliedState): AppliedState => {
      const asked = {
        operation,
        targets: [],
        brings: [],
        completes: '',
        check: false,
        limit: [],
        tagged: false,
      };
      const effect = effectOf(asked, wanted);
      if (effect === undefined) throw new Error(`${operation} has an effect`);
      const run = { run: 'r', operation, targets: [], bundle: wanted.bundle, effect };
      return appliedAfter(applied, { ...run, status: 'successful', recap: {} }, wanted);
    };
    const asks = (applied: AppliedState): string[] => short(planOf({ applied, wanted }));
    const other = after('haproxy', having(labelled(a)));
    expect(asks(other)).toEqual(['kubespray-cluster', 'verify']);
    expect(asks(after('kubespray-cluster', other))).toEqual([]);
    // Whatever comes after it to its end.
    const { haproxy: _, ...phases } = having(labelled(a)).phases;
    const behind = { ...having(labelled(a)), phases };
    expect(asks(behind)).toEqual(['haproxy', 'kubespray-cluster', 'verify']);
    const turned = after('haproxy', after('kubespray-cluster', behind));
    expect(asks(turned)).toEqual([]);
    expect(turned.whole?.bundle).toBe(wanted.bundle);
  });
});
