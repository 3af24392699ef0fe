import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { render } from '../../generators/render.ts';
import { ansible } from '../support/server/ansible.ts';
import { bundleFolder } from '../support/definitions/bundle-folder.ts';
import { exampleClusters } from '../support/definitions/examples.ts';
import { templates } from '../support/definitions/templates.ts';

interface Guarded {
  readonly pre_tasks?: readonly { readonly 'ansible.builtin.assert': { readonly that: readonly string[] } }[];
}

/** The conditions under which a playbook takes its secret. */
function guardOf(playbook: string): readonly string[] {
  const full = exampleClusters.find(({ name }) => name === 'full');
  if (!full) throw new Error('there is no example with every key');
  const file = render(full, templates).find(({ path }) => path === playbook);
  const plays = load(file?.text ?? '') as readonly Guarded[];
  return plays.flatMap(({ pre_tasks: tasks = [] }) =>
    tasks.flatMap((task) => task['ansible.builtin.assert'].that),
  );
}

test.each([
  ['haproxy.yml', ['good', 'with space', 'a"b', 'a#b', 'x'.repeat(60)], ["a'b", 'line\n', 'a\nb', 'ü', '']],
  ['keepalived.yml', ['good', '12345678', 'a.b_c-d'], ['123456789', 'a b', 'line\n', 'a"b', 'a#b', '']],
])('the password that %s takes fits its configuration file, as Ansible judges it', (playbook, good, bad) => {
  const that = guardOf(playbook);
  const variable = /^vault_\w+/.exec(that[0] ?? '')?.[0] ?? '';
  const plays = [...good, ...bad].map((value) => ({
    hosts: 'localhost',
    gather_facts: false,
    vars: { [variable]: value },
    tasks: [{ 'ansible.builtin.assert': { that }, ignore_errors: true }],
  }));
  const folder = bundleFolder([]);
  writeFileSync(join(folder, 'guards.yml'), JSON.stringify(plays));
  const { stdout } = ansible(folder, ['ansible-playbook', 'guards.yml']);
  const verdicts = [...stdout.matchAll(/^(ok|fatal): \[localhost\]/gm)].map(([, verdict]) => verdict);
  expect(verdicts).toEqual([...good.map(() => 'ok'), ...bad.map(() => 'fatal')]);
});
