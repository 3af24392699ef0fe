import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { render } from '../../../generators/render.ts';
import { ansible } from '../../support/server/ansible.ts';
import { bundleFolder } from '../../support/definitions/bundle-folder.ts';
import { exampleClusters } from '../../support/definitions/examples.ts';
import { templates } from '../../support/definitions/templates.ts';

interface Play {
  readonly name?: string;
  readonly tasks?: readonly Entry[];
}
interface Entry {
  readonly name: string;
  readonly block?: readonly Entry[];
  readonly always?: readonly Entry[];
  readonly [key: string]: unknown;
}

const [seed, second, third] = ['master01', 'master02', 'master03'];

/** Whatever would touch a host only tells that it was reached; a join fails where it shall. */
function harmless(entry: Entry): object {
  const { block, always, ...rest } = entry;
  if (block) return { ...rest, block: block.map(harmless), always: (always ?? []).map(harmless) };
  if ('ansible.builtin.meta' in entry || 'ansible.builtin.fail' in entry) return entry;
  const fails = entry.name === 'Join as a control plane' ? 'inventory_hostname == failing' : false;
  const { name, when, tags } = entry;
  return {
    ...{ name, tags, 'ansible.builtin.debug': { msg: '{{ inventory_hostname }}' }, failed_when: fails },
    ...(when === undefined ? {} : { when }),
  };
}

/** Each task that did something, with its hosts as they came, of the plays that join, and of one that would follow. */
function joining(
  begun: boolean,
  failing: string,
): { readonly status: number | null; readonly did: string[] } {
  const cluster = exampleClusters.find(({ name }) => name === 'ha-stacked');
  if (!cluster) throw new Error('there is no example ha-stacked');
  const file = render(cluster, templates).find(({ path }) => path === 'control-plane.yml');
  const plays = (load(file?.text ?? '') as readonly Play[]).filter(({ name }) =>
    /^(?:Join the other|Revoke)/.test(name ?? ''),
  );
  const folder = bundleFolder([]);
  const after = {
    ...{ name: 'What follows', hosts: 'all', gather_facts: false },
    tasks: [{ name: 'Go on', 'ansible.builtin.debug': { msg: 'on' } }],
  };
  const tried = plays.map((play) => ({ ...play, become: false, tasks: play.tasks?.map(harmless) }));
  writeFileSync(join(folder, 'join.yml'), JSON.stringify([...tried, after]));
  const vars = {
    ...{ ansible_connection: 'local', ip: '192.0.2.1', failing },
    ...{ control_plane_joining: [second, third], control_plane_begun: begun, control_plane_seed: seed },
  };
  const members = Object.fromEntries([seed, second, third].map((name) => [name, {}]));
  const groups = { kube_control_plane: { hosts: members }, unaffected: {}, skipped: {} };
  writeFileSync(join(folder, 'hosts.yml'), JSON.stringify({ all: { vars, children: groups } }));
  const { status, stdout } = ansible(folder, ['ansible-playbook', '-i', 'hosts.yml', 'join.yml']);
  const did = stdout.split(/^TASK \[/m).flatMap((text) => {
    const name = /^(.*?)\]/.exec(text)?.[1] ?? '';
    const hosts = [...text.matchAll(/^(ok|fatal): \[(\w+)\]/gm)].map(([, how, host]) => `${how} ${host}`);
    return hosts.length === 0 ? [] : [`${name}: ${hosts.toSorted().join(', ')}`];
  });
  return { status, did };
}

const steps = (hosts: string, joined = hosts): string[] => [
  `Write the join configuration: ${hosts}`,
  `Join as a control plane: ${joined}`,
  `Delete the join token: ${hosts}`,
];
const revoked = `Revoke the join tokens and the uploaded certificates: ok ${seed}`;
const both = `ok ${second}, ok ${third}`;

test('control planes join a new cluster together, and a running one in turn', () => {
  const on = `Go on: ok ${seed}, ${both}`;
  expect(joining(false, 'nobody')).toEqual({ status: 0, did: [...steps(both), revoked, on] });
  const inTurn = [...steps(`ok ${second}`), ...steps(`ok ${third}`)];
  expect(joining(true, 'nobody')).toEqual({ status: 0, did: [...inTurn, revoked, on] });
});

test('where one fails to join a new cluster the others come to their end, and nothing follows', () => {
  const { status, did } = joining(false, second);
  expect(status).not.toBe(0);
  expect(did).toEqual([
    ...steps(both, `fatal ${second}, ok ${third}`),
    revoked,
    `Stop where a control plane did not join: fatal ${seed}`,
  ]);
});

test('where one fails to join a running cluster the next one is not begun', () => {
  const { status, did } = joining(true, second);
  expect(status).not.toBe(0);
  expect(did).toEqual(steps(`ok ${second}`, `fatal ${second}`));
});
