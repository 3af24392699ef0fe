import { isVaulted, textOf } from '../../../source/foreign/look.ts';
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

/** How a machine is reached and where it lies, with what variables of the same machine say put into it. */
export const withOwnReferences = (host: string, variables: VariablesOfHost): VariablesOfHost =>
  new Map(
    [...variables].map(([key, entry]) => [
      key,
      ofMachine.test(key)
        ? { ...entry, value: filledNode(entry.value, { host, variables, left: most }) }
        : entry,
    ]),
  );

/** No password: what its variable is called is a hint. */
const ofMachine =
  /^(?:(?:access_)?ip6?|private_ip|secondary_ip|etcd_member_name|ansible_(?:ssh_)?(?:host|port|user)|ansible_remote_user|ansible_(?:ssh_)?private_key_file)$/;

interface OwnReferences {
  readonly host: string;
  readonly variables: VariablesOfHost;
  readonly left: number;
}

function filledNode(node: ForeignNode, { host, variables, left }: OwnReferences): ForeignNode {
  const text = textOf(node);
  if (node.kind !== 'scalar' || text === undefined || !isComputed(node) || left === 0) return node;
  const filled = text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (all, name: string) => {
    if (name === 'inventory_hostname') return host;
    if (name === 'inventory_hostname_short') return host.split('.')[0] ?? host;
    const found = variables.get(name)?.value;
    const inner = found && textOf(filledNode(found, { host, variables, left: left - 1 }));
    return inner ?? all;
  });
  return { ...node, text: filled };
}

/** Whether Ansible would put something else in its place, what it decrypts included. */
export const isComputed = (node: ForeignNode | undefined): boolean =>
  isVaulted(node) || /\{[{%]/.test(textOf(node) ?? '');
