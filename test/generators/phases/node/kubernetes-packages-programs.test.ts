import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { exampleClusters } from '../../../support/examples.ts';
import { render } from '../../../../generators/render.ts';
import { templates } from '../../../support/templates.ts';

const path = 'files/kubernetes-packages/state.py';
const text = exampleClusters
  .filter(({ name }) => name === 'offline')
  .flatMap((cluster) => render(cluster, templates).filter((file) => file.path === path))
  .map((file) => file.text)
  .join('');
const programs = ['kubeadm', 'kubectl', 'kubelet', 'crictl'];

interface Found {
  readonly versions: Readonly<Record<string, string>>;
  readonly artifacts: readonly string[];
}

describe('what is found of the programs of Kubernetes', () => {
  let folder = '';
  const memory = (): string => join(folder, 'kept', 'programs.json');
  const asked = (): number => readFileSync(join(folder, 'asked'), 'utf8').length;
  const put = (name: string, version: string): void => {
    const script = `#!/bin/sh\nprintf . >> ${folder}/asked\necho "Kubernetes v${version}"\n`;
    writeFileSync(join(folder, name), script, { mode: 0o755 });
  };
  const sumOf = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');

  /** As on a host whose programs and memory lie in `folder`. */
  function look(more: object): Found {
    const program = text
      .replaceAll('"/usr/bin/"', `"${folder}/"`)
      .replace(/^MEMORY = .*$/m, `MEMORY = "${memory()}"`);
    const wanted = { packages: [], artifacts: true, plugins: false, remember: true, ...more };
    const done = spawnSync('python3', ['-', JSON.stringify(wanted)], { input: program, encoding: 'utf8' });
    expect(done.status, done.stderr).toBe(0);
    return JSON.parse(done.stdout) as Found;
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'programs-'));
    mkdirSync(join(folder, 'kept'));
    writeFileSync(join(folder, 'asked'), '');
    for (const name of programs) put(name, '1.20.2');
  });

  test('is found out once, and again when a file changes', () => {
    const first = look({});
    expect(first.versions).toEqual({ kubeadm: '1.20.2', kubectl: '1.20.2', kubelet: '1.20.2' });
    expect(first.artifacts.toSorted()).toEqual(
      programs.map((name) => `${sumOf(name)} binaries/${name}`).toSorted(),
    );
    const before = asked();
    expect(look({})).toEqual(first);
    expect(asked()).toBe(before);
    put('kubelet', '1.20.3');
    expect(look({}).versions['kubelet']).toBe('1.20.3');
    expect(look({}).artifacts).toContain(`${sumOf('kubelet')} binaries/kubelet`);
    appendFileSync(join(folder, 'crictl'), '# by hand\n');
    expect(look({}).artifacts).toContain(`${sumOf('crictl')} binaries/crictl`);
  });

  test('is neither believed nor written down where a look is all that is wanted', () => {
    look({ remember: false });
    expect(existsSync(memory())).toBe(false);
    look({});
    const before = asked();
    look({ remember: false });
    expect(asked()).toBe(before + 3);
  });

  test('is what was put there just now, and nothing of what is not there', () => {
    const sums = { 'binaries/kubelet': 'f'.repeat(64) };
    expect(look({ sums }).artifacts).toContain(`${'f'.repeat(64)} binaries/kubelet`);
    writeFileSync(memory(), 'cut of');
    spawnSync('rm', [join(folder, 'kubectl')]);
    const found = look({});
    expect(found.versions['kubectl']).toBe('');
    expect(found.artifacts).toContain('- binaries/kubectl');
  });
});
