import { textOf } from '../../../source/foreign/look.ts';
import type { ForeignNode } from '../../../source/foreign/node.ts';
import type { VariablesOfHost } from '../ssh.ts';

/** A value that only names another variable, like `{{ kube_vip_address }}`, is what that one says. */
export const withReferences = (variables: VariablesOfHost): VariablesOfHost =>
  new Map(
    [...variables].map(([key, entry]) => [
      key,
      { ...entry, value: resolveNode(entry.value, variables, most) },
    ]),
  );

/** References of references; one that leads to itself leads nowhere. */
const most = 5;

function resolveNode(node: ForeignNode, variables: VariablesOfHost, left: number): ForeignNode {
  if (node.kind === 'list')
    return { ...node, items: node.items.map((each) => resolveNode(each, variables, left)) };
  if (node.kind === 'map')
    return {
      ...node,
      entries: node.entries.map((each) => ({ ...each, value: resolveNode(each.value, variables, left) })),
    };
  const [, name] = /^\{\{\s*(\w+)\s*\}\}$/.exec(textOf(node) ?? '') ?? [];
  const named = name === undefined ? undefined : variables.get(name)?.value;
  if (named?.kind !== 'scalar' || left === 0) return node;
  const found = resolveNode(named, variables, left - 1);
  return isComputed(found) ? node : { ...found, place: node.place };
}

/** Whether Ansible would put something else in its place. */
export const isComputed = (node: ForeignNode | undefined): boolean => /\{[{%]/.test(textOf(node) ?? '');
