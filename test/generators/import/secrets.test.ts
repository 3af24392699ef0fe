import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importAnsible, importKubespray } from '../../../generators/import/inventory/index.ts';
import { showAll } from '../../../generators/import/masked.ts';
import { importTacker } from '../../../generators/import/tacker/index.ts';
import { importTerraform } from '../../../generators/import/terraform/index.ts';
import type { Text } from '../../../generators/source/foreign/node.ts';
import { fixtures, wishing } from '../../support/definitions/imports.ts';

/** Everything that an import writes or prints. */
function outputOf(importer: typeof importTacker, texts: readonly Text[], fix: boolean): string {
  const result = importer(texts, wishing({ fix }));
  if (!result.ok)
    return (
      result.failure.draft +
      showAll(result.failure.problems, [...texts, { file: 'cluster.yml', text: result.failure.draft }])
    );
  const { text, warnings, ...told } = result.value;
  return text + showAll(warnings, [...texts, { file: 'cluster.yml', text }]) + JSON.stringify(told);
}

const folders = [
  ['tacker/kubespray/request.json', importTacker],
  ['tacker/kubeadm-ha', importTacker],
  ['tacker/wrong/request.json', importTacker],
  ['kubespray/current', importKubespray],
  ['kubespray/old', importKubespray],
  ['kubespray/current', importAnsible],
] as const;

/** A fixture with one more member at its beginning. */
const withMember = (fixture: string, member: string): readonly Text[] =>
  fixtures(fixture).map(({ file, text }) => ({ file, text: text.replace('{', `{ ${member},`) }));

const account =
  '"vimConnectionInfo": { "vim1": { "accessInfo": { "username": "nfv", "password": "canary" } } }';

describe('a password that nobody is asked for is listed as not taken over, without its value', () => {
  test.each([
    [
      'Tacker',
      importTacker,
      withMember('tacker/kubespray/request.json', account),
      'vimConnectionInfo.vim1.accessInfo.password',
    ],
    [
      'Terraform',
      importTerraform,
      withMember('terraform/openstack.json', '"password": { "value": "canary" }'),
      'password.value',
    ],
  ])('%s', (_, importer, texts, path) => {
    const output = outputOf(importer, texts, false);
    expect(output).toContain(path);
    expect(output).not.toContain('canary');
  });
});

describe('a secret never leaves its file', () => {
  test.each(folders)('%s', (folder, importer) => {
    for (const fix of [true, false])
      expect(outputOf(importer, fixtures(folder), fix)).not.toContain('canary');
  });

  test('nor does it where the file around it is broken', () => {
    const [source] = fixtures('tacker/kubespray/request.json');
    const text = source?.text ?? '';
    fc.assert(
      fc.property(fc.nat(text.length), fc.constantFrom('', ',', '"', '}', '\n', "'"), (at, put) => {
        const texts = [{ file: 'request.json', text: text.slice(0, at) + put + text.slice(at + 1) }];
        expect(outputOf(importTacker, texts, false)).not.toMatch(/canary-[a-z]{4}/);
      }),
      { numRuns: 300 },
    );
  });

  test('nor does it in an inventory whose passwords are written wrong', () => {
    const [source] = fixtures('kubespray/old');
    const text = source?.text ?? '';
    const places = [...text.matchAll(/ansible_password=/g)].map(({ index }) => index);
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.nat(18),
        fc.constantFrom('', '[', '"', '=', ' ', "'"),
        (place, offset, put) => {
          const at = place + offset;
          const texts = [{ file: 'hosts.ini', text: text.slice(0, at) + put + text.slice(at + 1) }];
          expect(outputOf(importKubespray, texts, false)).not.toContain('canary');
        },
      ),
      { numRuns: 300 },
    );
  });
});

test('an inventory of 10,000 hosts is imported', () => {
  const workers = Array.from(
    { length: 9999 },
    (_, index) => `w${index + 1} ip=10.1.${index >> 7}.${(index & 127) + 1}`,
  );
  const text = `[kube_control_plane]\nm1 ip=10.0.0.1\n[kube_node]\n${workers.join('\n')}\n[all:vars]\nansible_user=ops\n`;
  const result = importAnsible([{ file: 'hosts.ini', text }], wishing({ nodeSubnet: '10.0.0.0/15' }));
  expect(result.ok && result.value.text.split('\n').filter((line) => line.startsWith('  - ')).length).toBe(
    10_000,
  );
});
