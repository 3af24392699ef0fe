import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modulesOf } from '../../../lab/kubernetes/modules.ts';
import { origins } from '../../../lab/kubernetes/origins.ts';
import { calicoModule } from '../../../lab/kubernetes/calico.ts';
import { ciliumModule, helm } from '../../../lab/kubernetes/cilium.ts';
import { testImages, testsFolder } from '../../../lab/kubernetes/conformance.ts';
import { hostPrograms, images, kubernetesHash } from '../../../lab/kubernetes/recipe.ts';
import { labReleases, labVersion, releaseOf } from '../../../lab/kubernetes/releases.ts';
import { there } from '../../support/there.ts';
import { packageRoot } from '../../../tasks/runtime/package.ts';

const sources = join(packageRoot, 'lab/kubernetes/sources');
const newest = there(labReleases.at(-1));

describe("the recipe of the lab's Kubernetes", () => {
  const base = { release: newest, source: 'modules' as const, texts: { 'a.sh': 'one', 'b.go': 'two' } };

  it('has one name whatever order its texts are read in', () => {
    expect(kubernetesHash(base)).toMatch(/^[0-9a-f]{12}$/);
    expect(kubernetesHash({ ...base, texts: { 'b.go': 'two', 'a.sh': 'one' } })).toBe(kubernetesHash(base));
  });

  it.each([
    ['another source', { ...base, source: 'publishers' as const }],
    ['another release', { ...base, release: there(releaseOf('1.35.4')) }],
    ["with Kubernetes' own tests", { ...base, extraImages: testImages }],
    ['another runc', { ...base, release: { ...newest, runc: '1.3.6' } }],
    ['a script', { ...base, texts: { ...base.texts, 'a.sh': 'other' } }],
    ['a source of ours', { ...base, texts: { ...base.texts, 'c.go': 'new' } }],
  ])('has another name with %s', (_what, other) => {
    expect(kubernetesHash(other)).not.toBe(kubernetesHash(base));
  });

  it('takes the newest release unless it is asked for another', () => {
    expect(releaseOf(labVersion)).toBe(newest);
    expect(releaseOf('1.20.2')).toBeUndefined();
  });

  it('tags what is built with the version, and the rest as kubeadm of that version asks for it', () => {
    expect(images(newest).map(({ reference }) => reference)).toEqual([
      'registry.k8s.io/kube-apiserver:v1.37.2',
      'registry.k8s.io/kube-controller-manager:v1.37.2',
      'registry.k8s.io/kube-scheduler:v1.37.2',
      'registry.k8s.io/etcd:3.7.0-0',
      'registry.k8s.io/kube-proxy:v1.37.2',
      'registry.k8s.io/pause:3.10.2',
      'registry.k8s.io/coredns/coredns:v1.14.6',
      'ghcr.io/flannel-io/flannel:v0.28.10',
      'ghcr.io/flannel-io/flannel-cni-plugin:v1.9.1-flannel1',
      'docker.io/lab/echo:1',
      'docker.io/lab/nfs:1',
    ]);
  });
});

describe.each(labReleases)('Kubernetes $kubernetes of the lab', (release) => {
  const modules = modulesOf(release);

  it('builds every program that an image or a host takes from it', () => {
    const built = new Set([...modules.flatMap(({ programs }) => Object.values(programs)), 'pause']);
    const taken = images(release).flatMap(({ files }) =>
      Object.values(files).filter((source) => source.startsWith('bin/')),
    );
    for (const source of taken) expect(built).toContain(source.slice(4));
    for (const name of hostPrograms) expect(built).toContain(name);
  });

  it.each(modules)('has go.mod and go.sum of $title at exactly that version', ({ folder, programs }) => {
    const [, version] = /-([\d.]+)$/.exec(folder) ?? [];
    const text = readFileSync(join(sources, folder, 'go.mod'), 'utf8');
    // The lab's own workloads need nobody's modules.
    if (version === undefined) return;
    expect(existsSync(join(sources, folder, 'go.sum'))).toBe(true);
    const required = [...text.matchAll(/^(?:require |\t)(\S+) v(\S+)$/gm)];
    for (const name of Object.keys(programs)) {
      const module = required
        .filter(([, path = '']) => name.startsWith(path))
        .sort(([, a = ''], [, b = '']) => b.length - a.length)[0];
      expect(module?.[2], name).toBe(version);
    }
  });

  it('says where each of its files comes from', () => {
    const told = origins(release);
    expect(told.get('binaries/kubelet')).toMatch(/^Kubernetes \S+, built from its Go modules with go/);
    expect(told.get('archives/containerd.tar.gz')).toContain(`containerd ${release.containerd},`);
    expect(told.get('binaries/crictl')).toContain(`crictl ${release.crictl},`);
  });
});

it('keeps no sources that no release is built from', () => {
  const used = new Set([
    ...labReleases.flatMap(modulesOf).map(({ folder }) => folder),
    ...[testsFolder(newest), calicoModule.folder, ciliumModule.folder, helm.folder],
  ]);
  const there = readdirSync(sources, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(there.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
});

it('has every minor but the newest in the script that tests the others', () => {
  const { scripts } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const others = labReleases.map(({ kubernetes }) => kubernetes).filter((version) => version !== labVersion);
  expect(scripts['test:minors']).toContain(`for minor in ${others.join(' ')};`);
});
