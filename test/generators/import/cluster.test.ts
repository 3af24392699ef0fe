import { describe, expect, test } from 'vitest';
import { endpointOf } from '../../../generators/import/cluster/endpoint.ts';
import { importCluster } from '../../../generators/import/cluster/index.ts';
import type { Text } from '../../../generators/source/foreign/node.ts';
import { readYamlNode } from '../../../generators/source/foreign/yaml.ts';
import { clusterOf, fixtures, made, refusal, wishing } from '../../support/definitions/imports.ts';

const texts = fixtures('cluster');
const setting = wishing({ user: 'ops', ansibleServer: 'ops@192.0.2.5' });
const imported = (of: readonly Text[] = texts) => importCluster(of, setting);

/** The same objects with other words in one of the files. */
const changed = (file: string, from: string | RegExp, to: string, of = texts): readonly Text[] =>
  of.map((each) => {
    if (!each.file.endsWith(file)) return each;
    const text = each.text.replaceAll(from, to);
    if (text === each.text) throw new Error(`nothing in ${file} is ${String(from)}`);
    return { ...each, text };
  });

const warnings = (of: readonly Text[]): string =>
  made(imported(of))
    .warnings.map(({ message, remedy }) => `${message} | ${remedy}`)
    .join('\n');

/** The objects of nodes without some of them. */
function withoutNodes(text: string, ...gone: readonly string[]): string {
  const { items, ...list } = JSON.parse(text) as {
    readonly items: readonly { readonly metadata: { readonly name: string } }[];
  };
  return JSON.stringify({ ...list, items: items.filter(({ metadata }) => !gone.includes(metadata.name)) });
}

const configmaps = (from: string | RegExp, to: string) => changed('configmaps.json', from, to);

describe('a running cluster that kubeadm made', () => {
  test('has its nodes, endpoint, networks, version and settings in the definition', () => {
    const { name, machines, endpoint, network, kubernetes } = clusterOf(imported());
    expect(name).toBe('health');
    expect(machines.map((each) => [each.name, each.roles.join(), each.address])).toEqual([
      ['cp1', 'control-plane,etcd', '10.77.0.11'],
      ['cp2', 'control-plane,etcd', '10.77.0.12'],
      ['cp3', 'control-plane,etcd', '10.77.0.13'],
      ['worker1', 'worker', '10.77.0.21'],
    ]);
    expect(endpoint).toMatchObject({ address: '10.77.0.100', port: 6440, placement: 'external' });
    expect(network).toMatchObject({ podSubnets: ['10.244.0.0/16'], serviceSubnets: ['10.96.0.0/16'] });
    expect(kubernetes.version).toBe('1.37.2');
    expect(kubernetes.extraArguments.etcd).toEqual([{ name: 'unsafe-no-fsync', value: 'true' }]);
  });

  test('has what kubelets and kube-proxies are told, without what nobody set', () => {
    const { text, kept } = made(imported());
    expect(text).toContain('imageGCHighThresholdPercent: 100');
    expect(text).toContain('kubeProxy: { conntrack: { maxPerCore: 0, min: 0 }, mode: iptables }');
    expect(text).not.toMatch(/cpuManagerReconcilePeriod|winkernel|flushFrequency/);
    expect(kept).toEqual([]);
  });

  test('has zeros that somebody set, of fields that are absent where nobody does', () => {
    const { text, leftOver } = made(
      imported(
        configmaps('healthzPort: 10248\\n', 'healthzPort: 0\\nregistryPullQPS: 0\\nresolvConf: \\"\\"\\n'),
      ),
    );
    expect(leftOver.map(({ path }) => path)).toEqual(['kubelet.healthzPort']);
    expect(text).toMatch(/registryPullQPS: 0/);
    expect(text).toMatch(/resolvConf: ""/);
  });

  test('has kubelets whose certificates somebody approves', () => {
    const asking = configmaps(
      'rotateCertificates: true\\n',
      'rotateCertificates: true\\nserverTLSBootstrap: true\\n',
    );
    const { text, kept } = made(imported(asking));
    expect(text).toContain('serverTLSBootstrap: true');
    expect(kept).toEqual([]);
    expect(clusterOf(imported(asking)).kubernetes.serverTLSBootstrap).toBe(true);
  });

  test('keeps what kubeadm calls it under the name that somebody gives it, or that is safe', () => {
    const importOf = (clusterName: string, name: string) =>
      importCluster(configmaps('clusterName: health', `clusterName: ${clusterName}`), {
        ...setting,
        wishes: { ...setting.wishes, name },
      });
    const guided = made(importOf('kubernetes', 'guided'));
    expect(guided.text).toContain('metadata: { name: guided }');
    expect(guided.text).toContain('clusterName: kubernetes');
    const { name, kubernetes } = clusterOf(importOf('Site_1', ''));
    expect([name, kubernetes.clusterName]).toEqual(['site-1', 'Site_1']);
    expect(made(importOf('kubernetes', '')).text).not.toContain('clusterName');
  });

  test('has names of certificates beside those that it has anyway', () => {
    const { text } = made(imported(configmaps('- localhost\\n', '- localhost\\n  - api.example.org\\n')));
    expect(text).toContain('certificateSans: [api.example.org]');
  });

  test('has labels, taints, zones and compute hosts of nodes, and a control plane that is a worker too', () => {
    const marked = changed(
      'nodes.json',
      '"kubernetes.io/hostname": "worker1",',
      '"kubernetes.io/hostname": "worker1", "disk": "ssd", "topology.kubernetes.io/zone": "z1", "CIS-node": "c1",',
    );
    const bare = changed('nodes.json', /"taints": \[[^\]]*\]/g, '"taints": []', [...marked]);
    const [first, , , worker] = clusterOf(imported(bare)).machines;
    expect(first?.roles).toContain('worker');
    expect(worker?.roles).toEqual(['worker']);
    const { text } = made(imported(bare));
    expect(text).toContain('labels: { disk: ssd }');
    expect(text).toContain('zone: z1');
    expect(text).toContain('computeHost: c1');
  });

  test.each([
    { effects: ['PreferNoSchedule'], roles: ['control-plane', 'etcd', 'worker'] },
    { effects: ['NoSchedule', 'NoExecute'], roles: ['control-plane', 'etcd'] },
  ])(
    'tells a taint of control planes that kubeadm does not give, and keeps their roles: $effects',
    ({ effects, roles }) => {
      const key = 'node-role.kubernetes.io/control-plane';
      const taints = JSON.stringify(effects.map((effect) => ({ key, effect })));
      const tainted = changed('nodes.json', /"taints": \[[^\]]*\]/g, `"taints": ${taints}`);
      const [first] = clusterOf(imported(tainted)).machines;
      expect(first).toMatchObject({ roles, taints: [] });
      expect(made(imported(tainted)).assumptions).toContain(
        `cp1 has the taint ${key}:${effects.at(-1)}, which is not in the definition and stays as it is`,
      );
    },
  );

  test('tells the taint of control planes on a worker', () => {
    const tainted = changed(
      'nodes.json',
      /("name": "worker1",[^]*?"spec": \{)/g,
      '$1 "taints": [{ "key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule" }],',
    );
    expect(clusterOf(imported(tainted)).machines[3]).toMatchObject({ roles: ['worker'], taints: [] });
    expect(made(imported(tainted)).assumptions).toContain(
      'worker1 has the taint node-role.kubernetes.io/control-plane:NoSchedule, which is not in the definition and stays as it is',
    );
    expect(made(imported()).assumptions.join()).not.toContain('has the taint');
  });

  test('has one address of a node where pods have one family, and says the others', () => {
    const two = changed(
      'nodes.json',
      /\{\s*"address": "10\.77\.0\.21"/g,
      '{ "address": "10.77.0.21", "type": "InternalIP" }, { "address": "192.168.9.21"',
    );
    expect(clusterOf(imported(two)).machines[3]).toMatchObject({
      address: '10.77.0.21',
      secondaryAddress: '',
    });
    expect(made(imported(two)).assumptions).toContain(
      'worker1 is 10.77.0.21; its 192.168.9.21 is not in the definition',
    );
  });

  test('has the labels and taints by which other tools know roles of nodes', () => {
    const marked = changed(
      'nodes.json',
      '"kubernetes.io/hostname": "worker1",',
      '"kubernetes.io/hostname": "worker1", "node-role.kubernetes.io/ingress": "", "node-role.kubernetes.io/infra": "true",',
    );
    const tainted = changed(
      'nodes.json',
      /("name": "worker1",[^]*?"spec": \{)/g,
      '$1 "taints": [{ "key": "node-role.kubernetes.io/infra", "effect": "NoSchedule" }],',
      [...marked],
    );
    const worker = clusterOf(imported(tainted)).machines[3];
    expect(worker?.labels).toEqual([
      { key: 'node-role.kubernetes.io/infra', value: 'true' },
      { key: 'node-role.kubernetes.io/ingress', value: '' },
    ]);
    expect(worker?.taints).toEqual([
      { key: 'node-role.kubernetes.io/infra', value: '', effect: 'NoSchedule' },
    ]);
  });

  test('has flannel with its version and backend, and leaves calico as it is', () => {
    const withPlugin = (name: string, image: string): readonly Text[] => {
      const spec = { template: { spec: { containers: [{ image }] } } };
      const text = JSON.stringify({ kind: 'DaemonSet', metadata: { name }, spec });
      return [...texts, { file: 'plugin.json', text }];
    };
    const flannel = withPlugin('kube-flannel-ds', 'ghcr.io/flannel-io/flannel:v0.28.4');
    const told: Text = {
      file: 'flannel.json',
      text: JSON.stringify({
        kind: 'ConfigMap',
        metadata: { name: 'kube-flannel-cfg' },
        data: { 'net-conf.json': '{"Network": "10.244.0.0/16", "Backend": {"Type": "host-gw"}}' },
      }),
    };
    expect(made(imported([...flannel, told])).text).toContain(
      'flannel: { version: 0.28.4, backend: host-gw }',
    );
    expect(made(imported([...flannel, told])).leftOver).toEqual([]);
    const calico = made(imported(withPlugin('calico-node', 'quay.io/calico/node:v3.32.3')));
    expect(calico.text).toContain('plugin: none');
    expect(calico.assumptions.join('\n')).toContain('calico 3.32.3 stays as it is');
  });
});

test('what kubelets were told before an upgrade is nothing that they are told now', () => {
  const old = {
    kind: 'ConfigMap',
    metadata: { name: 'kubelet-config-1.23' },
    data: { kubelet: 'kind: KubeletConfiguration\nmaxPods: 42\n' },
  };
  const { text } = made(imported([...texts, { file: 'old.json', text: JSON.stringify(old) }]));
  expect(text).not.toContain('maxPods');
  expect(text).toContain('imageGCHighThresholdPercent: 100');
});

test('what flannel is told and the bundle would not tell it is said and listed', () => {
  const container = { image: 'ghcr.io/flannel-io/flannel:v0.28.4' };
  const settings = {
    ...{ Network: '10.240.0.0/12', EnableNFTables: false },
    Backend: { Type: 'vxlan', VNI: 4096, Port: 4789, DirectRouting: true },
  };
  const objects = [
    {
      kind: 'DaemonSet',
      metadata: { name: 'kube-flannel-ds' },
      spec: { template: { spec: { containers: [container] } } },
    },
    {
      kind: 'ConfigMap',
      metadata: { name: 'kube-flannel-cfg' },
      data: { 'net-conf.json': JSON.stringify(settings) },
    },
  ];
  const of = [...texts, { file: 'flannel.json', text: JSON.stringify({ kind: 'List', items: objects }) }];
  const found = made(imported(of));
  const keys = ['Network', 'Backend.VNI', 'Backend.Port', 'Backend.DirectRouting'];
  expect(found.leftOver.map(({ path }) => path)).toEqual(keys.map((key) => `flannel.${key}`));
  for (const key of keys)
    expect(warnings(of)).toContain(`flannel has \`${key}\`, which is not taken over: the first run ends it`);
});

describe('arguments of the control plane', () => {
  const told = (component: string, args: string) =>
    configmaps(`${component}: {}\\n`, `${component}:\\n  extraArgs:\\n${args}`);
  const runs = (pod: string, flag: string, of = texts) =>
    changed('pods.json', new RegExp(`"${pod}",(?=\\s+"--)`, 'g'), `"${pod}", "--${flag}",`, [...of]);

  test('are those that kubeadm was told, as a list or a mapping', () => {
    const listed = told('scheduler', '  - name: v\\n    value: \\"2\\"\\n');
    expect(made(imported(listed)).text).toContain('scheduler: { v: "2" }');
    const mapped = told('scheduler', '    v: \\"2\\"\\n');
    expect(made(imported(mapped)).text).toContain('scheduler: { v: "2" }');
  });

  test('that were told and do not run are said once, with the pods and what to do', () => {
    const said = warnings(told('scheduler', '    v: \\"2\\"\\n'));
    expect(said).toContain(
      'kube-scheduler-cp1, kube-scheduler-cp2, kube-scheduler-cp3 run without --v=2, which kubeadm was told',
    );
    expect(said.match(/without --v=2/g)).toHaveLength(1);
    expect(said).toContain('the first run adds it; else take it out of `extraArguments`');
    const one = runs('kube-scheduler', 'v=2', [...told('scheduler', '    v: \\"2\\"\\n')]).map((each) =>
      each.file.endsWith('pods.json')
        ? { ...each, text: each.text.replace('"kube-scheduler", "--v=2",', '"kube-scheduler",') }
        : each,
    );
    expect(warnings(one)).toMatch(/kube-scheduler-cp\d runs without --v=2/);
  });

  test('that run everywhere without its knowing are taken over, and said', () => {
    const by = runs('kube-apiserver', 'profiling=false');
    expect(made(imported(by)).text).toContain('apiServer: { profiling: "false" }');
    expect(warnings(by)).toContain(
      'kube-apiserver-cp1, kube-apiserver-cp2, kube-apiserver-cp3 run with --profiling=false, which kubeadm does not know of',
    );
    expect(warnings(by).match(/with --profiling=false/g)).toHaveLength(1);
  });

  test('that run on one node alone are only said', () => {
    const pods = texts.find(({ file }) => file.endsWith('pods.json'))?.text ?? '';
    const text = pods.replace(/"kube-apiserver",(?=\s+"--)/, '"kube-apiserver", "--profiling=false",');
    const one = texts.map((each) => (each.file.endsWith('pods.json') ? { ...each, text } : each));
    expect(made(imported(one)).text).not.toContain('profiling');
    expect(warnings(one)).toContain('the same on every control plane');
  });

  test('that kubeadm was told several times are refused: a definition has each once', () => {
    const twice =
      '  - name: service-account-issuer\\n    value: https://issuer.example.org\\n  - name: service-account-issuer\\n    value: https://kubernetes.default.svc.cluster.local\\n';
    const of = configmaps('apiServer:\\n', `apiServer:\\n  extraArgs:\\n${twice}`);
    expect(refusal(imported(of), of)).toContain(
      '--service-account-issuer is listed twice, and a definition has each argument once',
    );
    const same = twice.replace('issuer.example.org', 'kubernetes.default.svc.cluster.local');
    expect(made(imported(configmaps('apiServer:\\n', `apiServer:\\n  extraArgs:\\n${same}`))).text).toContain(
      'service-account-issuer: https://kubernetes.default.svc.cluster.local',
    );
    const running = runs('kube-apiserver', 'runtime-config=a=true', [
      ...runs('kube-apiserver', 'runtime-config=b=true'),
    ]);
    expect(refusal(imported(running), running)).toContain('--runtime-config is listed twice');
  });

  test('whose files only a volume of their own brings are refused: the pod would not start', () => {
    const args = '  - name: oidc-ca-file\\n    value: /srv/oidc/ca.pem\\n';
    const volume = '  extraVolumes:\\n  - name: oidc\\n    hostPath: /srv/oidc\\n    mountPath: /srv/oidc\\n';
    const of = configmaps('apiServer:\\n', `apiServer:\\n  extraArgs:\\n${args}${volume}`);
    expect(refusal(imported(of), of)).toMatch(
      /--oidc-ca-file=\/srv\/oidc\/ca\.pem lies in the volume oidc.*Fix: the file in \/etc\/kubernetes\/pki/s,
    );
    const byHand = changed(
      'pods.json',
      '"image":',
      '"volumeMounts": [{ "name": "oidc", "mountPath": "/srv/oidc" }], "image":',
      [...runs('kube-apiserver', 'oidc-ca-file=/srv/oidc/ca.pem')],
    );
    expect(refusal(imported(byHand), byHand)).toContain('lies in the volume oidc');
  });

  test('that encrypt Secrets are never left out in silence', () => {
    const args = '  - name: encryption-provider-config\\n    value: /etc/kubernetes/enc.yaml\\n';
    const of = configmaps('apiServer:\\n', `apiServer:\\n  extraArgs:\\n${args}`);
    expect(warnings(of)).toContain('--encryption-provider-config=/etc/kubernetes/enc.yaml is not taken over');
    expect(warnings(of)).toContain('Secrets that are stored readable');
    const own = warnings(
      runs('kube-apiserver', 'encryption-provider-config=/etc/kubernetes/playsmith/encryption.yaml'),
    );
    expect(own).toContain('with the key of the definition that made this cluster');
    expect(own).not.toContain('Secrets that are stored readable');
  });

  test.each([
    [
      'kube-apiserver',
      'encryption-provider-config=/etc/kubernetes/enc.yaml',
      'Secrets that are stored readable',
    ],
    ['kube-apiserver', 'audit-policy-file=/etc/kubernetes/audit.yaml', '`audit` of kubeadm'],
    ['kube-apiserver', 'anonymous-auth=false', 'ask `/readyz` and `/livez` without a name'],
    ['kube-controller-manager', 'node-cidr-mask-size=26', 'it follows from `network`'],
    [
      'kube-apiserver',
      'tls-cert-file=/srv/tls.crt',
      'kubeadm makes the certificates and knows where they lie',
    ],
    ['kube-controller-manager', 'cluster-cidr=10.0.0.0/8', 'it follows from `network`'],
    ['kube-scheduler', 'leader-elect=false', 'one of several control planes leads'],
  ])(
    'of %s that follow from the definition are said where only hosts have them: --%s',
    (pod, flag, words) => {
      const told = warnings(runs(pod, flag));
      expect(told).toContain(`--${flag} of ${pod}-cp1, ${pod}-cp2, ${pod}-cp3 is not taken over`);
      expect(told).toContain(words);
      expect(made(imported(runs(pod, flag))).text).not.toContain(flag.split('=')[0]);
    },
  );

  test('come with nothing else that only hosts have: variables, volumes and containers are said', () => {
    const spec = (words: string) => changed('pods.json', '"nodeName":', `${words}, "nodeName":`);
    const volumes = spec('"volumes": [{ "name": "k8s-certs" }, { "name": "oidc-ca" }]');
    expect(warnings(volumes)).toContain(
      'kube-apiserver-cp1, kube-apiserver-cp2, kube-apiserver-cp3 have the volume oidc-ca, which kubeadm does not know of',
    );
    expect(warnings(volumes)).not.toContain('k8s-certs');
    const kmsPlugin = spec('"initContainers": [{ "name": "kms-plugin" }]');
    expect(warnings(kmsPlugin)).toContain('have another container, kms-plugin');
    const env = changed(
      'pods.json',
      '"image":',
      '"env": [{ "name": "HTTPS_PROXY", "value": "http://192.0.2.9:3128" }], "image":',
    );
    expect(warnings(env)).toContain(
      'kube-apiserver-cp1, kube-apiserver-cp2, kube-apiserver-cp3 have the variable HTTPS_PROXY',
    );
    expect(warnings(env)).not.toContain('192.0.2.9');
    const told = changed(
      'configmaps.json',
      'apiServer:\\n',
      'apiServer:\\n  extraVolumes:\\n  - name: oidc-ca\\n    hostPath: /srv/ca\\n    mountPath: /srv/ca\\n',
      [...volumes],
    );
    expect(warnings(told)).not.toMatch(/kube-apiserver-cp1\b.* ha(?:s|ve) the volume oidc-ca/);
    expect(warnings(told)).toContain(
      'kube-apiserver has the volume oidc-ca, which no key of a definition says',
    );
  });

  test('that nobody can see, without static pods, are said to be unseen', () => {
    const without = texts.filter(({ file }) => !file.endsWith('pods.json'));
    expect(warnings(without)).toContain('no static pod is among these objects');
    expect(warnings(texts)).not.toContain('is among these objects');
  });
});

describe('what cannot be imported is refused, with what would be right', () => {
  const said = (of: readonly Text[]) => refusal(imported(of), of);

  test.each([
    [
      'no kubeadm',
      texts.filter(({ file }) => !file.endsWith('configmaps.json')),
      'only clusters that kubeadm made',
    ],
    ['no nodes', texts.filter(({ file }) => !file.endsWith('nodes.json')), 'no node is among these objects'],
    [
      'an endpoint by name',
      configmaps('controlPlaneEndpoint: 10.77.0.100:6440', 'controlPlaneEndpoint: api.example.org:6440'),
      '--vip 192.0.2.80/24',
    ],
    [
      'etcd of its own',
      configmaps(
        '  local:\\n    dataDir: /var/lib/etcd\\n',
        '  external:\\n    endpoints: [https://192.0.2.9:2379]\\n  local:\\n',
      ),
      'etcd runs outside of this cluster',
    ],
    [
      'another runtime',
      changed('nodes.json', 'containerd://2.3.7', 'cri-o://1.37.0'),
      'cp1 runs its containers with cri-o://1.37.0',
    ],
    [
      'data of etcd in another folder',
      configmaps('dataDir: /var/lib/etcd\\n', 'dataDir: /data/etcd\\n'),
      'etcd keeps its data in another folder than the playbooks back up and restore: /data/etcd',
    ],
    [
      'data of etcd that only hosts have in another folder',
      changed('pods.json', '--data-dir=/var/lib/etcd', '--data-dir=/data/etcd'),
      '--data-dir=/data/etcd of etcd-cp1, etcd-cp2, etcd-cp3 is not taken over',
    ],
    [
      'certificates in another folder',
      configmaps('certificatesDir: /etc/kubernetes/pki\\n', 'certificatesDir: /srv/pki\\n'),
      'than the playbooks renew: /srv/pki',
    ],
    [
      'names of Services in another domain',
      configmaps('dnsDomain: cluster.local\\n', 'dnsDomain: corp.example.org\\n'),
      'than the playbooks give kubelets and certificates: corp.example.org',
    ],
    [
      'no network of pods',
      configmaps('  podSubnet: 10.244.0.0/16\\n', ''),
      'kubeadm was told of no network of pods',
    ],
    [
      'no kube-proxy, as kubeadm was told',
      configmaps('proxy: {}', 'proxy:\\n  disabled: true'),
      'this cluster runs without kube-proxy, and the playbooks would install it',
    ],
    [
      'no kube-proxy, as its DaemonSets show',
      changed('daemonsets.json', '"name": "kube-proxy"', '"name": "cilium"'),
      'this cluster runs without kube-proxy',
    ],
    ['a taint that is none', changed('nodes.json', '"taints": [', '"taints": [null,'), 'cluster/nodes.json'],
    ['no address', changed('nodes.json', 'InternalIP', 'ExternalIP'), 'cp1 has no InternalIP'],
    ['no YAML', [{ file: 'nodes.yaml', text: 'a: [' }], 'nodes.yaml:1'],
    ['an empty file', [{ file: 'nodes.json', text: '' }], 'nodes.json:1'],
  ] as const)('%s', (_, of, words) => {
    expect(said(of)).toContain(words);
  });

  test.each(['ClusterConfiguration', 'kubelet', 'config.conf'])(
    '%s that is no mapping is one problem',
    (key) => {
      const of = configmaps(new RegExp(String.raw`"${key}": "(?:[^"\\]|\\.)*"`, 'g'), `"${key}": "plain"`);
      const result = imported(of);
      expect(result.ok ? [] : result.failure.problems.map(({ message }) => message)).toEqual([
        `${key} holds no settings by their names`,
      ]);
    },
  );

  test('an endpoint by name is taken with the address that --vip says', () => {
    const of = configmaps(
      'controlPlaneEndpoint: 10.77.0.100:6440',
      'controlPlaneEndpoint: api.example.org:6440',
    );
    const result = importCluster(of, wishing({ user: 'ops', vip: '10.77.0.100/24' }));
    const { endpoint, kubernetes } = clusterOf(result);
    expect(endpoint).toMatchObject({ address: '10.77.0.100', dnsName: 'api.example.org', port: 6440 });
    expect(kubernetes.certificateSans).toContain('api.example.org');
    expect(made(result).text).not.toContain('certificateSans: [api');
  });

  test('an endpoint by name of one control plane is that control plane where --vip says its address', () => {
    const of = configmaps(
      'controlPlaneEndpoint: 10.77.0.100:6440',
      'controlPlaneEndpoint: api.example.org:6443',
    ).map((each) =>
      each.file.endsWith('nodes.json') ? { ...each, text: withoutNodes(each.text, 'cp2', 'cp3') } : each,
    );
    const result = importCluster(of, wishing({ user: 'ops', vip: '10.77.0.11/24' }));
    expect(clusterOf(result).endpoint).toMatchObject({
      ...{ address: '10.77.0.11', dnsName: 'api.example.org', port: 6443, placement: 'none' },
    });
  });

  test.each([
    ['"fd00::10"', 'fd00::10', 6443],
    ['"[fd00::10]:8443"', 'fd00::10', 8443],
    ['10.77.0.100', '10.77.0.100', 6443],
    ['api.example.org:8443', 'api.example.org', 8443],
    ['""', '', 6443],
  ])('the endpoint %s is %s, port %i', (said, host, port) => {
    const read = readYamlNode({ file: 'kubeadm.yaml', text: `controlPlaneEndpoint: ${said}` });
    if (!read.ok) throw new Error('it is YAML');
    expect(endpointOf(read.value)).toEqual({ host, port });
  });

  test('nodes that are not whole are said', () => {
    expect(
      warnings(changed('nodes.json', '"kubeletVersion": "v1.37.2"', '"kubeletVersion": "v1.36.3"')),
    ).toContain('the kubelet of cp1 is 1.36.3, the cluster 1.37.2');
    expect(warnings(changed('nodes.json', '"status": "True"', '"status": "Unknown"'))).toContain(
      'cp1 is not Ready',
    );
    expect(warnings(changed('nodes.json', '"podCIDR": "10.244.0.0/24"', '"unschedulable": true'))).toContain(
      'is cordoned',
    );
  });
});

/** A line with a value; what says only which API it is of makes no difference. */
const isSetting = /^ *(?:- )?(?!apiVersion|kind)[\w.]+(?:: |$)(?!\{\})|^ *- \S+$/;

const other = (value: string): string => {
  if (/^(?:true|false)$/.test(value)) return value === 'true' ? 'false' : 'true';
  if (/^\d+$/.test(value)) return String(Number(value) + 1);
  if (/^(?:null|""|0s)$/.test(value)) return '7s';
  if (value === '"0"') return '"7"';
  return /^(?:\d+\.){3}\d+$/.test(value)
    ? value.replace(/\d+$/, '199')
    : `${value.replace(/"$/, '')}x${value.endsWith('"') ? '"' : ''}`;
};

describe('nothing of what kubeadm keeps is dropped', () => {
  const source = texts.find(({ file }) => file.endsWith('configmaps.json'))?.text ?? '';
  const files = (
    JSON.parse(source) as { readonly items: readonly { readonly data: Readonly<Record<string, string>> }[] }
  ).items
    .flatMap(({ data }) => Object.entries(data))
    .filter(([key]) => key !== 'kubeconfig.conf');
  const outcome = (of: readonly Text[]): string => {
    const result = imported(of);
    return result.ok
      ? JSON.stringify([result.value.text, result.value.warnings, result.value.assumptions])
      : refusal(result, of);
  };
  const usual = outcome(texts);
  const lines = files.flatMap(([key, text]) =>
    text.split('\n').flatMap((line) => (isSetting.test(line) ? [[key, line] as const] : [])),
  );

  test.each(lines)('%s: %s', (_, line) => {
    const value = line.replace(
      /^(.*?(?:: |- ))(?!name:)(.*)$/,
      (__, before: string, told: string) => before + other(told),
    );
    const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);
    const at = source.indexOf(`\\n${quoted(line)}\\n`);
    const text = source.slice(0, at) + `\\n${quoted(value)}\\n` + source.slice(at + quoted(line).length + 4);
    expect(
      outcome(texts.map((each) => (each.file.endsWith('configmaps.json') ? { ...each, text } : each))),
    ).not.toBe(usual);
  });
});
