import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Server } from '../../tasks/runtime/server.ts';
import { playbookBundle } from '../support/definitions/bundles.ts';
import { descendants } from '../support/processes.ts';
import { begin, locally, serverFolder, value, watch } from '../support/server/ansible-server.ts';

interface Play {
  readonly name?: string;
  readonly vars?: { readonly mesh_work?: string };
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

/** What the playbook looks for on a node, as it is committed. */
const work =
  (load(readFileSync('playbooks/fleet/mesh-upgrade.yml', 'utf8')) as readonly Play[])
    .map((play) => play.vars?.mesh_work)
    .find((each) => each !== undefined) ?? '';

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
  for (const words of ['ansible-playbook.yml', '/usr/share/ansible-playbooks/site', 'python3 -I -c pass']) {
    const other = spawn('sleep', ['30'], { argv0: words });
    expect(atWork(), words).not.toContain(other.pid);
    other.kill();
  }
});
