import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { render } from '../../../generators/render.ts';
import { ansible } from '../../support/server/ansible.ts';
import { bundleFolder } from '../../support/definitions/bundle-folder.ts';
import { there } from '../../support/there.ts';
import { exampleClusters } from '../../support/definitions/examples.ts';
import { templates } from '../../support/definitions/templates.ts';

interface Play {
  readonly name?: string;
  readonly vars?: Readonly<Record<string, unknown>>;
}

const balancers = ['master01', 'master02', 'master03'];

/** Who each load balancer takes for a stranger at the virtual address, after `lost` has failed; `holder` answers the others. */
function strangers(holder: string, lost: string): readonly string[] {
  const cluster = there(exampleClusters.find(({ name }) => name === 'ha-stacked'));
  const text = there(render(cluster, templates).find(({ path }) => path === 'preflight.yml')).text;
  const { vars } = there((load(text) as readonly Play[]).find(({ name }) => name === 'Examine every host'));
  const seen = `{'own': [inventory_hostname], 'answers': ['${holder}'] if inventory_hostname != '${holder}' else []}`;
  const tasks = [
    { 'ansible.builtin.set_fact': { __preflight_host: { virtual_address: `{{ ${seen} }}` } } },
    { 'ansible.builtin.fail': {}, when: `inventory_hostname == '${lost}'` },
    { 'ansible.builtin.debug': { msg: 'said {{ inventory_hostname }}: {{ preflight_strangers | join }}' } },
  ];
  const folder = bundleFolder([]);
  const play = { hosts: 'load_balancers', gather_facts: false, any_errors_fatal: false, vars, tasks };
  writeFileSync(join(folder, 'play.yml'), JSON.stringify([play]));
  const hosts = Object.fromEntries(balancers.map((name) => [name, { ansible_connection: 'local' }]));
  const groups = { load_balancers: { hosts } };
  writeFileSync(join(folder, 'hosts.yml'), JSON.stringify({ all: { children: groups } }));
  const { stdout } = ansible(folder, ['ansible-playbook', '-i', 'hosts.yml', 'play.yml']);
  return [...stdout.matchAll(/said (\w+): (.*?)"/g)]
    .map(([, host = '', said = '']) => `${host}${said}`)
    .sort();
}

test('a load balancer is no stranger at the virtual address, nor is one that failed since it answered', () => {
  expect(strangers('master01', '')).toEqual(balancers);
  expect(strangers('master01', 'master01')).toEqual(balancers.slice(1));
});

test('another machine is, and every load balancer says so', () => {
  const said = 'a stranger answers on the virtual address 192.0.2.80: 02:00:00:00:00:01';
  expect(strangers('02:00:00:00:00:01', '')).toEqual(balancers.map((name) => `${name}${said}`));
});
