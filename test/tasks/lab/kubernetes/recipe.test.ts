import { describe, expect, it } from 'vitest';
import {
  hostPrograms,
  images,
  kubernetesHash,
  linkerFlags,
  programs,
  sourceVersion,
} from '../../../../tasks/lab/kubernetes/recipe.ts';

describe("the recipe of the lab's Kubernetes", () => {
  const base = { version: sourceVersion, texts: { 'a.sh': 'one', 'b.go': 'two' } };

  it('has one name whatever order its texts are read in', () => {
    expect(kubernetesHash(base)).toMatch(/^[0-9a-f]{12}$/);
    expect(kubernetesHash({ ...base, texts: { 'b.go': 'two', 'a.sh': 'one' } })).toBe(kubernetesHash(base));
  });

  it.each([
    ['the version', { ...base, version: '1.20.5' }],
    ['a script', { ...base, texts: { ...base.texts, 'a.sh': 'other' } }],
    ['a source of ours', { ...base, texts: { ...base.texts, 'c.go': 'new' } }],
  ])('has another name with %s changed', (_what, other) => {
    expect(kubernetesHash(other)).not.toBe(kubernetesHash(base));
  });

  it('names the version in the programs where kubelet and clients look for it', () => {
    const flags = linkerFlags('1.20.5');
    expect(flags).toContain('component-base/version.gitVersion=v1.20.5 ');
    expect(flags).toContain('client-go/pkg/version.gitMinor=20 ');
  });

  it('tags what is built with the version, and the rest as kubeadm of that version asks for it', () => {
    expect(images('1.20.5').map(({ reference }) => reference)).toEqual([
      'k8s.gcr.io/kube-apiserver:v1.20.5',
      'k8s.gcr.io/kube-controller-manager:v1.20.5',
      'k8s.gcr.io/kube-scheduler:v1.20.5',
      'k8s.gcr.io/etcd:3.4.13-0',
      'k8s.gcr.io/kube-proxy:v1.20.5',
      'k8s.gcr.io/pause:3.2',
      'k8s.gcr.io/coredns:1.7.0',
      'docker.io/lab/echo:1',
      'docker.io/lab/nfs:1',
    ]);
  });

  it('builds every program that an image or a host takes from it', () => {
    const taken = images(sourceVersion).flatMap(({ files }) =>
      Object.values(files).filter((source) => source.startsWith('bin/')),
    );
    expect(programs).toEqual(expect.arrayContaining(taken.map((source) => source.slice(4))));
    expect(programs).toEqual(expect.arrayContaining(hostPrograms));
  });
});
