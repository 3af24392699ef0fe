import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { importCluster } from '../../../generators/import/cluster/index.ts';
import { initDocuments } from '../../../generators/phases/kubeadm/documents.ts';
import type { Text } from '../../../generators/source/foreign/node.ts';
import { clusterOf, fixtures, wishing } from '../../support/definitions/imports.ts';

type Leaves = Readonly<Record<string, string>>;

/** Values by their paths, without what programs of Kubernetes write for "not set"; the order of names makes no difference. */
function leavesOf(value: unknown, path = ''): Leaves {
  if (Array.isArray(value)) return value.length === 0 ? {} : { [path]: JSON.stringify(value.toSorted()) };
  if (typeof value !== 'object' || value === null) {
    const text = JSON.stringify(value).replace(/^"(.*)"$/, '$1');
    return ['null', '', '0', '0s'].includes(text) ? {} : { [path]: text };
  }
  const inner = Object.entries(value).map(([key, each]) =>
    leavesOf(each, path === '' ? key : `${path}.${key}`),
  );
  return Object.assign({}, ...inner) as Leaves;
}

/** The files that the cluster keeps, by the kind of their configuration. */
function keptIn(texts: readonly Text[]): ReadonlyMap<string, Leaves> {
  const text = texts.find(({ file }) => file.endsWith('configmaps.json'))?.text ?? '';
  const { items } = JSON.parse(text) as {
    readonly items: readonly { readonly data: Record<string, string> }[];
  };
  return new Map(
    items
      .flatMap(({ data }) => Object.values(data))
      .map((each) => leavesOf(load(each)))
      .map((leaves) => [leaves['kind'] ?? '', leaves]),
  );
}

/** Paths whose values the playbooks would change on the imported cluster, and those that they say nothing about. */
function adoption(texts: readonly Text[]) {
  const cluster = clusterOf(importCluster(texts, wishing({ user: 'ops' })));
  const [first] = cluster.machines;
  if (first === undefined) throw new Error('the cluster has machines');
  const kept = keptIn(texts);
  const pairs = initDocuments(cluster, first)
    .map((document) => leavesOf(document))
    .flatMap((wanted) => {
      const found = kept.get(wanted['kind'] ?? '');
      return found ? [{ wanted, found }] : [];
    });
  expect(pairs).toHaveLength(3);
  return {
    changed: pairs.flatMap(({ wanted, found }) =>
      Object.keys(wanted).filter((path) => wanted[path] !== found[path]),
    ),
    unsaid: pairs.flatMap(({ wanted, found }) => Object.keys(found).filter((path) => !(path in wanted))),
  };
}

/** The cluster of the fixture with another configuration of kubeadm. */
const configured = (from: string | RegExp, to: string): readonly Text[] =>
  fixtures('cluster').map((each) => ({ ...each, text: each.text.replace(from, to) }));

/** What kubeadm and its components write themselves where nobody says it; the import says of all else that it is not taken over. */
const ownDefaults = [
  'caCertificateValidityPeriod',
  'certificateValidityPeriod',
  'certificatesDir',
  'encryptionAlgorithm',
  'imageRepository',
  'networking.dnsDomain',
  'authentication.anonymous.enabled',
  'authentication.webhook.enabled',
  'authentication.x509.clientCAFile',
  'authorization.mode',
  'clusterDNS',
  'clusterDomain',
  'healthzBindAddress',
  'healthzPort',
  'staticPodPath',
  'bindAddress',
  'bindAddressHardFail',
  'clientConnection.kubeconfig',
  'clusterCIDR',
  'conntrack.tcpBeLiberal',
  'enableProfiling',
  'iptables.masqueradeAll',
  'ipvs.strictARP',
  'nftables.masqueradeAll',
  'winkernel.enableDSR',
  'winkernel.forwardHealthCheckVip',
];

describe('what adopting an imported cluster would change of what kubeadm keeps', () => {
  test('is nothing', () => {
    const { changed, unsaid } = adoption(fixtures('cluster'));
    expect(changed).toEqual([]);
    expect(unsaid.toSorted()).toEqual(ownDefaults.toSorted());
  });

  test('is nothing of arguments, of kubelets and of kube-proxies that were told something', () => {
    const told = [
      ['scheduler: {}\\n', 'scheduler:\\n  extraArgs:\\n  - name: v\\n    value: \\"2\\"\\n'],
      ['mode: iptables\\n', 'mode: nftables\\n'],
      ['cgroupDriver: systemd\\n', 'cgroupDriver: systemd\\nmaxPods: 60\\n'],
      ['imageRepository: registry.k8s.io\\n', 'imageRepository: mirror.example.org/k8s\\n'],
    ] as const;
    for (const [from, to] of told) expect(adoption(configured(from, to)).changed, to).toEqual([]);
  });

  test('is the names in certificates where kubeadm was told none', () => {
    expect(adoption(configured(/ {2}certSANs:\\n(?: {2}- [^\\]+\\n)+/, '')).changed).toEqual([
      'apiServer.certSANs',
    ]);
  });
});
