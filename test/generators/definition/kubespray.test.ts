import { describe, expect, test } from 'vitest';
import { changed, said } from './support.ts';

type Edit = readonly [from: string, to: string];

const own = 'version: v2.28.1, path: /opt/kubespray';

const installed = (...edits: readonly Edit[]): string =>
  changed(['network:\n', `installer: { kubespray: { ${own} } }\nnetwork:\n`], ...edits);

/** kubespray at a tag, told one thing more. */
const told = (more: string, version = 'v2.28.1'): string =>
  installed([own, `version: ${version}, path: /opt/kubespray, ${more}`]);

test('a cluster that kubespray installs is sound', () => {
  expect(said(installed())).toEqual([]);
});

describe('where it lies', () => {
  test.each([
    ['version: v2.28.1', /^5:25 exactly one of path, git, archive belongs here, not none/],
    [
      `${own}, git: https://git.example.org/kubespray.git`,
      /exactly one of path, git, archive belongs here, not path and git/,
    ],
    [
      'version: v2.28.1, git: https://me:secret@git.example.org/kubespray.git',
      /would be readable in every file/,
    ],
    ['version: v2.28.1, path: ../kubespray', /is not a path that is safe to work in/],
  ])('%s is refused', (written, expected) => {
    expect(said(installed([own, written]))).toEqual([expect.stringMatching(expected)]);
  });
});

describe('the tag', () => {
  test.each([
    ['2.28.1', /a tag of kubespray begins with `v` → v2\.28\.1$/],
    ['v2.14.2', /kubespray v2\.14\.2 is not supported → a tag from v2\.15\.0 to v2\.32\.0$/],
    ['master', /"master" is not a tag of kubespray → v2\.32\.0$/],
  ])('%s is refused with what would be right', (version, expected) => {
    expect(said(installed(['v2.28.1', version]))).toEqual([expect.stringMatching(expected)]);
  });

  test('v2.32.0 installs Kubernetes 1.36, of which it may know later patches than are known here', () => {
    const named = `commit: ${'a'.repeat(40)}`;
    for (const version of ['1.36.4', '1.36.9', '1.35.8'])
      expect(said(told(`kubernetes: ${version}, wheels: /srv/wheels, ${named}`, 'v2.32.0'))).toEqual([]);
    expect(said(told(`kubernetes: 1.33.1, wheels: /srv/wheels, ${named}`, 'v2.32.0'))).toHaveLength(1);
  });

  test('whose Python packages nobody knows wants them in a folder', () => {
    expect(said(told(`commit: ${'a'.repeat(40)}`, 'v2.32.0'))).toEqual([
      expect.stringMatching(/`bootstrap` installs none of them → `wheels`, a folder on the Ansible server/),
    ]);
  });

  test('may lack a patch, though it has later ones', () => {
    expect(said(told('kubernetes: 1.23.3', 'v2.18.2'))).toContainEqual(
      expect.stringContaining('has no checksums of Kubernetes 1.23.3'),
    );
  });

  test('lets folders belong to root alone where cilium has to write into them', () => {
    const owner = 'networkPlugin: cilium, variables: { kube_owner: kube }';
    expect(said(told(owner))).toEqual([
      expect.stringMatching(/cannot write into folders of another user than root → root/),
    ]);
    expect(said(told(owner, 'v2.27.1'))).toEqual([]);
  });

  test('may be a later patch than those that are known', () => {
    expect(said(told(`commit: ${'a'.repeat(40)}`, 'v2.28.7'))).toEqual([]);
  });

  test('that nobody has read wants the commit, and a run waits for it', () => {
    expect(said(installed(['v2.28.1', 'v2.28.7']))).toEqual([
      expect.stringMatching(
        /files kubespray v2\.28\.7 has is not known here, so no run calls it yet → v2\.28\.7, with the `commit`/,
      ),
    ]);
    expect(said(told(`tree: ${'a'.repeat(40)}`, 'v2.28.7'))).toEqual([]);
    expect(said(told(`tree: ${'a'.repeat(40)}, commit: ${'a'.repeat(40)}`))).toHaveLength(1);
    expect(said(told('commit: a20891a'))).toEqual([expect.stringMatching(/all 40 digits/)]);
  });
});

describe('what a version does not know is a fault, with the versions that do', () => {
  test.each([
    ['networkPlugin: weave', 'v2.29.0', 'the network plugin weave → kubespray v2.15.0 to v2.28.1'],
    ['networkPlugin: none', 'v2.26.1', 'the network plugin none → kubespray v2.27.0 or later'],
    ['networkPlugin: canal', 'v2.22.0', 'the network plugin canal → kubespray v2.15.0 to v2.21.0'],
    ['networkPlugin: custom_cni', 'v2.21.0', 'the network plugin custom_cni → kubespray v2.22.0 or later'],
    ['variables: { ntp_enabled: true }', 'v2.19.1', '`ntp_enabled` → kubespray v2.20.0 or later'],
    [
      'variables: { etcd_kubeadm_enabled: true }',
      'v2.29.1',
      '`etcd_kubeadm_enabled` → kubespray v2.15.0 to v2.28.1',
    ],
    [
      'offline: { files: "http://files.example.org", registry: registry.example.org }',
      'v2.24.3',
      'mirrors of whole hosts → kubespray v2.25.0 or later',
    ],
    [
      'renewal: { automatic: true, calendar: "Mon *-*-1..7 03:00:00" }',
      'v2.15.1',
      'when certificates are renewed → kubespray v2.16.0 or later',
    ],
  ])('%s at %s', (more, version, expected) => {
    expect(said(told(more, version))).toEqual([
      expect.stringContaining(`kubespray ${version} does not know ${expected}`),
    ]);
  });

  test.each([
    ['1.32.9', /has no checksums of Kubernetes 1\.32\.9 → 1\.32\.8, or another earlier patch$/],
    ['1.35.0', /has no checksums of Kubernetes 1\.35\.0 → a version of 1\.30, 1\.31, 1\.32; .* 1\.32\.8$/],
  ])('Kubernetes %s', (version, expected) => {
    expect(said(told(`kubernetes: ${version}`))).toEqual([expect.stringMatching(expected)]);
  });

  test('two families of addresses before v2.16', () => {
    const text = installed(
      ['v2.28.1', 'v2.15.1'],
      ['podSubnet: 10.244.0.0/16', 'podSubnet: [10.244.0.0/16, "fd00:10:244::/56"]'],
      ['serviceSubnet: 10.96.0.0/16', 'serviceSubnet: [10.96.0.0/16, "fd00:10:96::/112"]'],
    );
    expect(said(text)).toEqual([expect.stringContaining('two families of addresses → kubespray v2.16.0')]);
  });

  test('a user of a registry, and an authority of one', () => {
    const registries = (text: string): string =>
      `containerd: { registries: [{ host: docker.io, ${text} }] }\nssh:`;
    expect(
      said(installed(['ssh:', registries('user: puller, password: { env: REGISTRY_PASSWORD }')])),
    ).toEqual([expect.stringContaining('does not know users of registries for containerd')]);
  });
});

describe('variables that are passed on', () => {
  test.each([
    ['kube_pods_subnet: 10.0.0.0/8', /`kube_pods_subnet` cannot be set here: it follows from `network`/],
    ['loadbalancer_apiserver: { address: 10.0.0.1 }', /it follows from `controlPlaneEndpoint`/],
    ['no_proxy: localhost', /`proxy` says it/],
    ['reset_confirmation: true', /the operations give it/],
  ])('%s collides with ours', (variable, expected) => {
    expect(said(told(`variables: { ${variable} }`))).toEqual([expect.stringMatching(expected)]);
  });

  test('may be any plain data, and nothing that Ansible evaluates', () => {
    expect(said(told('variables: { metrics_server_enabled: true, kube_feature_gates: [A=true] }'))).toEqual(
      [],
    );
    expect(said(told('variables: { dns_domain: "{{ x }}" }'))).toHaveLength(1);
  });
});

describe('keys of the other installer', () => {
  test.each([
    ['podSubnet', 'plugin: static-routes\n  podSubnet', /kubespray is not told the plugin by this key/],
    [
      'ssh:',
      'offline: { artifacts: /srv/a, sha256: ' + 'a'.repeat(64) + ' }\nssh:',
      /where everything comes from/,
    ],
    ['ssh:', 'containerd: { pauseImage: registry.k8s.io/pause:3.10 }\nssh:', /how containerd is installed/],
  ])('%s', (from, to, expected) => {
    expect(said(installed([from, to]))).toEqual([expect.stringMatching(expected)]);
  });
});

test('an MTU is for plugins that have a setting of it', () => {
  const text = installed([own, `${own}, networkPlugin: flannel`], ['podSubnet', 'mtu: 1400\n  podSubnet']);
  expect(said(text)).toEqual([expect.stringContaining('has no setting of the MTU for flannel')]);
});

describe('names of members of etcd', () => {
  test.each([
    ['etcdMembers: { worker01: etcd1 }', /worker01 has no etcd/],
    ['etcdMembers: { master01: etcd1, master02: etcd1 }', /two members of etcd are named etcd1/],
    ['etcdMembers: { master01: "a b" }', /is not a name of a member of etcd/],
  ])('%s is refused', (more, expected) => {
    expect(said(told(more))).toContainEqual(expect.stringMatching(expected));
  });
});

test('versions before v2.25 want a worker', () => {
  const alone = (version: string): string[] =>
    said(
      installed(
        ['v2.28.1', version],
        ['  - name: worker01\n    address', '  - name: worker01\n    roles: [etcd]\n    address'],
      ),
    );
  expect(alone('v2.24.3').some((line) => line.includes('refuses a cluster without a worker'))).toBe(true);
  expect(alone('v2.25.0').some((line) => line.includes('refuses a cluster without a worker'))).toBe(false);
});

describe('variables of a group or a machine', () => {
  test('are taken where kubespray has the group, and the definition the node', () => {
    expect(
      said(
        told(
          'groupVariables: { kube_node: { kubelet_max_pods: 250 } }, hostVariables: { worker01: { kubelet_max_pods: 50 } }',
        ),
      ),
    ).toEqual([]);
  });

  test.each([
    ['groupVariables: { gpu: { kubelet_max_pods: 250 } }', /"gpu" is no group of kubespray → k8s_cluster/],
    ['hostVariables: { nobody: { kubelet_max_pods: 250 } }', /no node is named nobody/],
    ['groupVariables: { etcd: { kube_version: 1.32.5 } }', /`kube_version` cannot be set here/],
    ['hostVariables: { worker01: { ip: 10.0.0.9 } }', /`ip` cannot be set here: the nodes say it/],
  ])('%s is refused', (more, expected) => {
    expect(said(told(more))).toContainEqual(expect.stringMatching(expected));
  });
});
