import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { artifacts } from '../../../../generators/phases/node/artifacts.ts';
import { containerd } from '../../../../generators/phases/node/containerd.ts';
import type { Cluster } from '../../../../generators/cluster/cluster.ts';
import { containerd as settings, kubeadmCluster, podNetwork } from '../../../support/definitions/clusters.ts';
import { breachesOf, filesOf, textOf } from '../../../support/definitions/phase-files.ts';

const config = 'files/containerd/etc/containerd/config.toml';
const offline = { artifacts: '/srv/artifacts/', sha256: 'ab'.repeat(32) };
const archive = (version: string): Cluster['containerd'] =>
  settings({
    source: 'archive',
    archive: {
      version,
      url: `https://example.org/containerd-${version}.tar.gz`,
      sha256: '11'.repeat(32),
      runcUrl: 'https://example.org/runc.amd64',
      runcSha256: '22'.repeat(32),
    },
    pauseImage: 'registry.k8s.io/pause:3.10.1',
  });

const registries: Cluster['containerd']['registries'] = [
  { host: 'docker.io', mirrors: ['https://mirror.example.org'], ca: '', user: '', passwordVariable: '' },
  {
    host: 'harbor.example.org',
    mirrors: [],
    ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    user: "o'neil",
    passwordVariable: 'vault_harbor',
  },
];

test('the package takes no unit of an archive away below running pods', () => {
  const text = textOf(containerd, kubeadmCluster(), 'containerd.yml');
  const [, guard = ''] = /Refuse a second containerd[^]*?that:\n([^]*?) +fail_msg/.exec(text) ?? [];
  expect(guard).toContain("'/etc/systemd/system/containerd.service' not in containerd_found.leftovers");
  expect(text.indexOf(guard)).toBeLessThan(text.indexOf('Remove settings of an earlier definition'));
});

describe('the configuration of containerd', () => {
  test('of the distribution is of version 2, with the cgroups of systemd and the pause image', () => {
    const text = textOf(containerd, kubeadmCluster(), config);
    expect(text).toContain('version = 2\n');
    expect(text).toContain('  sandbox_image = "registry.k8s.io/pause:3.10.1"\n');
    expect(text).toContain('  SystemdCgroup = true\n');
  });

  test('is of version 3 from containerd 2 on, with other names of the plugins', () => {
    const text = textOf(containerd, kubeadmCluster({ containerd: archive('2.1.4') }), config);
    expect(text).toContain('version = 3\n');
    expect(text).toContain('[plugins."io.containerd.cri.v1.images".pinned_images]\n');
    expect(text).not.toContain('io.containerd.grpc');
    expect(textOf(containerd, kubeadmCluster({ containerd: archive('1.7.28') }), config)).toContain(
      'version = 2\n',
    );
  });

  test('from containerd 2 on gives each setting to the plugin that owns it', () => {
    const cri = { max_concurrent_downloads: 5, disable_apparmor: true, stream_idle_timeout: '1h' };
    const text = textOf(containerd, kubeadmCluster({ containerd: { ...archive('2.3.7'), cri } }), config);
    expect(text).toContain('[plugins."io.containerd.cri.v1.images"]\n  max_concurrent_downloads = 5\n\n');
    expect(text).toContain('[plugins."io.containerd.cri.v1.runtime"]\n  disable_apparmor = true\n\n');
    expect(text).toContain('[plugins."io.containerd.grpc.v1.cri"]\n  stream_idle_timeout = "1h"\n');
  });

  test.each([
    ['2.0.14', 'bin_dir = "/opt/cni/bin"'],
    ['2.1.9', 'bin_dirs = ["/opt/cni/bin"]'],
    ['2.4.2', 'bin_dirs = ["/opt/cni/bin"]'],
  ])('of containerd %s says where the CNI plugins lie as that reads it', (version, line) => {
    const cluster = kubeadmCluster({
      containerd: archive(version),
      podNetwork: podNetwork({ plugin: 'static-routes' }),
    });
    expect(textOf(containerd, cluster, config)).toContain(`  ${line}\n`);
  });

  test('takes settings of the CRI plugin word for word', () => {
    const cri = { disable_apparmor: true, max_container_log_line_size: 4096 };
    const text = textOf(
      containerd,
      kubeadmCluster({ containerd: settings({ pauseImage: 'p', cri }) }),
      config,
    );
    expect(text).toContain('  disable_apparmor = true\n  max_container_log_line_size = 4096\n');
  });

  test.each(['static-routes', 'flannel'] as const)('finds the plugins of %s where they all are', (plugin) => {
    const text = textOf(containerd, kubeadmCluster({ podNetwork: podNetwork({ plugin }) }), config);
    expect(text).toContain('bin_dir = "/opt/cni/bin"');
  });
});

describe('registries', () => {
  const given = kubeadmCluster({ containerd: settings({ pauseImage: 'p', registries }) });

  test('without a password lie in the bundle as they will lie on the host', () => {
    expect(
      textOf(containerd, given, 'files/containerd/etc/containerd/certs.d/docker.io/hosts.toml'),
    ).toContain('[host."https://mirror.example.org"]\n  capabilities = ["pull", "resolve"]\n');
  });

  test('with a password are filled in by Ansible, whose user stays data', () => {
    const text = textOf(containerd, given, 'files/containerd/harbor.example.org.toml.j2');
    expect(text).toContain(
      `"Basic {{ (containerd_users['vault_harbor'] ~ ':' ~ vault_harbor) | b64encode }}"`,
    );
    expect(text).not.toContain("o'neil");
    const playbook = textOf(containerd, given, 'containerd.yml');
    expect(playbook).toContain(`vault_harbor: "o'neil"`);
    expect(playbook).toContain('vault_harbor is defined');
  });

  test('bring their certificate authority', () => {
    expect(
      textOf(containerd, given, 'files/containerd/etc/containerd/certs.d/harbor.example.org/ca.crt'),
    ).toMatch(/-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n$/);
  });
});

describe('the phase containerd', () => {
  test('offline names no address outside', () => {
    const given = kubeadmCluster({ offline, proxy: { http: '', https: '', noProxy: [] } });
    const texts = filesOf(containerd, given).map(({ text }) => text);
    expect(texts.filter((text) => /https?:\/\/(?!containerd\.io)/.test(text))).toEqual([]);
    expect(textOf(containerd, given, 'containerd.yml')).not.toContain('update_cache');
  });

  test('fetches an archive only with the reviewed checksum', () => {
    const text = textOf(containerd, kubeadmCluster({ containerd: archive('2.1.4') }), 'containerd.yml');
    expect(text).toContain(`archives/containerd.tar.gz: "${'11'.repeat(32)}"`);
    expect(text.match(/ansible\.builtin\.get_url:/g)).toHaveLength(2);
    expect(text.match(/checksum: sha256:/g)).toHaveLength(2);
  });

  test.each([
    ['from the distribution', kubeadmCluster()],
    ['offline', kubeadmCluster({ offline })],
    ['from an archive', kubeadmCluster({ containerd: archive('2.1.4') })],
    ['from an archive, offline', kubeadmCluster({ offline, containerd: archive('1.7.28') })],
    ['with registries', kubeadmCluster({ containerd: settings({ pauseImage: 'p', registries }) })],
    [
      'through a proxy',
      kubeadmCluster({
        proxy: { http: 'http://proxy.example.org:3128', https: '', noProxy: ['10.0.0.0/8'] },
      }),
    ],
  ])('%s keeps the house rules', (_, given) => {
    expect(
      breachesOf(given.offline.artifacts === '' ? [containerd] : [artifacts, containerd], given),
    ).toEqual([]);
  });
});

interface ContainerdPlay {
  readonly name: string;
  readonly hosts?: string;
  readonly serial?: number;
  readonly tasks?: readonly ContainerdTask[];
}

interface ContainerdTask {
  readonly name: string;
  readonly when?: string;
  readonly block?: readonly ContainerdTask[];
}

describe('containerd of nodes that run', () => {
  const playsOf = (of: Cluster): readonly ContainerdPlay[] =>
    load(textOf(containerd, of, 'containerd.yml')) as readonly ContainerdPlay[];

  test('is brought one node after the other, by the very tasks of bare hosts', () => {
    const [bare, running] = playsOf(kubeadmCluster()).slice(-2);
    expect(bare).toMatchObject({ hosts: 'k8s_cluster:!others:!containerd_rolled' });
    expect(running).toMatchObject({ hosts: 'k8s_cluster:&containerd_rolled', serial: 1 });
    expect(running?.tasks).toEqual(bare?.tasks);
  });

  test('starts a container once its image is there: another version of Kubernetes has another one', () => {
    const names = (playsOf(kubeadmCluster({ offline })).at(-1)?.tasks ?? []).map(({ name }) => name);
    const last = names.indexOf('Check that containerd starts containers');
    expect(names.slice(last - 2)).toEqual([
      'Verify the artifacts that hosts lack, on the Ansible server',
      'Import the images that the host lacks',
      'Check that containerd starts containers',
    ]);
  });

  test('is drained first where it becomes another version, which counts as installed once the node is back', () => {
    const names = (of: Cluster): readonly string[] =>
      (playsOf(of).at(-1)?.tasks ?? []).map(({ name }) => name);
    const drained = 'Drain the node where its containerd is replaced';
    expect(names(kubeadmCluster())).not.toContain(drained);
    const all = names(kubeadmCluster({ containerd: archive('2.3.7') }));
    expect(all[0]).toBe(drained);
    expect(all.slice(-2)).toEqual(['Uncordon the node', 'Record what was installed']);
    // A run that is cut in between leaves an empty record, so that nobody takes what lies there for somebody else's.
    const [play] = playsOf(kubeadmCluster({ containerd: archive('2.3.7') })).slice(-1);
    const install = play?.tasks?.find(({ name }) => name === 'Install containerd and runc');
    expect(install?.block?.[0]?.name).toBe('Forget what was installed before');
  });
});
