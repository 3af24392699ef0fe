import { load, loadAll } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { engine } from '../../../../generators/engine.ts';
import { network } from '../../../../generators/phases/network/network.ts';
import type { Cluster, PodNetwork } from '../../../../generators/cluster/cluster.ts';
import { cluster, kubeadm, machine, podNetwork } from '../../../support/definitions/clusters.ts';
import { templates } from '../../../support/definitions/templates.ts';

const machines = [machine('cp1', '10.0.0.11'), machine('cp2', '10.0.0.12')];
const sum = 'ab'.repeat(32);

function given(plugin: PodNetwork['plugin'], { version = '1.34.1', mtu = 0, offline = false } = {}): Cluster {
  return {
    ...cluster({ machines, ...kubeadm(machines, { version }) }),
    podNetwork: podNetwork({ plugin, url: `https://example.org/${plugin}`, sha256: sum, mtu }),
    offline: offline ? { artifacts: '/srv/artifacts', sha256: sum } : { artifacts: '', sha256: '' },
  };
}

const dual = (from: Cluster): Cluster => ({
  ...from,
  network: { ...from.network, podSubnets: ['10.244.0.0/16', 'fd00:10:244::/56'] },
});

const rendered = (from: Cluster): ReadonlyMap<string, string> =>
  new Map(network.render(from, engine(templates, from.name)).map(({ path, text }) => [path, text]));

const patches = (from: Cluster): readonly unknown[] =>
  loadAll(rendered(from).get('files/network/patch.yaml') ?? '');

describe('the phase network', () => {
  test('leaves pods alone where somebody else brings a plugin', () => {
    expect(network.applies(given('none'))).toBe(false);
  });

  test('routes between hosts with programs that are in the bundle', () => {
    const files = rendered(given('static-routes', { mtu: 1400 }));
    expect([...files.keys()]).toEqual([
      'network.yml',
      'files/network/nodes.py',
      'files/network/static-routes.py',
      'files/network/playsmith-network.service',
    ]);
    expect(files.get('files/network/static-routes.py')).toContain('MTU = 1400');
  });

  test('wants a part of the pod network for each family of addresses', () => {
    expect(rendered(given('static-routes')).get('files/network/nodes.py')).toContain('WANTED = 1');
    expect(rendered(dual(given('static-routes'))).get('files/network/nodes.py')).toContain('WANTED = 2');
  });

  test.each(['calico', 'cilium'] as const)('takes %s only as it was reviewed', (plugin) => {
    expect(rendered(given(plugin)).get('network.yml')).toContain(`sha256:${sum}`);
  });

  test.each(['calico', 'cilium'] as const)('asks nobody outside for %s when offline', (plugin) => {
    const playbook = rendered(given(plugin, { offline: true })).get('network.yml') ?? '';
    expect(load(playbook)).toHaveLength(3);
    expect(playbook).not.toContain('https://');
    expect(playbook).toContain('/srv/artifacts/');
  });

  test.each(['calico', 'cilium'] as const)('applies the manifest of %s that is in the bundle', (plugin) => {
    const manifest = 'kind: DaemonSet\n';
    const brought = ({ podNetwork: own, ...rest }: Cluster): Cluster => ({
      ...rest,
      podNetwork: { ...own, manifest, url: '', sha256: '' },
    });
    for (const from of [given(plugin), given(plugin, { offline: true })]) {
      const files = rendered(brought(from));
      const playbook = files.get('network.yml') ?? '';
      const path = plugin === 'calico' ? 'files/network/plugin.yaml' : 'files/network/cilium.yaml';
      expect(files.get(path)).toBe(manifest);
      expect(playbook).toContain(path);
      expect(playbook).not.toMatch(/get_url|helm|artifacts|sha256/);
    }
  });

  describe('flannel', () => {
    type Item = Readonly<Record<string, unknown>> & { readonly kind: string };
    const manifest = (from: Cluster): readonly Item[] =>
      loadAll(rendered(from).get('files/network/flannel.yaml') ?? '') as readonly Item[];
    const settings = (from: Cluster, key: 'net-conf.json' | 'cni-conf.json'): unknown => {
      const { data } = manifest(from).find(({ kind }) => kind === 'ConfigMap') as unknown as {
        readonly data: Readonly<Record<string, string>>;
      };
      return JSON.parse(data[key] ?? '');
    };
    const hostGw = (from: Cluster): Cluster => ({
      ...from,
      podNetwork: { ...from.podNetwork, flannel: { ...from.podNetwork.flannel, backend: 'host-gw' } },
    });

    test('is applied from the manifest in the bundle, and nothing is fetched for it', () => {
      expect(manifest(given('flannel')).map(({ kind }) => kind)).toEqual([
        ...['Namespace', 'ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'ConfigMap', 'DaemonSet'],
      ]);
      expect(rendered(given('flannel')).get('network.yml')).not.toContain('http');
    });

    test('is told the pod networks of both families, or of the one there is', () => {
      expect(settings(dual(given('flannel')), 'net-conf.json')).toEqual({
        Network: '10.244.0.0/16',
        EnableIPv6: true,
        IPv6Network: 'fd00:10:244::/56',
        Backend: { Type: 'vxlan' },
      });
      const six = {
        ...given('flannel'),
        network: { ...given('flannel').network, podSubnets: ['fd00::/56'] },
      };
      expect(settings(six, 'net-conf.json')).toMatchObject({ EnableIPv4: false, IPv6Network: 'fd00::/56' });
    });

    test.each([
      ['vxlan', given('flannel', { mtu: 1400 }), { Type: 'vxlan', MTU: 1450 }],
      ['host-gw', hostGw(given('flannel', { mtu: 1400 })), { Type: 'host-gw' }],
    ])('with %s gives pods packets of the size that the definition says', (_, from, backend) => {
      expect(settings(from, 'net-conf.json')).toMatchObject({ Backend: backend });
      expect(settings(from, 'cni-conf.json')).toMatchObject({ plugins: [{ delegate: { mtu: 1400 } }, {}] });
    });

    test('uses the interface that has the address of the node', () => {
      const text = rendered(given('flannel')).get('files/network/flannel.yaml') ?? '';
      expect(text).toContain('--iface=$(NODE_IP)');
      expect(text).toMatch(/name: NODE_IP\n +valueFrom:\n +fieldRef:\n +fieldPath: status\.hostIP/);
    });

    test('looks for the address by the option for IPv6 where that family is first', () => {
      const first = dual(given('flannel'));
      const reversed = {
        ...first,
        network: { ...first.network, podSubnets: first.network.podSubnets.toReversed() },
      };
      const argumentsOf = (from: Cluster): string =>
        /args: (.*--kube-subnet-mgr.*)/.exec(rendered(from).get('files/network/flannel.yaml') ?? '')?.[1] ??
        '';
      expect(argumentsOf(first)).not.toContain('public-ipv6');
      expect(argumentsOf(reversed)).toContain('--iface=$(NODE_IP), --public-ipv6=$(NODE_IP)');
    });

    test('is rolled out when what it is told changes, which it reads only when it starts', () => {
      const mark = (from: Cluster): string =>
        /settings: "(\w+)"/.exec(rendered(from).get('files/network/flannel.yaml') ?? '')?.[1] ?? '';
      expect(mark(given('flannel'))).toMatch(/^\w{12}$/);
      expect(mark(given('flannel', { mtu: 1400 }))).not.toBe(mark(given('flannel')));
    });
  });

  test('tells Calico the same, and lets it find out what it can', () => {
    const [, config] = patches(dual(given('calico'))) as readonly {
      readonly data: Readonly<Record<string, string>>;
    }[];
    expect(config?.data['veth_mtu']).toBe('0');
    expect(config?.data['cni_network_config']).toContain('"mtu": __CNI_MTU__,');
    expect(config?.data['cni_network_config']).toContain('"assign_ipv6": "true"');
  });

  test('rolls out Calico, which reads its settings when it starts', () => {
    const marked = (from: Cluster): unknown => {
      const [node] = patches(from) as readonly {
        readonly spec: { readonly template: { metadata: unknown } };
      }[];
      return node?.spec.template.metadata;
    };
    expect(marked(given('calico', { mtu: 1400 }))).not.toEqual(marked(given('calico')));
  });

  /** The environment that calico-node gets beside its manifest's own. */
  const environment = (from: Cluster): Readonly<Record<string, string>> => {
    const [node] = patches(from) as readonly {
      readonly spec: {
        readonly template: {
          readonly spec: {
            readonly containers: readonly [
              { readonly env: readonly { readonly name: string; readonly value: string }[] },
            ];
          };
        };
      };
    }[];
    const { env } = node?.spec.template.spec.containers[0] ?? { env: [] };
    return Object.fromEntries(env.map(({ name, value }) => [name, value]));
  };

  test('lets Calico find each node at the addresses that its kubelet registered', () => {
    expect(environment(given('calico'))).toEqual({
      CALICO_IPV4POOL_CIDR: '10.244.0.0/16',
      CALICO_IPV4POOL_IPIP: 'Always',
      CALICO_IPV4POOL_VXLAN: 'Never',
      IP_AUTODETECTION_METHOD: 'kubernetes-internal-ip',
    });
    expect(environment(dual(given('calico')))).toMatchObject({
      IP_AUTODETECTION_METHOD: 'kubernetes-internal-ip',
      IP6_AUTODETECTION_METHOD: 'kubernetes-internal-ip',
    });
    const six = given('calico');
    expect(environment({ ...six, network: { ...six.network, podSubnets: ['fd00::/56'] } })).toMatchObject({
      IP: 'none',
      CALICO_ROUTER_ID: 'hash',
    });
  });

  test.each([
    ['ipip', 'Always', 'Never', 'Never'],
    ['vxlan', 'Never', 'Always', 'Always'],
    ['none', 'Never', 'Never', 'Never'],
  ] as const)('gives the pools of Calico the encapsulation %s', (encapsulation, ipip, vxlan, vxlan6) => {
    const from = dual(given('calico'));
    expect(environment({ ...from, podNetwork: { ...from.podNetwork, encapsulation } })).toMatchObject({
      CALICO_IPV4POOL_IPIP: ipip,
      CALICO_IPV4POOL_VXLAN: vxlan,
      CALICO_IPV6POOL_VXLAN: vxlan6,
    });
  });

  test('asks Felix alone whether it is well where Calico goes without BGP', () => {
    const vxlan = given('calico');
    const [node, config] = patches({
      ...vxlan,
      podNetwork: { ...vxlan.podNetwork, encapsulation: 'vxlan' },
    });
    expect(config).toMatchObject({ data: { calico_backend: 'vxlan' } });
    expect(node).toMatchObject({
      spec: {
        template: {
          spec: {
            containers: [
              {
                livenessProbe: {
                  $patch: 'replace',
                  httpGet: { host: 'localhost', path: '/liveness', port: 9099 },
                },
              },
            ],
          },
        },
      },
    });
    expect(JSON.stringify(patches(given('calico')))).not.toMatch(/calico_backend|livenessProbe/);
  });

  test('tells Cilium the size of packets between nodes, so that those of pods are as the definition says', () => {
    expect(
      load(rendered(given('cilium', { mtu: 1400 })).get('files/network/values.yaml') ?? ''),
    ).toMatchObject({ routingMode: 'tunnel', tunnelProtocol: 'vxlan', MTU: 1450 });
  });

  test('tells Cilium which families there are', () => {
    const values = load(rendered(given('cilium')).get('files/network/values.yaml') ?? '');
    expect(values).toMatchObject({
      ipv4: { enabled: true },
      ipv6: { enabled: false },
      operator: { replicas: 2 },
    });
  });

  test('tells Cilium what the definition says besides, and that holds', () => {
    const values = { operator: { replicas: 1, tolerations: [] }, envoy: { enabled: false } };
    const from = given('cilium');
    const written = rendered({ ...from, podNetwork: { ...from.podNetwork, values } });
    expect(load(written.get('files/network/values.yaml') ?? '')).toMatchObject({
      ...values,
      routingMode: 'tunnel',
    });
  });
});
