import type { Problems } from '../../source/problem.ts';
import { ok, type Result } from '../../result.ts';
import { readJson } from '../../source/foreign/json.ts';
import type { ForeignNode, ForeignScalar, MapNode, Text } from '../../source/foreign/node.ts';
import { readYamlNode } from '../../source/foreign/yaml.ts';
import { fromVersion11 } from '../../source/scalar.ts';

/** Reads YAML as Ansible does, which is version 1.1: `no` and `off` are truth values, `0644` is a number. */
export function readAnsibleYaml(source: Text): Result<ForeignNode, Problems> {
  const read = readYamlNode(source);
  return read.ok ? ok(withScalars(read.value, asVersion11)) : read;
}

/** Reads the JSON that Ansible prints. */
export function readAnsibleJson(source: Text): Result<ForeignNode, Problems> {
  const read = readJson(source);
  return read.ok ? ok(withScalars(read.value, (node) => node)) : read;
}

function withScalars(node: ForeignNode, change: (node: ForeignScalar) => ForeignNode): ForeignNode {
  if (node.kind === 'scalar') return change(node);
  if (node.kind === 'list') return { ...node, items: node.items.map((item) => withScalars(item, change)) };
  return (
    markedIn(node) ?? {
      ...node,
      entries: node.entries.map((entry) => ({ ...entry, value: withScalars(entry.value, change) })),
    }
  );
}

/** In JSON a mapping stands for a value with a tag. */
function markedIn({ entries }: MapNode): ForeignNode | undefined {
  const [only, ...others] = entries;
  const tag = tags.get(only?.key ?? '');
  return tag !== undefined && others.length === 0 && only?.value.kind === 'scalar'
    ? { ...only.value, isQuoted: true, tag }
    : undefined;
}

const tags: ReadonlyMap<string, string> = new Map([
  ['__ansible_vault', '!vault'],
  ['__ansible_unsafe', '!unsafe'],
]);

function asVersion11(node: ForeignScalar): ForeignNode {
  if (node.tag === textTag) return { ...node, tag: '', isQuoted: true };
  if (node.isQuoted || node.tag !== '') return node;
  const { text, isText } = fromVersion11(node.text);
  return { ...node, text, isQuoted: isText };
}

const textTag = 'tag:yaml.org,2002:str';
