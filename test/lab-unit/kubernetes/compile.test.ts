import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { there } from '../../support/there.ts';
import { goBuild, goName } from '../../../lab/kubernetes/compile.ts';
import { modulesOf } from '../../../lab/kubernetes/modules.ts';
import { labReleases, releaseOf } from '../../../lab/kubernetes/releases.ts';

describe('a build of a Go module', () => {
  it('names the version in the programs where kubelet and clients look for it', () => {
    const kubernetes = there(modulesOf(there(releaseOf('1.35.4'))).at(-1));
    const flags = goBuild(kubernetes, { go: 'go', out: 'bin/' }).at(-1);
    expect(flags).toMatch(/^-s -w /);
    expect(flags).toContain(' -X k8s.io/component-base/version.gitVersion=v1.35.4 ');
    expect(flags).toContain(' -X k8s.io/client-go/pkg/version.gitMinor=35 ');
  });

  it.each([
    ['go.etcd.io/etcd/server/v3', 'server'],
    ['github.com/containerd/containerd/v2/cmd/ctr', 'ctr'],
    ['./echo', 'echo'],
  ])('knows what Go calls the program of %s', (name, called) => {
    expect(goName(name)).toBe(called);
  });

  it.each(labReleases)('never writes over another one ($kubernetes)', (release) => {
    const made = modulesOf(release).flatMap(({ programs }) =>
      Object.entries(programs).flatMap(([name, path]) => [
        ...new Set([join(dirname(path), goName(name)), path]),
      ]),
    );
    expect(made.filter((path, index) => made.indexOf(path) !== index)).toEqual([]);
  });
});
