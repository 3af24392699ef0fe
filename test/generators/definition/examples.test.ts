import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { describe, expect, test } from 'vitest';
import { keyTree, type KeyNode } from '../../../generators/definition/about.ts';
import { jsonSchema } from '../../../generators/definition/json-schema.ts';
import type { kindNames } from '../../../generators/definition/kind-names.ts';
import type { Files } from '../../../generators/definition/files.ts';
import { filesBeside } from '../../support/definitions/files-beside.ts';
import { loaded, said, saidBesides } from './support.ts';

const root = join(import.meta.dirname, '../../../examples');
const examples = readdirSync(root).filter((name) => name.endsWith('.yml'));
const textOf = (name: string): string => readFileSync(join(root, name), 'utf8');
const kindIn = (name: string): (typeof kindNames)[number] =>
  (parse(textOf(name)) as { readonly kind: (typeof kindNames)[number] }).kind;
const filesOf = (name: string): Files => filesBeside(textOf(name), root);

const schemas = { Cluster: 'cluster', OpenStackAnsibleMagnum: 'openstack-ansible-magnum', Fleet: 'fleet' };

describe.each(examples)('%s', (name) => {
  test("has neither faults nor warnings, but for what distributions' containerd is told about", () => {
    expect(saidBesides(textOf(name), filesOf(name))).toEqual([]);
  });

  test('is named like its file, and begins with the line that editors look for', () => {
    expect(`${loaded(textOf(name), filesOf(name)).cluster.name}.yml`).toBe(name);
    expect(textOf(name).split('\n')[0]).toBe(
      `# yaml-language-server: $schema=../schema/${schemas[kindIn(name)]}.schema.json`,
    );
  });

  test('is what the JSON Schema describes', () => {
    const schema = z.fromJSONSchema(
      withoutOneOf(jsonSchema(kindIn(name))) as Parameters<typeof z.fromJSONSchema>[0],
    );
    expect(schema.safeParse(parse(textOf(name))).error?.issues).toBeUndefined();
  });
});

test('full.yml holds every key that the reader knows', () => {
  const text = textOf('full.yml');
  const held = keysOf(parse(text), '');
  const inComments = (path: string): boolean =>
    new RegExp(`^ *#.*\\b${path.split('.').at(-1) ?? ''}:`, 'm').test(text);
  const missing = knownKeys(keyTree(), '').filter((path) => !held.has(path));
  // What cannot stand beside what is there is shown in a comment.
  expect(missing.filter((path) => !inComments(path))).toEqual([]);
  expect(
    missing.filter(
      (path) =>
        !/^(?:offline|installer\.kubespray|externalLoadBalancer\.script|cnfs\.helm|network\.plugin\.(?:flannel|calico))(?:\.|$)/.test(
          path,
        ),
    ),
  ).toEqual([
    'ansibleServer.auth.password',
    'ansibleServer.auth.agent',
    'installer.kubeadm.audit.rules',
    'network.plugin.cilium.chart',
    'nodes.vrrpPriority',
  ]);
});

test('full.yml shows each kind of secret', () => {
  const text = textOf('full.yml');
  for (const kind of ['env', 'file', 'command', 'vault'])
    expect(text).toMatch(new RegExp(`^[^#]*\\b${kind}:`, 'm'));
});

/** zod takes `oneOf: [{ required: [key] }]` for something that matches everything. */
const withoutOneOf = (schema: object): unknown =>
  JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === 'oneOf' ? undefined : value)));

const isSecret = (node: KeyNode): boolean => node.properties?.['env'] !== undefined;

/** Keys as `nodes.ssh.port`, whichever item of a list holds them; a secret is one key. */
function knownKeys(node: KeyNode, prefix: string): string[] {
  if (isSecret(node)) return [];
  const inner = [node.items, ...(node.anyOf ?? [])].flatMap((each) => (each ? knownKeys(each, prefix) : []));
  const own = Object.entries(node.properties ?? {}).flatMap(([key, child]) => [
    prefix + key,
    ...knownKeys(child, `${prefix}${key}.`),
  ]);
  return [...inner, ...own];
}

function keysOf(value: unknown, prefix: string): Set<string> {
  if (Array.isArray(value)) return new Set(value.flatMap((item) => [...keysOf(item, prefix)]));
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set(
    Object.entries(value).flatMap(([key, child]) => [prefix + key, ...keysOf(child, `${prefix}${key}.`)]),
  );
}

test('no example names a Kubernetes that gets no patches any more', () => {
  const told = examples.flatMap((name) =>
    said(textOf(name), filesOf(name)).filter((line) => line.includes('no patches')),
  );
  expect(told).toEqual([]);
});
