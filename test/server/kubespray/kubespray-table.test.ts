import { execFileSync } from 'node:child_process';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { hasDualStack, hasMirrors } from '../../../generators/catalog/kubespray/features.ts';
import { minorOf, releases } from '../../../generators/catalog/kubespray/releases.ts';
import { render } from '../../../generators/render.ts';
import { kubesprayExample } from '../../support/definitions/kubespray.ts';
import { templates } from '../../support/definitions/templates.ts';

/** kubespray's git repository; what is known of its tags is held against them. */
const repository = process.env['PLAYSMITH_KUBESPRAY'] ?? '';

const git = (...words: readonly string[]): string => {
  try {
    return execFileSync('git', ['-C', repository, ...words], {
      ...{ encoding: 'utf8', maxBuffer: 1 << 28 },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
};

/** Files where one tag or another has its checksums. */
const checksums = [
  'roles/download/defaults/main.yml',
  'roles/download/defaults/main/checksums.yml',
  'roles/kubespray-defaults/defaults/main/checksums.yml',
  'roles/kubespray_defaults/defaults/main/checksums.yml',
  'roles/kubespray_defaults/vars/main/checksums.yml',
];

function versionsAt(tag: string): readonly string[] {
  const found = checksums
    .map((path) => load(git('show', `${tag}:${path}`) || '{}'))
    .map((data) => (data as { kubelet_checksums?: { amd64: object } }).kubelet_checksums?.amd64)
    .find((table) => table !== undefined);
  return Object.keys(found ?? {})
    .map((version) => version.replace(/^v/, ''))
    .filter((version) => /^\d+\.\d+\.\d+$/.test(version));
}

/** The example, told as much as may be told to a tag. */
function variablesAt(tag: string, usual: string): readonly string[] {
  const { kubernetes, kubespray, containerd } = kubesprayExample;
  const networkPlugin = 'cilium';
  const cluster = {
    ...kubesprayExample,
    network: {
      ...kubesprayExample.network,
      podSubnets: ['10.233.64.0/18', ...(hasDualStack(minorOf(tag)) ? ['fd00:10::/56'] : [])],
    },
    containerd: { ...containerd, registries: hasMirrors(minorOf(tag)) ? containerd.registries : [] },
    kubernetes: { ...kubernetes, version: usual },
    kubespray: { ...kubespray, version: tag, networkPlugin, variables: {} },
  };
  return render(cluster, templates)
    .filter(({ path }) => path.startsWith('kubespray/group_vars/'))
    .flatMap(({ text }) => Object.keys(load(text) as object));
}

// kubespray's repository comes from another network: the project carries none.
describe.skipIf(repository === '')('the table of tags, held against PLAYSMITH_KUBESPRAY', () => {
  test.each(releases.filter(({ isRead }) => isRead))('$tag', ({ tag, usual, newest, lacking, ansible }) => {
    const versions = versionsAt(tag);
    const patchesOf = (minor: string): readonly number[] =>
      versions.filter((each) => each.startsWith(`${minor}.`)).map((each) => Number(each.split('.')[2]));
    for (const version of newest) {
      const [major = '', minor = '', patch = ''] = version.split('.');
      const patches = patchesOf(`${major}.${minor}`);
      expect(Math.max(...patches)).toBe(Number(patch));
      const gaps = Array.from({ length: Number(patch) }, (_, each) => each).filter(
        (each) => !patches.includes(each),
      );
      if (Number(minor) >= 20)
        expect(gaps.map((each) => `${major}.${minor}.${each}`)).toEqual(
          lacking.filter((each) => each.startsWith(`${major}.${minor}.`)),
        );
    }
    expect(versions).toContain(usual);
    const asserted =
      git('show', `${tag}:playbooks/ansible_version.yml`) || git('show', `${tag}:ansible_version.yml`);
    for (const limit of ansible.filter((each) => each !== '2.9.0')) expect(asserted).toContain(limit);
    const known = new Set(
      git(
        'grep',
        '-hoE',
        String.raw`\b[a-z][a-z0-9_]{3,}\b`,
        tag,
        '--',
        'roles',
        'playbooks',
        'inventory/sample',
        '*.yml',
      ).split('\n'),
    );
    // v2.15.0 renews nothing, and passes over the variable that says so.
    const unknown = variablesAt(tag, usual).filter((name) => !known.has(name));
    expect(unknown).toEqual(tag === 'v2.15.0' ? ['auto_renew_certificates'] : []);
  });
});
