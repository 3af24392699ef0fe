import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { releaseOf } from '../../../generators/catalog/kubespray/releases.ts';
import { connect } from '../../../tasks/steps/connect.ts';
import { examineKubespray, kubesprayFindings } from '../../../tasks/steps/examine-kubespray.ts';
import { cluster } from '../../support/clusters.ts';
import { kubesprayExample } from '../../support/kubespray.ts';

const release = releaseOf('v2.28.1');

const judged = (facts: Readonly<Record<string, readonly string[]>>) =>
  kubesprayFindings(
    kubesprayExample,
    release ?? (undefined as never),
    (name) =>
      ({ tree: ['/srv/tree'], version: ['v2.28.1'], ansible: ['2.16.14'], python: ['3.11.2'], ...facts })[
        name
      ] ?? [],
  ).map(({ what, state, seen, remedy }) =>
    [what, state, seen, remedy].filter((each) => each !== '').join(': '),
  );

describe('kubespray on the Ansible server', () => {
  test('is fit where tag, ansible-core and Python are those that belong together', () => {
    expect(judged({})).toEqual([
      'kubespray: fit: v2.28.1 at /srv/tree',
      'Ansible of v2.28.1: fit: 2.16.14',
      'Python of v2.28.1: fit: 3.11.2',
    ]);
  });

  test.each([
    [
      { tree: [] },
      'kubespray: unfit: no checkout at ~/playsmith/kubespray/v2.28.1/tree: npx task bootstrap makes it',
    ],
    [
      { version: ['v2.27.0'] },
      'kubespray: unfit: v2.27.0 at /srv/tree: the definition says v2.28.1: git checkout v2.28.1 there, or the other version here',
    ],
    [{ version: [] }, 'kubespray: unsure: /srv/tree does not tell its version: make sure that it is v2.28.1'],
    [{ missing: ['scale.yml'] }, 'kubespray: unfit: /srv/tree has no scale.yml: a whole checkout there'],
    [
      { writable: ['/srv/tree'] },
      'kubespray: unfit: everybody may write /srv/tree: Ansible ignores its ansible.cfg then: chmod o-w /srv/tree',
    ],
    [
      { ansible: ['2.17.0'] },
      'Ansible of v2.28.1: unfit: 2.17.0: 2.16.4 or later, but older than 2.17.0; npx task bootstrap installs it',
    ],
    [
      { ansible: ['2.16.3'] },
      'Ansible of v2.28.1: unfit: 2.16.3: 2.16.4 or later, but older than 2.17.0; npx task bootstrap installs it',
    ],
    [
      { python: ['3.13.1'] },
      'Python of v2.28.1: unfit: 3.13.1: 3.10 to 3.12: name another one as installer.kubespray.python, then npx task bootstrap',
    ],
    [{ lacking: ['netaddr'] }, 'netaddr of v2.28.1: unfit: missing: npx task bootstrap installs it'],
    [{ ansible: [] }, 'Ansible of v2.28.1: unfit: missing: npx task bootstrap installs it'],
    [
      { ansible: [], base: ['3.9.2'] },
      'Python for v2.28.1: unfit: 3.9.2: 3.10 to 3.12: name another one as installer.kubespray.python, then npx task bootstrap',
    ],
  ])('%j', (facts, expected) => {
    expect(judged(facts)).toContain(expected);
  });
});

describe('the program that looks', () => {
  const script = join(import.meta.dirname, '../../../tasks/runtime/server/examine-kubespray.sh');
  const seen = (tree: string): readonly string[] =>
    spawnSync('sh', ['-s', '--', tree, '/nowhere', 'python3'], {
      input: readFileSync(script),
      encoding: 'utf8',
    })
      .stdout.trim()
      .split('\n');

  test('tells the version of an archive by its galaxy.yml', () => {
    const tree = join(import.meta.dirname, '../../lab/kubespray-tree');
    expect(seen(tree)).toEqual(expect.arrayContaining([`tree=${tree}`]));
    expect(seen(tree).filter((line) => line.startsWith('missing='))).toEqual([]);
  });

  test('tells that there is none', () => {
    expect(seen(mkdtempSync(join(tmpdir(), 'none-')))).toContain('tree=');
  });
});

test('only a cluster of kubespray is asked about it', async () => {
  const server = await connect({
    kind: 'local',
    directory: '/nowhere',
    retention: { runs: 1, days: 1 },
    ansible: { kind: 'packages' },
  });
  if (!server.ok) throw new Error('no local server');
  const found = [
    await examineKubespray(server.value, cluster()),
    await examineKubespray(server.value, kubesprayExample),
  ];
  await server.value.close();
  expect(found.map((each) => each.ok && each.value.length > 0)).toEqual([false, true]);
});
