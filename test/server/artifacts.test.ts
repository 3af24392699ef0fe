import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { neededArtifacts, neededForConformance } from '../../generators/artifacts/needed.ts';
import type { PodNetwork } from '../../generators/cluster/cluster.ts';
import { mirrorOf } from '../../tasks/artifacts/mirror.ts';
import { prepare, type Preparation } from '../../tasks/artifacts/prepare.ts';
import { pushArtifacts } from '../../tasks/artifacts/push.ts';
import type { Index } from '../../tasks/artifacts/seal.ts';
import { verify } from '../../tasks/artifacts/verify.ts';
import type { Server } from '../../tasks/runtime/server.ts';
import { failure, overSsh, serverFolder, smallDisk, value } from '../support/server/ansible-server.ts';
import { cluster, kubeadm as kubeadmOf, podNetwork } from '../support/definitions/clusters.ts';
import { sha256, startPublishers, tarball, type Publishers } from '../support/server/publishers.ts';
import { startSshd, type Sshd } from '../support/server/sshd.ts';

const kubeadm = `#!/bin/sh
[ "$*" = "config images list --kubernetes-version v1.34.1" ] || exit 1
echo registry.k8s.io/kube-apiserver:v1.34.1
echo registry.k8s.io/etcd:3.6.4-0
echo registry.k8s.io/kube-proxy:v1.34.1
`;
const manifest = `kind: ConfigMap
data: { image: busybox }
---
kind: DaemonSet
spec: { template: { spec: { containers: [{ image: "quay.io/calico/node:v3.31.2" }] } } }
`;
const release = 'dl.k8s.io/release/v1.34.1/bin/linux/amd64';
const calicoUrl = 'raw.githubusercontent.com/projectcalico/calico/v3.31.2/manifests/calico.yaml';
const crictl =
  'github.com/kubernetes-sigs/cri-tools/releases/download/v1.34.0/crictl-v1.34.0-linux-amd64.tar.gz';
const plugins =
  'github.com/containernetworking/plugins/releases/download/v1.9.1/cni-plugins-linux-amd64-v1.9.1.tgz';

let publishers: Publishers;
let folder: string;
const told: string[] = [];

beforeEach(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'playsmith-artifacts-')), 'artifacts');
  publishers = await startPublishers();
  const summed = (address: string, content: string | Buffer): void => {
    publishers.file(address, content);
    publishers.file(`${address}.sha256`, `${sha256(content)}\n`);
  };
  summed(`${release}/kubeadm`, kubeadm);
  summed(`${release}/kubelet`, 'kubelet '.repeat(50_000));
  summed(`${release}/kubectl`, 'kubectl');
  summed(crictl, await tarball('crictl', 'crictl itself'));
  summed(plugins, 'plugins');
  publishers.file(calicoUrl, manifest);
  const k8s = 'registry.k8s.io';
  await publishers.image(`${k8s}/kube-apiserver:v1.34.1`, ['base', 'apiserver']);
  await publishers.image(`${k8s}/etcd:3.6.4-0`, ['base', 'etcd']);
  await publishers.image(`${k8s}/kube-proxy:v1.34.1`, ['base', 'proxy']);
  await publishers.image(`${k8s}/pause:3.10.1`, ['pause']);
  await publishers.image('quay.io/calico/node:v3.31.2', ['calico']);
});
afterEach(() => {
  publishers.close();
  rmSync(join(folder, '..'), { recursive: true });
  told.length = 0;
});

const flannelCluster = cluster({ ...kubeadmOf([]), podNetwork: podNetwork({ plugin: 'flannel' }) });

const preparation = (pinned: Partial<PodNetwork> = {}): Preparation => ({
  needed: neededArtifacts(
    cluster({
      ...kubeadmOf([]),
      podNetwork: podNetwork({
        ...{ plugin: 'calico', version: '3.31.2', url: `https://${calicoUrl}`, sha256: sha256(manifest) },
        ...pinned,
      }),
    }),
  ),
  packages: { systems: [], names: [] },
  logins: new Map(),
  mirror: mirrorOf(publishers.url),
  to: folder,
  tell: (text) => told.push(text),
});
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const tar = (path: string, member: string): string =>
  execFileSync('tar', ['--extract', '--to-stdout', '--file', join(folder, path), member], {
    encoding: 'utf8',
  });

describe('artifacts that are prepared', () => {
  test('are every file and image that the cluster needs, with an index and sums that pin them all', async () => {
    const sum = value(await prepare(preparation()));
    expect(readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()).toEqual(
      [
        ...['SHA256SUMS', 'archives', 'archives/cni-plugins.tgz', 'binaries', 'binaries/crictl'],
        ...[
          'binaries/kubeadm',
          'binaries/kubectl',
          'binaries/kubelet',
          'images',
          'images/control-plane.list',
        ],
        ...['images/control-plane.tar', 'images/node.list', 'images/node.tar', 'index.json', 'manifests'],
        'manifests/calico.yaml',
      ].sort(),
    );
    expect(read('binaries/crictl')).toBe('crictl itself');
    expect(value(await verify(folder)).sha256).toBe(sum);
    const index = JSON.parse(read('index.json')) as Index;
    expect(index.images).toContain('registry.k8s.io/pause:3.10.1');
    expect(index.files.find(({ path }) => path === 'binaries/kubelet')?.origin).toContain(
      `https://${release}/kubelet`,
    );
  });

  test('hold the conformance tests of the version and the images that these name, where they are wanted', async () => {
    const images = ['agnhost:2.66.1', 'busybox:1.37.0-2', 'volume/nfs:1.6.0', 'node-perf/npb-ep:1.6.0'];
    const listed = [
      ...images.map((name) => `registry.k8s.io/e2e-test-images/${name}`),
      'invalid.registry.k8s.io/invalid/alpine:3.1',
    ];
    const script = `#!/bin/sh\n[ "$*" = --list-images ] || exit 1\n${listed.map((name) => `echo ${name}\n`).join('')}`;
    const archive = await tarball('kubernetes/test/bin/e2e.test', script);
    const address = 'dl.k8s.io/release/v1.34.1/kubernetes-test-linux-amd64.tar.gz';
    publishers.file(address, archive);
    publishers.file(`${address}.sha256`, sha256(archive));
    for (const name of listed.slice(0, 2)) await publishers.image(name, ['test']);
    const plain = preparation();
    value(await prepare({ ...plain, needed: neededForConformance(plain.needed) }));
    expect(read('images/conformance.list').trim().split('\n')).toEqual(listed.slice(0, 2));
    expect(tar('images/conformance.tar', 'index.json')).toContain(`${listed[0] ?? ''}"`);
    expect(sha256(readFileSync(join(folder, 'archives/kubernetes-test.tar.gz')))).toBe(sha256(archive));
    value(await verify(folder));
  });

  test('hold images as the registry has them, for our processor, by the names that pods use', async () => {
    value(await prepare(preparation()));
    expect(read('images/control-plane.list')).toBe(
      'registry.k8s.io/etcd:3.6.4-0\nregistry.k8s.io/kube-apiserver:v1.34.1\n',
    );
    expect(read('images/node.list')).toBe(
      [
        ...['quay.io/calico/node:v3.31.2', 'registry.k8s.io/kube-proxy:v1.34.1'],
        ...['registry.k8s.io/pause:3.10.1', ''],
      ].join('\n'),
    );
    const { manifests } = JSON.parse(tar('images/node.tar', 'index.json')) as {
      manifests: { digest: string; annotations: Record<string, string> }[];
    };
    for (const { digest } of manifests) {
      const text = tar('images/node.tar', `blobs/${digest.replace(':', '/')}`);
      expect(`sha256:${sha256(text)}`).toBe(digest);
      const { config } = JSON.parse(text) as { config: { digest: string } };
      expect(tar('images/node.tar', `blobs/${config.digest.replace(':', '/')}`)).toContain('amd64');
    }
    expect(manifests.map(({ annotations }) => annotations['io.containerd.image.name'])).toEqual(
      read('images/node.list').trim().split('\n'),
    );
  });
});

const fetched = (path: string): number =>
  publishers.requests.filter((each) => each === `GET /${path}`).length;

test('an image that is asked for by its digest is found by it as well', async () => {
  const pause = preparation();
  const digest = await publishers.image('registry.k8s.io/pause:3.10.1', ['pause']);
  const images = [`registry.k8s.io/pause:3.10.1@${digest}`];
  value(await prepare({ ...pause, needed: { ...pause.needed, images } }));
  expect(read('images/node.list')).toContain(
    `registry.k8s.io/pause:3.10.1\nregistry.k8s.io/pause@${digest}\n`,
  );
  expect(`sha256:${sha256(tar('images/node.tar', `blobs/${digest.replace(':', '/')}`))}`).toBe(digest);
});

describe('preparing artifacts', () => {
  test('fetches nothing twice, and gives the same bytes again', async () => {
    const sum = value(await prepare(preparation()));
    publishers.requests.length = 0;
    expect(value(await prepare(preparation()))).toBe(sum);
    expect(publishers.requests.filter((each) => !each.endsWith('.sha256'))).toEqual([]);
    rmSync(join(folder, 'images/node.tar'));
    expect(value(await prepare(preparation()))).toBe(sum);
  });

  test('goes on where it was cut short', async () => {
    const lacking = preparation();
    const absent = { ...lacking, needed: { ...lacking.needed, images: ['registry.k8s.io/absent:1'] } };
    expect(failure(await prepare(absent)).message).toContain('absent');
    expect(existsSync(join(folder, 'SHA256SUMS'))).toBe(false);
    publishers.requests.length = 0;
    value(await prepare(preparation()));
    expect(fetched(`${release}/kubelet`)).toBe(0);
    expect(existsSync(join(folder, '.partial'))).toBe(false);
  });

  test('asks again when an answer breaks off or a server is busy', async () => {
    publishers.troubles.set(`/${release}/kubelet`, 'break');
    publishers.troubles.set(`/${release}/kubectl`, 'busy');
    value(await prepare(preparation()));
    expect([fetched(`${release}/kubelet`), fetched(`${release}/kubectl`)]).toEqual([2, 2]);
    expect(read('binaries/kubelet')).toBe('kubelet '.repeat(50_000));
  });

  test('keeps nothing that is not what its checksum says', async () => {
    publishers.file(`${release}/kubelet`, 'something else');
    expect(failure(await prepare(preparation()))).toMatchObject({
      kind: 'bundle',
      message: expect.stringContaining('kubelet') as string,
    });
    expect(existsSync(join(folder, 'binaries/kubelet'))).toBe(false);
    const pinned = preparation({ sha256: '0'.repeat(64) });
    publishers.file(`${release}/kubelet`, 'kubelet '.repeat(50_000));
    expect(failure(await prepare(pinned)).message).toContain('calico.yaml');
  });

  test('fetches anew what the definition now takes from elsewhere, and removes what it no longer needs', async () => {
    value(await prepare(preparation()));
    const without = preparation({ plugin: 'static-routes' });
    value(await prepare(without));
    expect(existsSync(join(folder, 'manifests/calico.yaml'))).toBe(false);
    expect(read('images/node.list')).not.toContain('calico');
    value(await verify(folder));
  });

  test('hold the images of flannel, whose manifest is in the bundle', async () => {
    const images = ['flannel:v0.28.4', 'flannel-cni-plugin:v1.9.1-flannel1'].map(
      (name) => `ghcr.io/flannel-io/${name}`,
    );
    for (const image of images) await publishers.image(image, ['flannel']);
    value(await prepare({ ...preparation(), needed: neededArtifacts(flannelCluster) }));
    for (const image of images) expect(read('images/node.list').split('\n')).toContain(image);
    expect(existsSync(join(folder, 'manifests'))).toBe(false);
  });

  test('hold the images of the chart of cilium as the definition sets it', async () => {
    const helm = `#!/bin/sh
[ "$*" = "template cilium \${3} --namespace=kube-system --values=- --kube-version=1.34.1" ] || exit 1
echo 'kind: Pod'
grep -q '"envoy":{"enabled":false}' && echo 'spec: { containers: [{ image: "quay.io/cilium/cilium:v1.20.2" }] }'
`;
    publishers.file('helm.cilium.io/cilium-1.20.2.tgz', 'chart');
    publishers.file('get.helm.sh/helm.tar.gz', await tarball('linux-amd64/helm', helm));
    await publishers.image('quay.io/cilium/cilium:v1.20.2', ['cilium']);
    const chart = {
      ...({ plugin: 'cilium', version: '1.20.2' } as const),
      ...{ url: 'https://helm.cilium.io/cilium-1.20.2.tgz', sha256: sha256('chart') },
      helmUrl: 'https://get.helm.sh/helm.tar.gz',
      helmSha256: sha256(await tarball('linux-amd64/helm', helm)),
      values: { envoy: { enabled: false } },
    };
    value(await prepare(preparation(chart)));
    expect(read('images/node.list').split('\n')).toContain('quay.io/cilium/cilium:v1.20.2');
  });

  test('takes an image of a registry that wants a token', async () => {
    publishers.guarded.add('registry.k8s.io/etcd');
    value(await prepare(preparation()));
    expect(publishers.requests.filter((each) => each.startsWith('GET /token'))).toHaveLength(1);
  });

  test('leaves a folder alone that holds anything else', async () => {
    rmSync(folder, { recursive: true, force: true });
    const home = mkdtempSync(join(tmpdir(), 'playsmith-home-'));
    writeFileSync(join(home, 'thesis.txt'), 'precious');
    expect(failure(await prepare({ ...preparation(), to: home })).message).toContain('holds no artifacts');
    rmSync(home, { recursive: true });
    value(await prepare(preparation()));
    writeFileSync(join(folder, 'notes.txt'), 'precious');
    expect(failure(await prepare(preparation())).message).toContain('notes.txt');
    expect(read('notes.txt')).toBe('precious');
  });
});

test('verifying names everything that is changed, missing or strange', async () => {
  value(await prepare(preparation()));
  writeFileSync(join(folder, 'binaries/kubectl'), 'forged');
  rmSync(join(folder, 'binaries/kubeadm'));
  writeFileSync(join(folder, 'binaries/more'), '');
  expect(failure(await verify(folder))).toMatchObject({
    kind: 'bundle',
    evidence: 'missing: binaries/kubeadm\nnot in SHA256SUMS: binaries/more\nchanged: binaries/kubectl',
  });
});

describe('artifacts that are pushed', () => {
  let sshd: Sshd;
  let server: Server;
  let directory: string;
  beforeAll(async () => {
    sshd = await startSshd();
  });
  afterAll(() => {
    sshd.close();
  });
  beforeEach(async () => {
    directory = serverFolder();
    server = await overSsh(sshd, directory);
    value(await prepare(preparation()));
  });
  afterEach(async () => {
    await server.close();
    rmSync(directory, { recursive: true });
  });

  const push = async (to: string): ReturnType<typeof pushArtifacts> =>
    pushArtifacts(server, {
      from: folder,
      verified: value(await verify(folder)),
      to,
      tell: (text) => told.push(text),
    });

  test('lie at the server as they lie here; only what differs travels, and the sums come last', async () => {
    const to = join(directory, 'artifacts');
    const { sent } = value(await push(to));
    expect(sent).toBe(12);
    expect(execFileSync('diff', ['--recursive', folder, to], { encoding: 'utf8' })).toBe('');
    expect(told.at(-1)).toMatch(/^SHA256SUMS/);
    expect(value(await push(to))).toEqual({ sent: 0, bytes: 0 });

    writeFileSync(join(to, 'binaries/kubectl'), 'forged');
    told.length = 0;
    expect(value(await push(to)).sent).toBe(2);
    expect(told.map((text) => text.split(' ')[0])).toEqual(['binaries/kubectl', 'SHA256SUMS']);
    expect(statSync(join(to, 'binaries/kubectl')).size).toBe('kubectl'.length);
  });

  test('are not begun where there is no room', async () => {
    const disk = smallDisk(256);
    try {
      expect(failure(await push(join(disk.folder, 'artifacts')))).toMatchObject({
        kind: 'server',
        evidence: expect.stringContaining('nothing was sent') as string,
      });
    } finally {
      disk.unmount();
    }
  });

  test('that are cut short leave no sums, and go on', async () => {
    const to = join(directory, 'artifacts');
    value(await push(to));
    writeFileSync(join(to, 'binaries/kubectl'), 'older');
    writeFileSync(join(to, 'binaries/kubelet.partial'), 'half');
    rmSync(join(to, 'SHA256SUMS'));
    value(await push(to));
    expect(
      execFileSync('diff', ['--recursive', folder, to, '--exclude=*.partial'], { encoding: 'utf8' }),
    ).toBe('');
  });
});
