import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Server } from '../../tasks/runtime/server.ts';
import { playbookBundle } from '../support/definitions/bundles.ts';
import { descendants } from '../support/processes.ts';
import { begin, locally, runIt, serverFolder, value, watch } from '../support/server/ansible-server.ts';

interface Task {
  readonly name?: string;
  readonly 'ansible.builtin.command'?: { readonly argv: readonly string[] };
  readonly block?: readonly Task[];
}
interface Play {
  readonly vars?: { readonly mesh_work?: string };
  readonly tasks?: readonly Task[];
}

let directory: string;
let server: Server;

beforeAll(async () => {
  directory = serverFolder();
  server = await locally(directory);
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

/** As it is committed. */
const plays = load(readFileSync('playbooks/fleet/mesh-upgrade.yml', 'utf8')) as readonly Play[];
/** What it looks for on a node. */
const work = plays.map((play) => play.vars?.mesh_work).find((each) => each !== undefined) ?? '';
/** The tasks that look. */
const looks = plays
  .flatMap(({ tasks = [] }) => tasks.flatMap(({ block = [] }) => block))
  .filter((task) => task['ansible.builtin.command']?.argv[0] === 'pgrep');

const atWork = (): readonly number[] =>
  spawnSync('pgrep', ['--full', work], { encoding: 'utf8' }).stdout.split('\n').filter(Boolean).map(Number);

test('an upgrade of a mesh sees the run that a node has begun, from its supervisor to Ansible, until its end', async () => {
  const [gate, go] = [join(directory, 'gate'), join(directory, 'go')];
  const bundle = playbookBundle(`---
- name: Wait
  hosts: all
  gather_facts: false
  tasks:
    - name: Wait for a file
      ansible.builtin.shell: touch ${gate}; until [ -e ${go} ]; do sleep 0.1; done
      changed_when: false
`);
  const { run } = value(await begin(server, bundle));
  while (!existsSync(gate)) await new Promise((resolve) => setTimeout(resolve, 50));
  const record = JSON.parse(readFileSync(join(directory, 'runs', 'try', run, 'record.json'), 'utf8')) as {
    readonly process: { readonly pid: number };
  };
  const playbook = descendants(record.process.pid)[0];
  expect(atWork()).toContain(record.process.pid);
  expect(atWork()).toContain(playbook);
  writeFileSync(go, '');
  const { followed } = await watch(server, run);
  expect(value(followed).status).toBe('successful');
  await expect.poll(atWork, { timeout: 20_000 }).not.toContain(record.process.pid);
  expect(atWork()).not.toContain(playbook);
});

test('what else has such words in it is not waited for', () => {
  const others = [
    'python3 ansible-playbook.yml',
    'python3 /srv/ansible-playbooks/site',
    'less ansible-playbook',
  ];
  for (const words of [...others, 'python3 -I -c pass']) {
    const other = spawn('sleep', ['30'], { argv0: words });
    expect(atWork(), words).not.toContain(other.pid);
    other.kill();
  }
});

test.each([
  ['finds nothing', 'false', 'successful'],
  ['is not there', '/nowhere/pgrep', 'failed'],
])('a node on which pgrep %s', async (_, program, status) => {
  expect(looks).toHaveLength(2);
  for (const look of looks) {
    const argv = [program, ...(look['ansible.builtin.command']?.argv.slice(1) ?? [])];
    const vars = { mesh_role: 'execution', mesh_work: work };
    const tasks = [{ ...look, 'ansible.builtin.command': { argv } }];
    const bundle = playbookBundle(
      JSON.stringify([{ name: 'Look', hosts: 'all', gather_facts: false, vars, tasks }]),
    );
    expect(value((await runIt(server, bundle)).followed).status).toBe(status);
  }
});
