import { describe, expect, test } from 'vitest';
import type { ImportedDefinition, RefusedImport } from '../../../generators/import/conclude.ts';
import { importAnsible, importKubespray } from '../../../generators/import/inventory/index.ts';
import { importTacker } from '../../../generators/import/tacker/index.ts';
import { importTerraform } from '../../../generators/import/terraform/index.ts';
import type { ForeignNode, Text } from '../../../generators/source/foreign/node.ts';
import { readJson } from '../../../generators/source/foreign/json.ts';
import { readYamlNode } from '../../../generators/source/foreign/yaml.ts';
import type { Result } from '../../../generators/result.ts';
import { fixtures, wishing } from '../../support/definitions/imports.ts';

/** A value of a file, and the file with another value in its place. */
interface Mutation {
  readonly title: string;
  readonly file: string;
  readonly line: number;
  readonly texts: readonly Text[];
}

const other = (text: string): string => {
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true' ? 'false' : 'true';
  if (/^-?\d+$/.test(text)) return String(Number(text) + 1);
  return text === ''
    ? 'changed-1'
    : /^(?:\d+\.){3}\d+$/.test(text)
      ? text.replace(/\d+$/, '199')
      : `${text}-changed`;
};

/** Each value of YAML and JSON, and each value behind `=` in INI. */
function mutationsOf(texts: readonly Text[]): readonly Mutation[] {
  return texts.flatMap(({ file, text }) => {
    const spans = file.endsWith('.ini') ? iniSpans(text) : nodeSpans({ file, text });
    return spans.map(({ at, length, line, value }) => ({
      title: `${file}:${line} ${value}`,
      file,
      line,
      texts: texts.map((each) =>
        each.file === file
          ? { file, text: text.slice(0, at) + other(value) + text.slice(at + length) }
          : each,
      ),
    }));
  });
}

interface Span {
  readonly at: number;
  readonly length: number;
  readonly line: number;
  readonly value: string;
}

const iniSpans = (text: string): readonly Span[] =>
  [...text.matchAll(/(?<==)(?!canary)[^\s=#"'{[]+(?=\s|$)/g)].map(({ 0: value, index }) => ({
    ...{ at: index, length: value.length, value },
    line: text.slice(0, index).split('\n').length,
  }));

function nodeSpans(source: Text): readonly Span[] {
  const read = source.file.endsWith('.json') ? readJson(source) : readYamlNode(source);
  if (!read.ok) throw new Error(`${source.file} is a fixture that can be read`);
  const starts = [0, ...[...source.text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const scalars = (node: ForeignNode): readonly ForeignNode[] =>
    node.kind === 'scalar'
      ? [node]
      : (node.kind === 'map' ? node.entries.map(({ value }) => value) : node.items).flatMap(scalars);
  return scalars(read.value).flatMap((node) => {
    const { line, column, length } = node.place;
    const at = (starts[line - 1] ?? 0) + column - 1;
    const raw = source.text.slice(at, at + length);
    if (node.kind !== 'scalar' || raw.includes('\n') || raw === '' || isNothing.test(raw)) return [];
    const quote = /^["']/.exec(raw) ? 1 : 0;
    return [{ at: at + quote, length: length - 2 * quote, line, value: raw.slice(quote, length - quote) }];
  });
}

/** Nothing at all, and passwords, which are asked for by name. */
const isNothing = /^(?:null|,)$|canary/;

type Importer = (
  texts: readonly Text[],
  setting: ReturnType<typeof wishing>,
) => Result<ImportedDefinition, RefusedImport>;

/** All that a person gets: the definition with its comments, what is told, or why there is none. */
const outcome = (result: Result<ImportedDefinition, RefusedImport>): string =>
  result.ok
    ? JSON.stringify([
        result.value.text,
        result.value.warnings,
        result.value.assumptions,
        result.value.secrets,
      ])
    : JSON.stringify(result.failure.problems);

/** Values that could be anything else without anybody hearing of it. */
function dropped(importer: Importer, texts: readonly Text[]): readonly string[] {
  const setting = wishing({ fix: true, user: 'ops' });
  const before = importer(texts, setting);
  if (!before.ok) throw new Error(JSON.stringify(before.failure.problems));
  const listed = new Set(before.value.leftOver.map(({ file, line }) => `${file}:${line}`));
  const same = outcome(before);
  return mutationsOf(texts)
    .filter(({ file, line }) => !listed.has(`${file}:${line}`))
    .filter(({ texts: changed }) => outcome(importer(changed, setting)) === same)
    .map(({ title }) => title);
}

describe('each value of an input is in the definition, behind something that is said, or listed with its place', () => {
  test.each<readonly [string, Importer, readonly Text[]]>([
    ['kubespray, YAML', importKubespray, fixtures('kubespray/current')],
    ['kubespray, INI', importKubespray, fixtures('kubespray/old')],
    ['kubespray, everywhere', importKubespray, fixtures('kubespray/scopes')],
    ['Ansible', importAnsible, fixtures('ansible/plain')],
    [
      'Tacker, kubespray with Heat',
      importTacker,
      fixtures('tacker/kubespray/request.json', 'tacker/kubespray/heat.json'),
    ],
    [
      'Tacker, kubespray with the instance and ports',
      importTacker,
      fixtures(
        ...['request', 'instance', 'ports', 'floating', 'servers'].map(
          (name) => `tacker/kubespray/${name}.json`,
        ),
      ),
    ],
    ['Tacker, kubeadm', importTacker, fixtures('tacker/kubeadm-ha')],
    [
      'Tacker, v2',
      importTacker,
      fixtures('tacker/v2/request.json', 'tacker/v2/instance.json', 'tacker/v2/ports.json'),
    ],
    ['Terraform', importTerraform, fixtures('terraform/openstack.json')],
    ['Terraform, objects', importTerraform, fixtures('terraform/objects.json')],
  ])('%s', (_, importer, texts) => {
    expect(dropped(importer, texts)).toEqual([]);
  });
});
