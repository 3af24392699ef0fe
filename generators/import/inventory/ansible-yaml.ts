import type { Problems } from '../../source/problem.ts';
import { ok, type Result } from '../../result.ts';
import type { ForeignNode, Text } from '../../source/foreign/node.ts';
import { readYamlNode } from '../../source/foreign/yaml.ts';
import { fromVersion11 } from '../../source/scalar.ts';

/** Reads YAML as Ansible does, which is version 1.1: `no` and `off` are truth values, `0644` is a number. */
export function readAnsibleYaml(source: Text): Result<ForeignNode, Problems> {
  const read = readYamlNode(source);
  return read.ok ? ok(asAnsibleReads(read.value)) : read;
}

function asAnsibleReads(node: ForeignNode): ForeignNode {
  if (node.kind === 'list') return { ...node, items: node.items.map(asAnsibleReads) };
  if (node.kind === 'map')
    return {
      ...node,
      entries: node.entries.map((entry) => ({ ...entry, value: asAnsibleReads(entry.value) })),
    };
  if (node.tag === textTag) return { ...node, tag: '', isQuoted: true };
  if (node.isQuoted || node.tag !== '') return node;
  const { text, isText } = fromVersion11(node.text);
  return { ...node, text, isQuoted: isText };
}

const textTag = 'tag:yaml.org,2002:str';
