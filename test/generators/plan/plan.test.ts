import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cluster, Machine } from '../../../generators/cluster/cluster.ts';
import { planOf, type Plan } from '../../../generators/plan/plan.ts';
import { nothingApplied } from '../../../generators/plan/applied.ts';
import { refusedChanges } from '../../../generators/plan/refusals.ts';
import { arbitraryCluster, arbitraryKubeadm } from '../../support/definitions/arbitrary-clusters.ts';
import {
  cluster,
  endpoint,
  kubeadmCluster,
  machine,
  podNetwork,
  seed,
  single,
} from '../../support/definitions/clusters.ts';
import { storageServer, stored } from '../../support/definitions/storage.ts';
import { bring, having, kube, plan, short, snapshot, withMachines, worker } from './support.ts';

const kubernetes = (change: Partial<Cluster['kubernetes']>): Cluster =>
  kubeadmCluster({ kubernetes: { ...kube.kubernetes, ...change } });

describe('a plan', () => {
  test('of a cluster that was never applied is the whole of it', () => {
    expect(short(planOf({ applied: nothingApplied, wanted: snapshot(kube) }))).toEqual(['instantiate']);
    expect(short(planOf({ applied: nothingApplied, wanted: snapshot(cluster()) }))).toEqual(['site']);
  });

  test('of what is applied is empty, for every cluster', () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryCluster, arbitraryKubeadm), (any) => {
        expect(plan(any, any)).toMatchObject({ steps: [], refused: [], unneeded: [] });
      }),
      { numRuns: 15 },
    );
    for (const any of [kube, cluster(), seed(), single()]) expect(plan(any, any).steps).toEqual([]);
  });

  test('takes new workers in at once, and tells the others of them by nothing else', () => {
    const grown = withMachines([...kube.machines, worker('w3', '10.0.0.23'), worker('w30', '10.0.0.24')]);
    expect(short(plan(kube, grown))).toEqual(['scale-out w3 w30']);
    expect(plan(kube, grown).steps[0]?.reasons).toEqual([
      'w3 (10.0.0.23, worker) is new',
      'w30 (10.0.0.24, worker) is new',
    ]);
  });

  test('takes workers out one by one, from the bundle that knows them, then tells the others', () => {
    const shrunk = withMachines(kube.machines.slice(0, -1));
    const { steps } = plan(kube, shrunk);
    expect(short(plan(kube, shrunk))).toEqual(['scale-in w2 (remove)', 'etc-hosts', 'workers', 'verify']);
    expect(steps[0]).toMatchObject({ from: 'applied', confirm: 'w2' });
    expect(steps[1]?.from).toBe('wanted');
  });

  test('knows machines by their names with domains', () => {
    const [first = worker('w1', '10.0.0.21')] = kube.machines.filter(({ name }) => name === 'w1');
    const others = kube.machines.filter(({ name }) => name !== 'w1');
    const named = withMachines([...others, { ...first, name: 'w1.example.org' }]);
    const more = [...named.machines, worker('w1.example', '10.0.0.41')];
    expect(short(plan(named, withMachines(more)))).toEqual(['scale-out w1.example']);
    expect(short(plan(withMachines(more), named))[0]).toBe('scale-in w1.example (remove)');
    const moved = named.machines.map((each) =>
      each.name === 'w1.example.org' ? { ...each, address: '10.0.0.42' } : each,
    );
    expect(short(plan(named, withMachines(moved)))[0]).toBe('replace-node w1.example.org (reset)');
    const marked = named.machines.map((each) =>
      each.name === 'w1.example.org'
        ? { ...each, labels: [{ key: 'example.org/disk', value: 'ssd' }] }
        : each,
    );
    expect(short(plan(named, withMachines(marked)))).toEqual(['workers', 'verify']);
  });

  test('does not take worker1 for worker10', () => {
    const many = withMachines([...kube.machines, worker('w1-0', '10.0.0.30'), worker('w10', '10.0.0.31')]);
    const fewer = withMachines(many.machines.filter(({ name }) => name !== 'w1'));
    expect(short(plan(many, fewer))[0]).toBe('scale-in w1 (remove)');
    expect(plan(many, fewer).steps.filter(({ operation }) => operation === 'scale-in')).toHaveLength(1);
  });

  test('replaces a node whose address changed, and minds the majority of etcd', () => {
    const at = (name: string, address: string): Cluster =>
      withMachines(kube.machines.map((each) => (each.name === name ? { ...each, address } : each)));
    expect(short(plan(kube, at('w1', '10.0.0.99')))[0]).toBe('replace-node w1 (reset)');
    // The certificates of API servers have the addresses of all.
    const certified = ({ machines, ...others }: Cluster): Cluster => ({
      ...others,
      machines,
      kubernetes: { ...others.kubernetes, certificateSans: machines.map(({ address }) => address) },
    });
    const { steps, refused } = plan(certified(kube), certified(at('cp1', '10.0.0.98')));
    expect(steps[0]).toMatchObject({ operation: 'replace-node', danger: 'quorum', confirm: 'cp1' });
    expect(steps[0]?.brings).toEqual(['etc-hosts', 'haproxy', 'keepalived']);
    // The others are told its new address; what they do not need of it restarts nothing.
    expect(steps.at(-1)?.operation).toBe('reconfigure');
    expect(refused).toEqual([]);
  });

  test('replaces a node whose second address changed, and minds none that an older Playsmith did not know', () => {
    const at = (secondaryAddress: string): Cluster =>
      withMachines(kube.machines.map((each) => (each.name === 'w1' ? { ...each, secondaryAddress } : each)));
    const before = at('2001:db8::21');
    expect(short(plan(before, before))).toEqual([]);
    expect(short(plan(before, at('2001:db8::22')))[0]).toBe('replace-node w1 (reset)');
    const { whole, ...applied } = having(kube);
    if (whole === undefined) throw new Error('nothing was applied');
    const machines = whole.cluster.machines.map((each) => {
      const entries = Object.entries(each).filter(([key]) => key !== 'secondaryAddress');
      return Object.fromEntries(entries) as unknown as Machine;
    });
    const older = { ...applied, whole: { ...whole, cluster: { ...whole.cluster, machines } } };
    expect(short(planOf({ applied: older, wanted: snapshot(kube) }))).toEqual([]);
  });

  test('refuses another encapsulation of Calico, whose pools are made once', () => {
    const having = (encapsulation: 'ipip' | 'vxlan'): Cluster =>
      kubeadmCluster({ podNetwork: podNetwork({ plugin: 'calico', encapsulation }) });
    expect(plan(having('ipip'), having('vxlan')).refused).toEqual([
      expect.stringContaining('the pools of Calico were made with ipip'),
    ]);
  });

  test('builds as a whole where a control plane is new', () => {
    const more = withMachines([
      ...kube.machines,
      machine('cp4', '10.0.0.14', { roles: ['control-plane', 'etcd'] }),
    ]);
    expect(short(plan(kube, more))).toEqual(['instantiate']);
  });

  test('runs only the phase of a setting, with the setting as its reason', () => {
    const changed = kubeadmCluster({
      endpoint: { ...kube.endpoint, keepalived: { ...kube.endpoint.keepalived, virtualRouterId: 52 } },
    });
    const { steps } = plan(kube, changed);
    expect(short(plan(kube, changed))).toEqual(['keepalived', 'verify']);
    expect(steps[0]?.reasons).toEqual(['endpoint.keepalived.virtualRouterId: 51 becomes 52']);
  });

  test('runs what a setting needs beside a new worker as a step of its own', () => {
    const grown = withMachines([...kube.machines, worker('w3', '10.0.0.23')]);
    const both = { ...grown, containerd: { ...grown.containerd, cri: { max_concurrent_downloads: 5 } } };
    expect(short(plan(kube, both))).toEqual(['scale-out w3', 'containerd', 'verify']);
  });

  test('goes to a newer version by a snapshot and the upgrade, and to no older one', () => {
    const version = (to: string): Plan => plan(kube, kubernetes({ version: to }));
    expect(short(version('1.34.9')).slice(0, 2)).toEqual(['etcd-backup', 'upgrade']);
    expect(short(version('1.35.0')).slice(0, 2)).toEqual(['etcd-backup', 'upgrade']);
    expect(version('1.36.0').refused[0]).toContain('upgrade one at a time');
    expect(version('1.34.0').refused[0]).toContain('cannot be downgraded');
  });

  test('brings the container runtime that goes with a new version before the version itself', () => {
    const newer = kubernetes({ version: '1.35.0' });
    const both = {
      ...newer,
      containerd: { ...newer.containerd, cri: { max_container_log_line_size: 4096 } },
    };
    expect(short(plan(kube, both)).slice(0, 3)).toEqual(['containerd', 'etcd-backup', 'upgrade']);
  });

  test.each<[string, Partial<Cluster>]>([
    ['endpoint.address', { endpoint: { ...kube.endpoint, address: '10.0.0.200' } }],
    ['endpoint.port', { endpoint: { ...kube.endpoint, port: 7443 } }],
    ['network.podSubnets', { network: { ...kube.network, podSubnets: ['10.9.0.0/16'] } }],
    ['network.serviceSubnets', { network: { ...kube.network, serviceSubnets: ['10.9.0.0/16'] } }],
    ['podNetwork.plugin', { podNetwork: { ...kube.podNetwork, plugin: 'flannel' } }],
  ])('refuses %s with the reason', (key, change) => {
    const { refused } = plan(kube, kubeadmCluster(change));
    expect(refused).toHaveLength(1);
    expect(refused[0]).toContain(`${key}: `);
    expect(refused[0]).toMatch(/cannot be changed|have the network/);
  });

  test.each([
    [['10.244.0.0/16', 'fd00:1::/56']],
    [['10.244.0.0/16']],
    [['fd00::/56', '10.244.0.0/16']],
    [['10.9.0.0/16', 'fd00::/56']],
  ])('refuses that either network of a dual-stack cluster, or their order, changes: %s', (podSubnets) => {
    const network = { ...kube.network, serviceSubnets: ['10.96.0.0/16', 'fd01::/112'] };
    const dual = kubeadmCluster({ network: { ...network, podSubnets: ['10.244.0.0/16', 'fd00::/56'] } });
    expect(plan(dual, kubeadmCluster({ network: { ...network, podSubnets } })).refused).toEqual([
      expect.stringMatching(/^network\.podSubnets: .* is in the certificates and settings of every node/),
    ]);
  });

  test('refuses another plugin beside one that stayed, also by way of none', () => {
    const named = (plugin: Cluster['podNetwork']['plugin']): Cluster =>
      kubeadmCluster({ podNetwork: { ...kube.podNetwork, plugin } });
    const routed = having(named('static-routes'));
    const none = bring(routed, named('none'));
    expect(planOf({ applied: none, wanted: snapshot(named('flannel')) }).refused).toEqual([
      'podNetwork.plugin: pods still have the network of static-routes, which stayed when the definition no longer named it: name that again, or recreate the cluster',
    ]);
    expect(refusedChanges(none, snapshot(named('flannel')))).toHaveLength(1);
    expect(planOf({ applied: none, wanted: snapshot(named('none')) }).refused).toEqual([]);
    const again = planOf({ applied: none, wanted: snapshot(named('static-routes')) });
    expect(again.refused).toEqual([]);
    const more = bring(none, {
      ...named('none'),
      proxy: { http: 'http://proxy:3128', https: '', noProxy: [] },
    });
    expect(planOf({ applied: more, wanted: snapshot(named('flannel')) }).refused).toHaveLength(1);
    const back = bring(none, named('static-routes'));
    expect(planOf({ applied: back, wanted: snapshot(named('none')) }).refused).toEqual([]);
    expect(planOf({ applied: having(named('none')), wanted: snapshot(named('flannel')) }).refused).toEqual(
      [],
    );
  });

  test('changes the address in front of a Kubernetes that somebody else installs', () => {
    const before = cluster();
    const after = cluster({ endpoint: { ...before.endpoint, address: '10.0.0.200' } });
    expect(plan(before, after)).toMatchObject({ refused: [] });
    expect(short(plan(before, after))).toEqual(['keepalived']);
  });

  test('refuses to leave a second holder of the address behind', () => {
    const before = cluster();
    const after = cluster({ machines: before.machines, endpoint: endpoint(before.machines.slice(0, 2)) });
    expect(plan(before, after).refused).toEqual([expect.stringMatching(/^cp3 no longer balances/)]);
  });

  test('names what no host has to hear of', () => {
    const told = plan(kube, kubeadmCluster({ review: 'required' }));
    expect(told).toMatchObject({ steps: [], refused: [] });
    expect(told.unneeded).toEqual([
      'review: optional becomes required: it says what may be run, and is on no host',
    ]);
  });

  test('gives a change as the reason that brings a phase to run which no rule names', () => {
    const offline = kubeadmCluster({ offline: { artifacts: '/srv/artifacts', sha256: 'ab'.repeat(32) } });
    const reasons = plan(offline, kube).steps.find(({ operation }) => operation === 'haproxy')?.reasons;
    expect(reasons).toEqual([
      'offline.artifacts: /srv/artifacts becomes nothing',
      expect.stringMatching(/^offline\.sha256: /),
    ]);
  });

  test('says that machines stand in another order where that is all', () => {
    const turned = plan(kube, { ...kube, machines: kube.machines.toReversed() });
    expect(turned.steps[0]?.reasons).toEqual(['the definition names its machines in another order']);
  });

  test('names the storage server that goes on without the definition', () => {
    const [one, two] = [storageServer(), storageServer({ host: 'storage2', address: '10.0.0.91' })];
    expect(plan(stored([one, two]), stored([one])).unneeded).toEqual([
      expect.stringMatching(/^storage2 is no storage server any more, .*disable --now nfs-server there$/),
    ]);
  });

  test('takes the source of apt away from nodes with offline, and names the machines that keep it', () => {
    const offline = { artifacts: '/srv/artifacts', sha256: 'ab'.repeat(32) };
    const online = stored([storageServer({ host: 'storage2', address: '10.0.0.91' })]);
    const { steps, unneeded } = plan({ ...online, offline }, online);
    expect(steps.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['node-prerequisites', 'containerd', 'kubernetes-packages']),
    );
    expect(unneeded).toContainEqual(
      expect.stringMatching(
        /^artifacts is no longer .*on nodes; apt of storage2 goes on .* rm \/etc\/apt\/\S+pref \/etc\/apt\/\S+list there$/,
      ),
    );
    const back = short(plan(kube, kubeadmCluster({ offline })));
    expect(back).toEqual(
      expect.arrayContaining(['artifacts', 'node-prerequisites', 'containerd', 'kubernetes-packages']),
    );
  });

  test('says so when Playsmith renders otherwise than the one that was applied', () => {
    const applied = having(kube, 'then');
    const told = planOf({
      applied: { ...applied, phases: { ...applied.phases, haproxy: 'x' } },
      wanted: snapshot(kube),
    });
    expect(short(told)).toEqual(['haproxy', 'verify']);
    expect(told.steps[0]?.reasons[0]).toContain('another version of Playsmith');
  });
});

describe('what a person reads', () => {
  const three = kubeadmCluster({
    machines: [
      ...[1, 2, 3].map((n) => machine(`cp${n}`, `10.0.0.1${n}`, { roles: ['control-plane', 'etcd'] })),
      machine('worker1', '10.0.0.21', { roles: ['worker'] }),
    ],
  });
  const at =
    (name: string, address: string) =>
    (each: Machine): Machine =>
      each.name === name ? { ...each, address } : each;

  test('nodes that trade their addresses are refused, and not taken for two replacements', () => {
    const traded = {
      ...three,
      machines: three.machines
        .map(at('cp1', '10.0.0.12'))
        .map((each) => (each.name === 'cp2' ? { ...each, address: '10.0.0.11' } : each)),
    };
    expect(plan(three, traded).refused).toEqual([
      expect.stringContaining(
        'machines.cp1.address: 10.0.0.12 is cp2, which is in the cluster under that name',
      ),
      expect.stringContaining('machines.cp2.address: 10.0.0.11 is cp1'),
    ]);
    const moved = { ...three, machines: three.machines.map(at('cp1', '10.0.0.19')) };
    expect(plan(three, moved).refused).toEqual([]);
  });

  test('of a list of names what came and what went is told', () => {
    const names = (last: string): Cluster => ({
      ...three,
      kubernetes: {
        ...three.kubernetes,
        certificateSans: ['api.first.example.org', 'api.second.example.org', 'api.third.example.org', last],
      },
    });
    const said = JSON.stringify(plan(names('one.example.org'), names('two.example.org')));
    expect(said).toContain('certificateSans: two.example.org is added, one.example.org is gone');
  });
});
