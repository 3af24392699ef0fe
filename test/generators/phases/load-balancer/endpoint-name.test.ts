import { parse, parseAllDocuments } from 'yaml';
import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../../generators/cluster/cluster.ts';
import { render } from '../../../../generators/render.ts';
import { endpoint, kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { templates } from '../../../support/definitions/templates.ts';

const dnsName = 'api.cluster.example.org';
const plain = kubeadmCluster();
const named = kubeadmCluster({ endpoint: { ...plain.endpoint, dnsName } });

const textOf = (cluster: Cluster, path: string): string => {
  const file = render(cluster, templates).find((each) => each.path === path);
  if (file === undefined) throw new Error(`there is no ${path}`);
  return file.text;
};

/** The document of that kind in a file of kubeadm. */
const documentOf = (cluster: Cluster, path: string, kind: string): unknown =>
  parseAllDocuments(textOf(cluster, path))
    .map((each) => each.toJS() as { readonly kind?: string })
    .find((each) => each.kind === kind);

const configuration = 'files/kubernetes-settings/kubeadm.yaml.j2';

describe('an endpoint with a name', () => {
  test('is called by it in what kubeadm is told, first and when a node joins', () => {
    expect(documentOf(named, configuration, 'ClusterConfiguration')).toMatchObject({
      controlPlaneEndpoint: `${dnsName}:6440`,
    });
    const joins = render(named, templates).filter(({ path }) => /\/join\b.*\.j2$/.test(path));
    expect(joins.map(({ path }) => path)).toEqual([
      'files/control-plane/join.yaml.j2',
      'files/workers/join.yaml.j2',
    ]);
    for (const { path, text } of joins) expect(text, path).toContain(`apiServerEndpoint: "${dnsName}:6440"`);
  });

  test('has it beside its address in the certificates of etcd that is balanced', () => {
    const haproxy = { ...plain.endpoint.haproxy, etcdPort: 12_379 };
    const balanced = kubeadmCluster({ endpoint: { ...named.endpoint, haproxy } });
    expect(documentOf(balanced, configuration, 'ClusterConfiguration')).toMatchObject({
      etcd: { local: { serverCertSANs: ['10.0.0.100', dnsName] } },
    });
  });

  test('is in /etc/hosts of every node before anything of Kubernetes runs', () => {
    const [, play] = parse(textOf(named, 'etc-hosts.yml')) as readonly { readonly vars: object }[];
    expect(play).toMatchObject({ vars: { etc_hosts_lines: { [dnsName]: `10.0.0.100 ${dnsName}` } } });
    const order = textOf(named, 'instantiate.yml');
    expect(order.indexOf('etc-hosts.yml')).toBeLessThan(order.indexOf('control-plane.yml'));
  });

  test('is where kubelets of this cluster look for it, and still at its address', () => {
    for (const path of ['preflight.yml', 'node-preflight.yml', 'reset.yml'])
      expect(textOf(named, path), path).toMatch(
        new RegExp(`- "https://${dnsName}:6440"\n +- "https://10.0.0.100:6440"`),
      );
    expect(textOf(named, 'control-plane.yml')).toContain(
      `"https://${dnsName}:6440 https://10.0.0.100:6440 https://10.0.0.11:6443`,
    );
  });

  test('is reached without the proxy', () => {
    const proxied = { ...named, proxy: { http: 'http://192.0.2.3:3128', https: '', noProxy: [] } };
    const told = render(proxied, templates).filter(({ text }) => text.includes('no_proxy'));
    expect(told.length).toBeGreaterThan(0);
    for (const { path, text } of told) expect(text, path).toContain(`10.0.0.100,${dnsName},`);
  });

  test('is nowhere else: load balancers, drills and who holds the address go by the address', () => {
    const before = new Map(render(plain, templates).map(({ path, text }) => [path, text]));
    const differing = render(named, templates).filter(({ path, text }) => before.get(path) !== text);
    expect(differing.map(({ path }) => path)).toEqual([
      'README.md',
      'control-plane.yml',
      'etc-hosts.yml',
      'files/control-plane/join.yaml.j2',
      'files/kubernetes-settings/kubeadm.yaml.j2',
      'files/workers/join.yaml.j2',
      'kubernetes-settings.yml',
      'node-preflight.yml',
      'preflight.yml',
      'reset.yml',
    ]);
  });

  test('of IPv6 is the same', () => {
    const six = kubeadmCluster({
      endpoint: endpoint(plain.machines, { address: '2001:db8::80', prefix: 64, family: 6, dnsName }),
    });
    expect(textOf(six, 'etc-hosts.yml')).toContain(`"2001:db8::80 ${dnsName}"`);
    expect(textOf(six, configuration)).toContain(`controlPlaneEndpoint: "${dnsName}:6440"`);
  });
});
