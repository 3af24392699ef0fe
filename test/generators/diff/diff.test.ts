import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { explainDiff, explainInMarkdown } from '../../../generators/diff/diff.ts';
import { roomOfRest } from '../../../generators/diff/markdown.ts';
import { inlineText } from '../../../generators/markdown.ts';
import { compareClusters } from '../../../generators/diff/clusters.ts';
import { pack } from '../../../generators/bundle.ts';
import { render } from '../../../generators/render.ts';
import {
  cluster,
  endpoint,
  externalLoadBalancer,
  kubeadmCluster,
  machine,
  seed,
} from '../../support/definitions/clusters.ts';
import { templates } from '../../support/definitions/templates.ts';

const before = cluster();
const grown = ((): Cluster => {
  const machines = [...before.machines, machine('cp4', '10.0.0.14')];
  return cluster({ machines });
})();
const filesOf = (of: Cluster): ReturnType<typeof pack>['files'] => pack(of, render(of, templates)).files;

describe('in words', () => {
  test('a machine more is a server more on every load balancer', () => {
    expect(compareClusters(before, grown)).toEqual([
      'machine cp4 is added: 10.0.0.14, control-plane, etcd, worker',
      'haproxy: on cp1, cp2, cp3, cp4 a server cp4 (10.0.0.14:6443) is added',
      'keepalived: cp4 may hold the virtual address as well, with priority 147',
    ]);
  });

  test('a machine less is a server less', () => {
    expect(compareClusters(grown, before)).toEqual([
      'machine cp4 is removed: 10.0.0.14, control-plane, etcd, worker',
      'haproxy: on cp1, cp2, cp3 the server cp4 (10.0.0.14:6443) is removed',
      'keepalived: cp4 may no longer hold the virtual address',
    ]);
  });

  test('settings are told with their old and new values', () => {
    const { endpoint: old } = before;
    const after = cluster({
      endpoint: {
        ...old,
        address: '10.0.0.200',
        haproxy: { ...old.haproxy, check: { ...old.haproxy.check, fall: 3 } },
        keepalived: { ...old.keepalived, advertisementInterval: 0.2, interface: 'eth1' },
        balancers: old.balancers.map((each) => (each.name === 'cp1' ? { ...each, priority: 9 } : each)),
      },
      proxy: { http: 'http://proxy:3128', https: '', noProxy: ['a', 'b'] },
    });
    expect(compareClusters(before, after)).toEqual([
      'endpoint: address 10.0.0.100 becomes 10.0.0.200',
      'haproxy: on cp1, cp2, cp3 the check fall 2 becomes 3',
      'keepalived: on cp1 the priority 150 becomes 9',
      'keepalived: on cp1, cp2, cp3 the advertisement interval 1 becomes 0.2',
      'keepalived: on cp1, cp2, cp3 the interface is set to eth1',
      'proxy: http is set to http://proxy:3128',
      'proxy: no proxy is set to a, b',
    ]);
  });

  test('what kubeadm, containerd and the nodes are told is told as well', () => {
    const was = kubeadmCluster();
    const [first, ...others] = was.machines;
    if (!first) throw new Error('no machine');
    const registry = { host: 'a.b', mirrors: [], ca: '', user: '', passwordVariable: '' };
    const is = kubeadmCluster({
      machines: [
        {
          ...first,
          labels: [{ key: 'disk', value: 'ssd' }],
          taints: [{ key: 'dedicated', value: '', effect: 'NoSchedule' }],
        },
        ...others,
      ],
      kubernetes: {
        ...was.kubernetes,
        version: '1.34.2',
        extraArguments: {
          ...was.kubernetes.extraArguments,
          etcd: [{ name: 'quota-backend-bytes', value: '9' }],
        },
        audit: { ...was.kubernetes.audit, rules: [{ level: 'Metadata' }] },
      },
      containerd: { ...was.containerd, registries: [{ ...registry, ca: 'PEM' }] },
      podNetwork: { ...was.podNetwork, mtu: 1400, manifest: 'kind: DaemonSet' },
      offline: { artifacts: '/srv/artifacts', sha256: 'ab' },
    });
    expect(compareClusters(was, is)).toEqual([
      'machine cp1: labels is set to disk=ssd',
      'machine cp1: taints is set to dedicated:NoSchedule',
      'kubernetes: version 1.34.1 becomes 1.34.2',
      'kubernetes: extra arguments etcd is set to quota-backend-bytes=9',
      'kubernetes: audit rules is set to {"level":"Metadata"}',
      'containerd: the registry a.b is added',
      'pod network: mtu 0 becomes 1400',
      expect.stringMatching(/^pod network: manifest is set to [\da-f]{12}$/),
      'offline: artifacts is set to /srv/artifacts',
      'offline: sha256 is set to ab',
    ]);
  });

  test('what changes outside the cluster is told of its host and service', () => {
    const service = {
      namespace: 'tenant-a',
      name: 'web',
      servicePort: 80,
      port: 80,
      nodePort: 30080,
      backends: 'workers' as const,
      externalTrafficPolicy: 'Cluster' as const,
      healthCheckNodePort: 0,
      lookUp: false,
    };
    const having = (nodePort: number): Cluster =>
      cluster({
        externalLoadBalancer: externalLoadBalancer({
          balancers: [{ name: 'elb01', address: '10.0.1.11', priority: 100 }],
          services: [{ ...service, nodePort }],
        }),
      });
    expect(compareClusters(having(30080), having(30081))).toEqual([
      'external load balancer: service tenant-a/web:80 node port 30080 becomes 30081',
    ]);
    expect(compareClusters(cluster(), having(30080))).toContain(
      'external load balancer: hosts elb01 address is set to 10.0.1.11',
    );
  });

  test('a machine that moves is told where to', () => {
    const [first, ...others] = before.machines.map((each) => each);
    if (first === undefined) throw new Error('no machine');
    const moved = { ...first, ssh: { ...first.ssh, port: 2222 } };
    const after = { ...before, machines: [moved, ...others] };
    expect(compareClusters(before, after)).toEqual(['machine cp1: ssh port 22 becomes 2222']);
  });

  test('secrets are told by name alone', () => {
    const plain = { ...seed(), secrets: [] };
    expect(compareClusters(plain, seed())).toEqual(['secret vault_keepalived_password is needed']);
    expect(compareClusters(seed(), plain)).toEqual(['secret vault_keepalived_password is no longer needed']);
  });

  test('load balancers that go away are named where they were', () => {
    const after = cluster({ endpoint: { ...endpoint([]), placement: 'external' } });
    expect(compareClusters(before, after)).toContain(
      'haproxy: on cp1, cp2, cp3 the server cp1 (10.0.0.11:6443) is removed',
    );
  });
});

describe('as text', () => {
  const explained = explainDiff(filesOf(before), filesOf(grown), { oldCluster: before, newCluster: grown });

  test('words come first, then the files, then what differs in them', () => {
    expect(explained).toMatch(
      /^In words\n {2}machine cp4 is added[^]*\nFiles\n {2}changed {2}README.md\n[^]*\n {2}added {4}files\/keepalived\/cp4\/keepalived.conf.j2\n[^]*\n--- a\/README.md\n\+\+\+ b\/README.md\n@@/,
    );
    expect(explained).toContain('\n+    server cp4 10.0.0.14:6443\n');
    expect(explained).toContain('--- /dev/null\n+++ b/inventory/host_vars/cp4.yml\n');
  });

  test('the manifest is left out, since it follows from the rest', () => {
    expect(explained).not.toContain('manifest.json');
  });

  test('without clusters the files speak', () => {
    expect(explainDiff([], filesOf(before))).toMatch(/^Files\n {2}added {4}README.md\n/);
  });

  test('a change of a template alone is said to be one', () => {
    const other = filesOf(before).map((file) =>
      file.path === 'site.yml' ? { ...file, text: `${file.text}#\n` } : file,
    );
    expect(explainDiff(filesOf(before), other, { oldCluster: before, newCluster: before })).toMatch(
      /^In words\n {2}no change that can be summarized; see the files\n/,
    );
  });

  test('the same files are worth no word', () => {
    expect(explainDiff(filesOf(before), filesOf(before), { oldCluster: before, newCluster: before })).toBe(
      '',
    );
  });
});

describe('for a merge request', () => {
  const told = explainInMarkdown(filesOf(before), filesOf(grown), { oldCluster: before, newCluster: grown });

  test('words come first, then both pictures, then every file folded away', () => {
    expect(told).toMatch(
      /^## Cluster \S+: \d+ files of the bundle change\n\n- machine cp4 is added: 10\.0\.0\.14/,
    );
    expect(told.match(/```mermaid/g)).toHaveLength(2);
    expect(told).toContain('Control plane (4)');
    const files = told.match(/<details>/g)?.length ?? 0;
    expect(files).toBe(Number(/: (\d+) files/.exec(told)?.[1]));
  });

  test('a fence is longer than those in the text, so that a README stays in its own', () => {
    expect(told).toMatch(/^````diff$/m);
  });

  test('signs of Markdown stay what they are', () => {
    expect(inlineText('a *b* <c> `d` [e]')).toBe('a \\*b\\* \\<c\\> \\`d\\` \\[e\\]');
  });

  test('a value names nobody and no other request, and is no entity', () => {
    const html = marked.parse(inlineText('(@org/team) #12 !3 %4 &#64;all &lt;b&gt; $x$ \r# no heading'), {
      async: false,
    });
    expect(inlineText('ops@example.org')).toBe('ops@example.org');
    expect(html).not.toMatch(/(?<!\w)@\w|[#!%]\d|<b>|<h1>/);
    expect(html.replaceAll('\u200b', '')).toBe(
      '<p>(@org/team) #12 !3 %4 &amp;#64;all &amp;lt;b&amp;gt; $x$  # no heading</p>\n',
    );
  });

  test('is never longer than it may be, and says what is left out', () => {
    for (const limit of [1000, 3000, 20_000, told.length, told.length + roomOfRest]) {
      const origins = { oldCluster: before, newCluster: grown };
      const short = explainInMarkdown(filesOf(before), filesOf(grown), origins, limit);
      expect(short.length, String(limit)).toBeLessThanOrEqual(limit);
      const files =
        (short.match(/<details>/g)?.length ?? 0) +
        Number(/(\d+) more files?, too long/.exec(short)?.[1] ?? 0);
      expect(files, String(limit)).toBe(Number(/: (\d+) files/.exec(told)?.[1]));
      if (limit > told.length) expect(short).toBe(told);
    }
  });

  test('nothing is said of what is the same', () => {
    expect(explainInMarkdown(filesOf(before), filesOf(before))).toBe('');
  });
});
