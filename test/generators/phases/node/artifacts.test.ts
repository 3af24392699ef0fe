import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { artifacts } from '../../../../generators/phases/node/artifacts.ts';
import { cluster, kubeadmCluster } from '../../../support/clusters.ts';
import { breachesOf, textOf } from '../../../support/phase-files.ts';

const given = kubeadmCluster({ offline: { artifacts: '/srv/artifacts', sha256: 'ab'.repeat(32) } });
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('the phase artifacts', () => {
  test('is there only offline, and keeps the house rules', () => {
    expect(artifacts.applies(cluster())).toBe(false);
    expect(artifacts.applies(given)).toBe(true);
    expect(breachesOf([artifacts], given)).toEqual([]);
  });

  test('refreshes no list of apt but its own', () => {
    const text = textOf(artifacts, given, 'files/artifacts/unpack.sh');
    expect(text).toContain('Dir::Etc::sourceparts=-');
    expect(text).toContain('APT::Get::List-Cleanup=0');
  });
});

describe('the verification on the Ansible server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-artifacts-'));
  mkdirSync(join(folder, 'binaries'));
  const files = { 'binaries/kubeadm': 'kubeadm', 'binaries/kubelet': 'kubelet' };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  const sums = `${Object.entries(files)
    .map(([path, text]) => `${digest(text)}  ${path}`)
    .join('\n')}\n`;
  writeFileSync(join(folder, 'SHA256SUMS'), sums);
  const script = textOf(artifacts, given, 'files/artifacts/verify.py');
  const verify = (input: string, { reviewed = digest(sums), where = folder } = {}) =>
    spawnSync('python3', ['-c', script, where, reviewed], { input, encoding: 'utf8' });

  test('says what hosts should have', () => {
    const { status, stdout } = verify('- binaries/kubeadm');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      sums: { 'binaries/kubeadm': digest('kubeadm') },
      lines: [`${digest('kubeadm')} binaries/kubeadm`],
    });
  });

  test('refuses a list of checksums that was not reviewed', () => {
    const { status, stderr } = verify('- binaries/kubeadm', { reviewed: 'cd'.repeat(32) });
    expect(status).toBe(1);
    expect(stderr).toContain(`SHA256SUMS of ${folder} has the sum ${digest(sums)}, reviewed is cdcd`);
  });

  test('refuses a file that is not as listed, by its name, but only where somebody lacks it', () => {
    writeFileSync(join(folder, 'binaries/kubelet'), 'tampered');
    const held = `${digest('kubelet')} binaries/kubelet`;
    expect(verify(held).status).toBe(0);
    const { status, stderr } = verify(`${held} - binaries/kubelet - binaries/absent`);
    expect(status).toBe(1);
    expect(stderr).toContain('hold no binaries/absent; binaries/kubelet of');
    expect(stderr).toContain(`has the sum ${digest('tampered')}, SHA256SUMS says ${digest('kubelet')}`);
  });

  test('says which folder is not there, and who fills it', () => {
    const { status, stderr } = verify('', { where: join(folder, 'absent') });
    expect(status).toBe(1);
    expect(stderr).toContain('absent/SHA256SUMS: No such file or directory');
    expect(stderr).toContain('npx task artifacts push');
  });
});
