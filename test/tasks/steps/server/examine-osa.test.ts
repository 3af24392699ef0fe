import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { osaFinding } from '../../../../tasks/steps/server/examine-osa.ts';
import { folderWith } from '../../../generators/openstack-ansible/python.ts';
import { definition, osaOf } from '../../../generators/openstack-ansible/support.ts';

const judged = (facts: Readonly<Record<string, string>>, text = definition()) => {
  const { state, seen, remedy } = osaFinding(osaOf(text), (name) => facts[name] ?? '');
  return `${state}: ${seen} → ${remedy}`;
};
const there = { reached: 'yes', checkout: '/opt/openstack-ansible', layout: 'ops' };

test.each([
  ['the release of the definition', { ...there, version: '32.0.1' }, 'fit: 32.0.1, release 2025.2 → '],
  [
    'another release',
    { ...there, version: '31.2.0' },
    "unfit: 31.2.0, release 2025.1 → npx task probe, or release: '2025.1'",
  ],
  [
    'one that is not described',
    { ...there, version: '28.1.0' },
    'unfit: 28.1.0 → a release that is described: 2024.2 to 2026.1',
  ],
  [
    'files of another layout',
    { ...there, version: '32.0.1', layout: 'integrated' },
    'unfit: 32.0.1, release 2025.2, with the files of another release → a checkout of release 2025.2, or its release in the definition',
  ],
  ['no version', there, 'unsure: a version that it does not tell → make sure that it is release 2025.2'],
  [
    'no checkout',
    { reached: 'yes' },
    'unfit: nothing at /opt/openstack-ansible → openStackAnsible.checkout, or install it: scripts/bootstrap-ansible.sh',
  ],
  [
    'a login that is refused',
    { refused: 'Permission denied (publickey).' },
    'unsure: Permission denied (publickey). → npx task run osa-place --check asks it by the way of every run',
  ],
])('%s', (_what, facts, wanted) => {
  expect(judged(facts as Readonly<Record<string, string>>)).toBe(wanted);
});

const script = join(import.meta.dirname, '../../../../agent/examine-osa.sh');

test('the script asks a deploy host by its pinned key, and this machine without one', () => {
  const root = folderWith({
    'bin/ssh':
      '#!/bin/sh\necho "$@" > "$ROOT/asked"; cat "${8#UserKnownHostsFile=}" > "$ROOT/known"\nwhile [ "$1" != sh ]; do shift; done; shift; exec sh "$@"\n',
    'osa/inventory/dynamic_inventory.py': '',
  });
  chmodSync(join(root, 'bin/ssh'), 0o755);
  const ask = (...words: string[]) =>
    spawnSync('sh', [script, join(root, 'osa'), ...words], {
      encoding: 'utf8',
      env: { PATH: `${root}/bin:/usr/bin:/bin`, ROOT: root, HOME: root },
    }).stdout;
  const here = `version=\ncheckout=${root}/osa\nlayout=ops\n`;
  expect(ask('', '', '', '').replace('configured=yes\n', '')).toBe(`reached=yes\n${here}`);
  expect(
    ask('192.0.2.7', '2222', 'ops', '~/key', 'ssh-ed25519 AAAA').replace('configured=yes\n', ''),
  ).toContain(here);
  mkdirSync(join(root, 'osa/inventory/env.d'));
  writeFileSync(join(root, 'osa/inventory/env.d/k8s.yml'), '');
  expect(ask('', '', '', '')).toContain('layout=integrated');
});
