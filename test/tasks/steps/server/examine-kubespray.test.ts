import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { releaseOf } from '../../../../generators/catalog/kubespray/releases.ts';
import { connect } from '../../../../tasks/steps/server/connect.ts';
import { examineKubespray, kubesprayFindings } from '../../../../tasks/steps/server/examine-kubespray.ts';
import { cluster } from '../../../support/definitions/clusters.ts';
import { kubesprayExample } from '../../../support/definitions/kubespray.ts';

const release = releaseOf('v2.28.1');

const local = {
  kind: 'local',
  directory: '/nowhere',
  retention: { runs: 1, days: 1 },
  ansible: { kind: 'packages' },
} as const;

const judged = (facts: Readonly<Record<string, readonly string[]>>) =>
  kubesprayFindings(
    kubesprayExample,
    release ?? (undefined as never),
    (name) =>
      ({ tree: ['/srv/tree'], files: ['verified'], ansible: ['2.16.14'], python: ['3.11.2'], ...facts })[
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
      { differs: ['its files are not those of commit abc', 'added: library/command.py'] },
      'kubespray: unfit: /srv/tree is not v2.28.1: its files are not those of commit abc, added: library/command.py: move it away, and bring it as it should be; changes of your own need installer.kubespray.commit',
    ],
    [{ files: [] }, 'kubespray: unsure: /srv/tree could not be compared: make sure that it is v2.28.1'],
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

describe('what is looked at on a server', () => {
  const seen = async (tree: string): Promise<string> => {
    const server = await connect(local);
    if (!server.ok) throw new Error('no local server');
    const { kubespray } = kubesprayExample;
    const found = await examineKubespray(server.value, {
      ...kubesprayExample,
      kubespray: { ...kubespray, tree },
    });
    await server.value.close();
    return found.ok ? (found.value[0]?.seen ?? '') : 'failed';
  };

  test('is whether the files are those of the tag', async () => {
    const tree = join(import.meta.dirname, '../../../lab/kubespray-tree');
    expect(await seen(tree)).toMatch(
      /is not v2\.28\.1: its files are not those of commit a20891ab\w+, they make the tree \w{40} instead/,
    );
  });

  test('is whether there is one', async () => {
    expect(await seen(mkdtempSync(join(tmpdir(), 'none-')))).toContain('no checkout at ');
  });
});

test('only a cluster of kubespray is asked about it', async () => {
  const server = await connect(local);
  if (!server.ok) throw new Error('no local server');
  const found = [
    await examineKubespray(server.value, cluster()),
    await examineKubespray(server.value, kubesprayExample),
  ];
  await server.value.close();
  expect(found.map((each) => each.ok && each.value.length > 0)).toEqual([false, true]);
});
