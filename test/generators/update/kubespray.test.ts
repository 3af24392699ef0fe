import { describe, expect, test } from 'vitest';
import { filesOfTag } from '../../../generators/catalog/kubespray/commits.ts';
import { releases } from '../../../generators/catalog/kubespray/releases.ts';
import { updateKubespray, type KubesprayUpdate } from '../../../generators/update/kubespray.ts';

const [old, tag, next] = ['v2.28.0', 'v2.28.1', 'v2.29.0'].map(
  (wanted) =>
    releases.filter((each) => each.tag.startsWith(wanted.slice(0, 5))).at(wanted.endsWith('.1') ? -1 : 0)
      ?.tag ?? '',
) as [string, string, string];

const definition = (lines: readonly string[]): string =>
  ['installer:', '  # what installs', '  kubespray:', ...lines.map((line) => `    ${line}`), ''].join('\n');

function made(text: string, minor: boolean): KubesprayUpdate {
  const updated = updateKubespray(text, minor);
  if (updated?.ok !== true) throw new Error(updated?.failure ?? 'nothing of kubespray');
  return updated.value;
}

function refused(text: string): string | undefined {
  const updated = updateKubespray(text, false);
  return updated?.ok === false ? updated.failure : undefined;
}

describe('kubespray', () => {
  test('goes to the newest tag of its minor version, with its commit and tree, and comments stay', () => {
    const { commit = '', tree = '' } = filesOfTag(old) ?? {};
    const text = definition([`version: ${old} # a tag`, `commit: ${commit}`, `tree: '${tree}' # of git`]);
    const updated = made(text, false);
    const now = filesOfTag(tag);
    expect(updated.text).toBe(
      definition([
        `version: ${tag} # a tag`,
        `commit: ${now?.commit ?? ''}`,
        `tree: '${now?.tree ?? ''}' # of git`,
      ]),
    );
    expect(updated.changes).toEqual([{ name: 'kubespray', from: old, to: tag }]);
  });

  test('goes one minor version further when that is asked for', () => {
    const updated = made(definition([`version: ${tag}`]), true);
    const [change] = updated.changes;
    expect(change?.to.startsWith(next.slice(0, 6))).toBe(true);
  });

  test('brings the newest Kubernetes that the tag has of its minor version', () => {
    const { newest = [] } = releases.find((each) => each.tag === tag) ?? {};
    const [wanted = ''] = newest.slice(-1);
    const older = wanted.replace(/\d+$/, '0');
    const text = definition([`version: ${tag}`, `kubernetes: ${older}`]);
    const updated = made(text, false);
    expect(updated.text).toContain(`kubernetes: ${wanted}\n`);
  });

  test.each([
    ['files with changes', [`version: ${old}`, `commit: ${'a'.repeat(40)}`], 'changes of your own'],
    [
      'an archive',
      [`version: ${old}`, `archive: { path: /srv/k.tar.gz, sha256: ${'b'.repeat(64)} }`],
      'its archive',
    ],
    ['a tag that nobody knows', ['version: v2.99.0'], 'none of the tags'],
  ])('with %s it stays, and says why', (_, lines, why) => {
    expect(refused(definition(lines))).toContain(why);
  });

  test('is nothing where kubeadm installs', () => {
    expect(updateKubespray('installer: { kubeadm: { version: 1.37.2 } }\n', false)).toBeUndefined();
  });
});
