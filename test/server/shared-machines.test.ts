import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Result } from '../../generators/result.ts';
import type { HeldMachine } from '../../tasks/runtime/agent/run-records.ts';
import type { Failure } from '../../tasks/runtime/failures.ts';
import type { Server } from '../../tasks/runtime/server.ts';
import { push } from '../../tasks/steps/bundle/push.ts';
import { start, type StartedRun } from '../../tasks/steps/run/start.ts';
import { failure, locally, meta, serverFolder, value } from '../support/server/ansible-server.ts';
import { bundleOf, localHost } from '../support/definitions/bundles.ts';

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

const machine = (number: number): HeldMachine => ({ name: `n${number}`, at: `10.0.0.${number}` });

/** Says that it began, and ends once it is told to, or with the test. */
async function run(cluster: string, machines: readonly HeldMachine[]): Promise<Result<StartedRun, Failure>> {
  const bundle = bundleOf(
    {
      'ansible.cfg': '[defaults]\ninventory = inventory\n',
      'inventory/hosts.yml': `${JSON.stringify({ all: { hosts: { one: localHost } } })}\n`,
      'site.yml': `---
- name: Wait
  hosts: all
  gather_facts: false
  tasks:
    - name: Wait for the end
      ansible.builtin.shell: touch ${join(directory, `began-${cluster}`)}; while test -d ${directory} && ! test -e ${join(directory, 'end')}; do sleep 0.1; done
`,
    },
    cluster,
  );
  value(await push(server, bundle));
  return start(server, { bundle, playbook: 'site.yml', options: {}, secrets: new Map(), meta, machines });
}

const began = (cluster: string): boolean => existsSync(join(directory, `began-${cluster}`));

test('what another cluster is working on is refused with who holds which machines, until it is done', async () => {
  const { run: first } = value(await run('lab', [machine(1), machine(2), machine(3)]));
  expect(failure(await run('lab2', [machine(3), machine(4)]))).toMatchObject({
    kind: 'locked',
    message: expect.stringMatching(
      /^lab2 cannot run now: n3 \(10\.0\.0\.3\) of it is a machine of lab too\. lab is locked by Ada .*for site\.yml/,
    ) as string,
    next: expect.stringContaining(`npx task attach ${first}`) as string,
  });
  value(await run('elsewhere', [machine(5)]));
  await expect.poll(() => began('lab') && began('elsewhere'), { timeout: 20_000 }).toBe(true);
  expect(began('lab2')).toBe(false);
  writeFileSync(join(directory, 'end'), '');
  await expect
    .poll(async () => (await run('lab2', [machine(3), machine(4)])).ok, { timeout: 20_000, interval: 300 })
    .toBe(true);
});
