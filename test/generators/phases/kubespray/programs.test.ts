import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { render } from '../../../../generators/render.ts';
import { kubesprayExample } from '../../../support/definitions/kubespray.ts';
import { templates } from '../../../support/definitions/templates.ts';

// sudo of the RHEL family looks in none of the folders below /usr/local.
test('kubectl is looked for where kubespray puts it, whatever the path of sudo is', () => {
  const calling = render(kubesprayExample, templates).filter(
    ({ path, text }) =>
      !path.startsWith('collections/') && /"kubectl", |^ *- kubectl$|\bkubectl (?:get|delete)/m.test(text),
  );
  expect(calling.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['files/verify/nodes.py', 'kubespray-node-preflight.yml']),
  );
  expect(calling.filter(({ text }) => !text.includes('/usr/local/bin')).map(({ path }) => path)).toEqual([]);
});

describe('verify --look, for drift', () => {
  const nodes = render(kubesprayExample, templates).find(({ path }) => path === 'files/verify/nodes.py');
  const { version } = kubesprayExample.kubernetes;
  const names = kubesprayExample.machines
    .filter(({ roles }) => roles.includes('control-plane') || roles.includes('worker'))
    .map(({ name }) => name);

  /** What it says of these nodes; of none: there is no cluster. */
  function looked(
    there: Readonly<Record<string, { ready?: boolean; version?: string; mute?: boolean }>> | undefined,
  ): string {
    const folder = mkdtempSync(join(tmpdir(), 'verify-look-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const items = Object.entries(there ?? {}).map(
      ([name, { ready = true, version: runs = version, mute = false }]) => ({
        metadata: { name },
        status: {
          ...(mute
            ? {}
            : { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', message: 'no CNI' }] }),
          nodeInfo: { kubeletVersion: `v${runs}` },
        },
      }),
    );
    writeFileSync(join(folder, 'nodes.json'), JSON.stringify({ items }));
    const kubectl = `#!/bin/sh\ncase "$*" in *readyz*) echo ok ;; *) cat ${folder}/nodes.json ;; esac\n`;
    writeFileSync(join(folder, 'kubectl'), kubectl);
    chmodSync(join(folder, 'kubectl'), 0o755);
    const configuration = there === undefined ? join(folder, 'nowhere') : join(folder, 'nodes.json');
    const done = spawnSync('python3', ['-', '--look'], {
      input: (nodes?.text ?? '').replaceAll('/etc/kubernetes/admin.conf', configuration),
      env: { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` },
      encoding: 'utf8',
    });
    expect(done.stderr).toBe('');
    return done.stdout.trim();
  }

  const all = Object.fromEntries(names.map((name) => [name, {}]));

  test('says nothing of a cluster that is as it should be, and of one that is not there yet', () => {
    expect(looked(all)).toBe('');
    expect(looked(undefined)).toBe('');
  });

  test('names a node whose kubelet never reported, which has no conditions at all', () => {
    const [first = ''] = names;
    expect(looked({ ...all, [first]: { mute: true } })).toBe(`${first} is not ready: kubelet never reported`);
  });

  test('names nodes that are sick, old or missing, and those that the definition does not have', () => {
    const [first = '', second = '', ...others] = names;
    const there = { ...Object.fromEntries(others.map((name) => [name, {}])), back: {} };
    expect(looked({ [first]: { ready: false, version: '1.2.3' }, ...there }).split('\n')).toEqual([
      `${first} is not ready: no CNI`,
      `${first} runs v1.2.3, not v${version}: npx task upgrade`,
      `${second} is no node of the cluster: npx task heal-node ${second}`,
      'back is registered as a node, and no machine of the definition is called so: add it there, or kubectl drain back and kubectl delete node back',
    ]);
  });
});
