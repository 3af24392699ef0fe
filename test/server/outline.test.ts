import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dump, load } from 'js-yaml';
import { operationOf } from '../../generators/playbooks.ts';
import { scopeInventory, scopeOf } from '../../generators/operations/scope.ts';
import { outline, type OutlineOptions } from '../../generators/outline/outline.ts';
import type { RenderedFile } from '../../generators/rendered-file.ts';
import { render } from '../../generators/render.ts';
import { ansible } from '../support/server/ansible.ts';
import { bundleFolder } from '../support/definitions/bundle-folder.ts';
import { awkward, cluster, endpoint, kubeadmCluster, machine } from '../support/definitions/clusters.ts';
import { templates } from '../support/definitions/templates.ts';

/** The same playbooks where nothing is done but to remember who answered: Ansible still announces each task. */
const skipping = (files: readonly RenderedFile[]): readonly RenderedFile[] =>
  files.map((file) =>
    /^[a-z-]+\.yml$/.test(file.path) ? { ...file, text: dump(skipped(load(file.text))) } : file,
  );

function skipped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(skipped);
  if (typeof value !== 'object' || value === null) return value;
  const entry = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      /^((pre_|post_)?tasks|block|always)$/.test(key) ? skipped(part) : part,
    ]),
  );
  if (/^Record which (?:hosts|machines) /.test(String(entry['name']))) return entry;
  const isTask = Object.keys(entry).some((key) =>
    /^(ansible\.builtin\.(?!import_playbook)|playsmith\.host\.)/.test(key),
  );
  return isTask || 'block' in entry ? { ...entry, when: false } : entry;
}

const files = render(cluster(), templates);
const folder = bundleFolder(skipping(files));

/** A host that is only put into a group is asked for its passwords all the same. */
const secrets = JSON.stringify(
  Object.fromEntries(awkward().secrets.map(({ variable }) => [variable, 'none'])),
);

/** Tasks of `meta`, by how their names begin. */
const passesOver = /^(?:Leave|End here) /;

const asArguments = ({ tags = [], skipTags = [], limit, scope }: OutlineOptions): string[] => [
  ...(scope === undefined ? [] : ['-i', 'inventory/hosts.yml', '-i', scopeFile(scope)]),
  ...(tags.length > 0 ? ['--tags', tags.join(',')] : []),
  ...(skipTags.length > 0 ? ['--skip-tags', skipTags.join(',')] : []),
  ...(limit === undefined ? [] : ['--limit', limit]),
];

function scopeFile(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'playsmith-scope-')), 'scope.yml');
  writeFileSync(path, text);
  return path;
}

/** The names of the tasks as ansible-playbook announced them; those of `meta` it announces for each host, which is counted once. */
function announced(where: string, playbook: string, options: OutlineOptions): string[] {
  const asked = ['--extra-vars', secrets, ...asArguments(options)];
  const { status, stdout, stderr } = ansible(where, ['ansible-playbook', playbook, ...asked]);
  expect(status, stdout + stderr).toBe(0);
  return [...stdout.matchAll(/^(?:PLAY|TASK) \[(.*?)\] \*+$/gm)]
    .map(([line, name = '']) => ({ name, isTask: line.startsWith('TASK') }))
    .filter(({ name }, index, all) => !passesOver.test(name) || name !== all[index - 1]?.name)
    .flatMap(({ name, isTask }) => (isTask ? [name] : []));
}

const outlined = (of: readonly RenderedFile[], playbook: string, options: OutlineOptions): string[] =>
  outline(of, playbook, options).plays.flatMap(({ batches, tasks }) =>
    Array.from({ length: batches }, () => tasks.map(({ name }) => name)).flat(),
  );

const cases: readonly (readonly [string, OutlineOptions])[] = [
  ['site.yml', {}],
  ['preflight.yml', {}],
  ['haproxy.yml', {}],
  ['keepalived.yml', {}],
  ['site.yml', { tags: ['haproxy'] }],
  ['site.yml', { tags: ['keepalived_config'] }],
  ['site.yml', { tags: ['verify', 'haproxy_install'] }],
  ['site.yml', { tags: ['tagged'] }],
  ['site.yml', { tags: ['untagged'] }],
  ['site.yml', { tags: ['nothing_has_it'] }],
  ['site.yml', { skipTags: ['verify'] }],
  ['site.yml', { skipTags: ['always'] }],
  ['site.yml', { skipTags: ['all'] }],
  ['site.yml', { tags: ['keepalived'], skipTags: ['keepalived_install', 'verify'] }],
  ['site.yml', { limit: 'cp2' }],
  ['site.yml', { limit: 'cp1,cp3' }],
  ['site.yml', { limit: 'cp1:cp3' }],
  ['site.yml', { limit: 'all:!cp2' }],
  ['site.yml', { limit: '!cp2' }],
  ['site.yml', { limit: 'load_balancers:&etcd:!cp1' }],
  ['site.yml', { limit: 'cp*' }],
  ['site.yml', { limit: '~cp[12]' }],
  ['site.yml', { limit: 'load_balancers[0]' }],
  ['site.yml', { limit: 'load_balancers[1:2]' }],
  ['haproxy.yml', { tags: ['haproxy_config'], limit: 'cp3' }],
];

describe('the outline of a run is what Ansible announces', () => {
  test.each(cases)('%s with %o', (playbook, options) => {
    const names = outlined(files, playbook, options);
    expect(announced(folder, playbook, options)).toEqual(names);
    expect(outline(files, playbook, options).tasks).toBe(names.length);
  });

  test('a play without a host of the limit has no task', () => {
    const other = render(awkward(), templates);
    const where = bundleFolder(skipping(other));
    expect(announced(where, 'instantiate.yml', { limit: 'node-1' })).toEqual(
      outlined(other, 'instantiate.yml', { limit: 'node-1' }),
    );
    expect(announced(where, 'instantiate.yml', {})).toEqual(outlined(other, 'instantiate.yml', {}));
  });

  test.each([
    ['scale-out', 'worker1'],
    ['scale-in', 'worker1'],
    ['heal-node', 'cp2'],
    ['replace-node', 'cp1'],
  ])('of %s of %s is that of whom it is about', (name, target) => {
    const machines = [
      ...[1, 2, 3].map((n) => machine(`cp${n}`, `10.0.0.1${n}`)),
      machine('worker1', '10.0.0.21', { roles: ['worker'] }),
    ];
    const given = kubeadmCluster({ machines, endpoint: endpoint(machines.slice(0, 3)) });
    const operation = operationOf(given, name);
    const found = operation && scopeOf(given, { operation, targets: [target] });
    if (!found?.ok) throw new Error(`${name} has no scope`);
    const own = render(given, templates);
    const options = { scope: scopeInventory('kube', found.value).text };
    expect(announced(bundleFolder(skipping(own)), `${name}.yml`, options)).toEqual(
      outlined(own, `${name}.yml`, options),
    );
  });
});
