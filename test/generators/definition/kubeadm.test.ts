import { describe, expect, test } from 'vitest';
import { changed, printed, saidBesides as said, sound } from './support.ts';

const kubeadm = 'installer: { kubeadm: { version: 1.37.2 } }\n';
const installed = (...edits: readonly Edit[]): string =>
  changed(['network:\n', `${kubeadm}network:\n  plugin: static-routes\n`], ...edits);

type Edit = readonly [from: string, to: string];

/** kubeadm, told one thing more. */
const told = (more: string): string => installed(['version: 1.37.2', `version: 1.37.2, ${more}`]);

const checksum = '0123456789abcdef'.repeat(4);

describe('the network of the pods', () => {
  const workers = (count: number): string =>
    Array.from({ length: count }, (_, n) => `  - { name: w${n}, address: 192.0.2.${100 + n} }\n`).join('');
  const having = (plugin: string, nodes: number): readonly string[] =>
    said(
      installed(
        ['plugin: static-routes', `plugin: ${plugin}`],
        ['podSubnet: 10.244.0.0/16', 'podSubnet: 10.244.0.0/23'],
      ) + workers(nodes - 4),
    ).filter((line) => line.includes('10.244.0.0/23'));

  test('is cut into as many parts as kubeadm is told', () => {
    expect(having('static-routes', 16)).toEqual([]);
  });

  test('has a part for each node, unless nobody reads it', () => {
    const fault = '10.244.0.0/23 has a /27 for 16 nodes, and there are 17 → ';
    expect(having('static-routes', 17)).toEqual([`8:14 ${fault}a prefix of 19 or less`]);
    expect(having('none', 17)).toEqual([
      `warning 8:14 ${fault}a larger network, unless your network plugin shares out smaller parts`,
    ]);
  });
});

test('a cluster that kubeadm installs is sound', () => {
  expect(said(installed())).toEqual([]);
});

describe('the version', () => {
  test.each([
    [
      '1.34',
      /^5:34 `version` must be a string, not the number 1.34 → a version with its patch, like 1.37.2$/,
    ],
    ['"1.34"', /^5:34 "1.34" has no patch version, .* → a version with its patch, like 1.37.2$/],
    ['v1.37.2', /^5:34 versions are written without `v` → 1.37.2$/],
    ['1.19.16', /^5:34 1.19.16 is older than any supported version → 1.20.0 or later$/],
    ['1.30.14', /^5:34 1.30.14 is out of support, and not supported by Playsmith → 1.31.0 or later$/],
    ['latest', /^5:34 "latest" is not a version of Kubernetes → 1.37.2$/],
  ])('%s is refused with what would be right', (version, expected) => {
    expect(said(installed(['1.37.2', version]))).toEqual([expect.stringMatching(expected)]);
  });
});

describe('etcd', () => {
  test('stands on the control planes, where kubeadm puts it', () => {
    const text = installed(['address: 192.0.2.21', 'roles: [etcd]\n    address: 192.0.2.21']);
    expect(said(text)).toContainEqual(
      expect.stringContaining(
        'worker01 has etcd and is no control plane, and kubeadm puts etcd on control planes only → etcd at the control planes, or at no node: then it is there anyway',
      ),
    );
    expect(said(text)).toContainEqual(
      expect.stringContaining(
        'master01 is a control plane without etcd, and kubeadm puts etcd on every control plane',
      ),
    );
  });

  test('may be written at every control plane as well', () => {
    const text = installed().replaceAll('[control-plane]', '[control-plane, etcd]');
    expect(said(text)).toEqual([]);
  });

  test('is balanced at a port that is free', () => {
    expect(said(installed(['haproxy: {', 'haproxy: { etcdPort: 12379,']))).toEqual([]);
    expect(said(installed(['haproxy: {', 'haproxy: { etcdPort: 2379,']))).toEqual([
      '17:26 port 2379 is used by both HAProxy for etcd and etcd on the same machine → another port for HAProxy for etcd',
    ]);
  });
});

test('API servers may verify kubelets that serve with certificates of the cluster', () => {
  const argument = 'kubelet-certificate-authority: /etc/kubernetes/pki/ca.crt';
  expect(said(told(`serverTLSBootstrap: true, extraArguments: { apiServer: { ${argument} } }`))).toEqual([]);
});

describe('what kubeadm and the programs are told', () => {
  test.each([
    [
      'extraArguments: { apiServer: { etcd-servers: a } }',
      '`etcd-servers` cannot be set here: it follows from the nodes',
    ],
    ['extraArguments: { apiServer: { --v: "2" } }', '"--v" is not a known name there'],
    [
      'extraArguments: { etcd: { data-dir: /x } }',
      '`data-dir` cannot be set here: backup and restore know where the data lie',
    ],
    [
      'extraArguments: { scheduler: { v: 2 } }',
      '`v` must be a string, not the number 2 → the same in "quotes"',
    ],
    [
      'kubelet: { cgroupDriver: cgroupfs }',
      '`cgroupDriver` cannot be set here: containerd and kubelet must have the same',
    ],
    [
      'kubelet: { serverTLSBootstrap: true }',
      '`serverTLSBootstrap` cannot be set here: `serverTLSBootstrap` of kubeadm says it, and has the certificates approved',
    ],
    [
      'extraArguments: { apiServer: { kubelet-certificate-authority: /etc/kubernetes/pki/ca.crt } }',
      'kubelets sign what they serve with themselves, so API servers would reach none: no logs, no exec → serverTLSBootstrap: true below `kubeadm`, or remove the argument',
    ],
    [
      'kubelet: { registerWithTaints: [{ key: a, effect: NoSchedule }] }',
      '`registerWithTaints` cannot be set here: `taints` of a node say it, also for nodes that are there',
    ],
    [
      'kubelet: { registerNode: false }',
      '`registerNode` cannot be set here: every machine of `nodes` is a node',
    ],
    ['kubelet: { clusterDNS: [10.96.0.10] }', '`clusterDNS` cannot be set here: it follows from `network`'],
    [
      'kubelet: { staticPodPath: /x }',
      '`staticPodPath` cannot be set here: the control plane starts from there',
    ],
    ['kubelet: { evictionHard: { memory.available: } }', 'this has no value'],
    ['kubelet: { maxPods: .inf }', 'this number is not finite'],
    ['kubelet: { "--- a": b }', '"--- a" is not a name of a field'],
    ['kubelet: { evictionHard: { "a: b": c } }', '"a: b" is not a name of a field'],
    ['kubeProxy: { "yes": a }', '"yes" is not a name of a field'],
    ['audit: { rules: [{ "a b": c }] }', '"a b" is not a name of a field'],
    ['kubelet: { a: "{{ lookup(1) }}" }', '{{, {% and {# begin a template'],
    ['kubeProxy: { clusterCIDR: 10.0.0.0/8 }', '`clusterCIDR` cannot be set here: it follows from `network`'],
    [
      'repository: "https://me:hunter2@a"',
      'a user or a password in this URL would be readable in every file',
    ],
    ['imageRepository: "https://a"', '"https://a" is not a registry, with or without a path'],
    ['certificateSans: [a_b]', '"a_b" is neither a DNS name nor an address'],
    ['audit: { keepDays: 3 }', 'exactly one of level, rules belongs here, not none'],
    ['encryption: { secretKey: hunter2 }', '`secretKey` is a secret, which is never written in a definition'],
    ['backup: { keep: 0 }', '0 is out of range → a whole number from 1 to 1000'],
    ['upgrade: { workersAtOnce: 0 }', '0 is out of range → a whole number from 1 to 100'],
  ])('%s is refused', (more, expected) => {
    expect(said(told(more)).join('\n')).toContain(expected);
    expect(said(told(more))).toHaveLength(1);
    expect(printed(told(more))).not.toContain('hunter2');
  });

  test.each([
    'kubelet: { imageGCHighThresholdPercent: 100, evictionHard: { memory.available: 100Mi } }',
    'kubeProxy: { conntrack: { maxPerCore: 0, min: 0 } }',
    'extraArguments: { etcd: { unsafe-no-fsync: "true" } }',
    'audit: { rules: [{ level: RequestResponse, resources: [{ group: apps }] }] }',
    'encryption: { secretKey: { env: A }, provider: aescbc }',
  ])('%s is sound', (more) => {
    expect(said(told(more))).toEqual([]);
  });
});

describe('the network plugin', () => {
  const plugged = (plugin: string): string => installed(['plugin: static-routes', `plugin: ${plugin}`]);

  test('is asked for, since without one no node becomes ready', () => {
    expect(said(changed(['network:\n', `${kubeadm}network:\n`]))).toEqual([
      expect.stringMatching(
        /^warning 6:1 no pod network is configured, .* → plugin: static-routes below `network`; flannel, calico or cilium with version and sum/,
      ),
    ]);
    expect(said(plugged('none'))).toEqual([]);
  });

  test.each([
    ['flanel', /^7:11 `plugin` cannot be "flanel" → static-routes or \{ flannel: /],
    ['{ calico: { version: 3.31.2 } }', /^7:13 `sha256` is missing in `calico`: nobody would notice/],
    [
      '{ flannel: { version: 0.28.4, sha256: abc } }',
      /unknown key "sha256"; known here: version, backend, imageRepository, cniPlugin/,
    ],
    ['{ flannel: { version: 0.28.4, backend: udp } }', /`backend` cannot be "udp" → host-gw/],
    [
      `{ cilium: { version: 1.18.2, sha256: ${checksum} } }`,
      /`helm` is missing in `cilium`: nothing makes a manifest of the chart/,
    ],
    [
      `{ cilium: { version: 1.18.2, sha256: ${checksum}, helm: { version: 3.18.4 } } }`,
      /`sha256` is missing in `helm`/,
    ],
    [
      `{ cilium: { version: 1.18.2, sha256: ${checksum}, values: { routingMode: native }, helm: { version: 3.18.4, sha256: ${checksum} } } }`,
      /`routingMode` cannot be set here: packets of pods travel in VXLAN.* → remove the key/,
    ],
    [
      `{ flannel: { version: 0.28.4 }, calico: { version: 3.31.2, sha256: ${checksum} } }`,
      /exactly one of flannel, calico, cilium belongs here, not flannel and calico/,
    ],
  ])('%s is refused', (plugin, expected) => {
    expect(said(plugged(plugin))).toEqual([expect.stringMatching(expected)]);
  });

  test('static routes do not cross a router', () => {
    const text = installed(
      ['  podSubnet', '  nodeSubnet: [192.0.2.0/24, 198.51.100.0/24]\n  podSubnet'],
      ['address: 192.0.2.21', 'address: 198.51.100.21'],
    );
    expect(said(text)).toEqual([
      '7:11 the nodes are in 192.0.2.0/24 and 198.51.100.0/24, and static routes do not cross a router → nodes in one network; or flannel with `vxlan`, calico with `encapsulation: vxlan`, or cilium',
    ]);
    const flannel = (backend: string): string =>
      text.replace('plugin: static-routes', `plugin: { flannel: { version: 0.28.4, backend: ${backend} } }`);
    expect(said(flannel('vxlan'))).toEqual([]);
    expect(said(flannel('host-gw'))).toEqual([
      expect.stringContaining('the routes of `host-gw` do not cross a router'),
    ]);
  });
});

describe('containerd', () => {
  const held = (registries: string): string => `${installed()}containerd: { registries: [${registries}] }\n`;

  test.each([
    ['{ host: a.b }, { host: a.b }', 'a.b is listed twice → each registry once'],
    [
      '{ host: a.b, user: me }',
      'no password is given for me: `password` is missing → password: { env: REGISTRY_PASSWORD }',
    ],
    ['{ host: a.b, password: { env: A } }', '`password` needs a user: `user` is missing → user: puller'],
    [
      '{ host: "https://a.b" }',
      '"https://a.b" is not the host of a registry → docker.io or registry.example.org:5000',
    ],
    ['{ host: a.b, ca: MIIB }', 'this is not a certificate in PEM form'],
    ['{ host: a.b, mirrors: [a.b] }', '"a.b" is not a URL'],
  ])('%s is refused', (registries, expected) => {
    expect(said(held(registries))).toEqual([expect.stringContaining(expected)]);
  });

  test('is told single settings, not whole sections', () => {
    const cri = (text: string): string[] => said(`${installed()}containerd: { cri: { ${text} } }\n`);
    expect(cri('disable_apparmor: true, max_concurrent_downloads: 5')).toEqual([]);
    expect(cri('registry: { a: b }')).toHaveLength(1);
    expect(cri('sandbox_image: a/b')).toEqual([
      expect.stringContaining('`sandbox_image` cannot be set here: `pauseImage` says it'),
    ]);
  });

  test('a certificate may have lines, a line no template', () => {
    const ca = (line: string): string =>
      `${installed()}containerd:\n  registries:\n    - host: a.b\n      ca: |\n        -----BEGIN CERTIFICATE-----\n        ${line}\n        -----END CERTIFICATE-----\n`;
    expect(said(ca('MIIB'))).toEqual([]);
    expect(said(ca('{{ a }}'))).toEqual([expect.stringContaining('begin a template')]);
  });
});

describe('offline', () => {
  const offline = `offline: { artifacts: /srv/artifacts, sha256: ${checksum} }\n`;

  test('needs no checksum of a plugin, since the artifacts have them', () => {
    expect(
      said(installed(['plugin: static-routes', 'plugin: { calico: { version: 3.31.2 } }']) + offline),
    ).toEqual([]);
  });

  test.each([
    ['repository', told('repository: https://mirror.example.org')],
    ['mirrors', `${installed()}containerd: { registries: [{ host: a.b, mirrors: ["https://c.d"] }] }\n`],
    [
      'url',
      installed(['plugin: static-routes', 'plugin: { calico: { version: 3.31.2, url: https://a.b/c } }']),
    ],
  ])('%s would lead outside', (key, text) => {
    expect(said(text + offline)).toEqual([
      expect.stringContaining(
        `\`${key}\` leads outside, and \`offline\` says that everything comes from the artifacts → remove one of the two`,
      ),
    ]);
  });
});

describe('labels and taints', () => {
  const marked = (marks: string): string[] =>
    said(installed(['address: 192.0.2.21', `address: 192.0.2.21\n    ${marks}`]));

  test.each([
    'labels: { disk: ssd, example.org/rack: r-1, kubernetes.io/zone: z1 }',
    'taints: [{ key: a, effect: NoSchedule }, { key: a, effect: NoExecute }]',
    'zone: z1',
    'computeHost: compute-03',
  ])('%s is sound', (marks) => {
    expect(marked(marks)).toEqual([]);
  });

  test.each([
    ['labels: { a/b/c: d }', '"a/b/c" cannot be the key of a label or a taint'],
    ['labels: { a: "b c" }', '"b c" cannot be the value of a label'],
    ['labels: { kubernetes.io/hostname: a }', 'the kubelet itself says kubernetes.io/hostname'],
    ['labels: { node-role.kubernetes.io/control-plane: "" }', 'follows from `roles`'],
    ['taints: [{ key: node.kubernetes.io/not-ready, effect: NoExecute }]', 'Kubernetes gives and takes'],
    [
      'taints: [{ key: a, effect: NoExecute }, { key: a, value: b, effect: NoExecute }]',
      'the taint a with NoExecute is listed twice',
    ],
    [
      'labels: { topology.kubernetes.io/zone: a }\n    zone: b',
      'the label topology.kubernetes.io/zone is what `zone` says already',
    ],
    ['computeHost: ""', 'the text is empty'],
  ])('%s is refused', (marks, expected) => {
    expect(marked(marks)).toEqual([expect.stringContaining(expected)]);
  });
});

test('without kubeadm there is nobody whom these keys would tell anything', () => {
  const text = changed(
    ['network:\n', 'network:\n  plugin: static-routes\n'],
    ['address: 192.0.2.21', 'address: 192.0.2.21\n    zone: a'],
  );
  expect(said(`${text}containerd: { cri: { disable_apparmor: true } }\n`)).toEqual([
    expect.stringContaining(
      'warning 6:3 `plugin` has no effect: this definition does not install Kubernetes',
    ),
    expect.stringContaining('`zone` has no effect'),
    expect.stringContaining('`containerd` has no effect'),
  ]);
  expect(said(sound)).toEqual([]);
});

test('what preflight asks of hosts that become nodes is for the definition to say', () => {
  expect(said(told('preflight: { freeMegabytes: 20000 }'))).toEqual([]);
  expect(said(told('preflight: { freeMegabytes: 20 }'))).toEqual([
    expect.stringMatching(/20 is out of range → a whole number from 500 to 10000000$/),
  ]);
});
