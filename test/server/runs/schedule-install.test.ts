import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { installSchedule } from '../../../tasks/schedule/install.ts';
import { render } from '../../../tasks/commands/review/render.ts';
import type { Server } from '../../../tasks/runtime/server.ts';
import { definitionOf } from '../../bench/definition.ts';
import { bundleOf, localHost } from '../../support/definitions/bundles.ts';
import { begin, failure, locally, value, watch } from '../../support/server/ansible-server.ts';
import { quietWorld } from '../../support/world.ts';

let here: string;
let server: Server;
beforeEach(async () => {
  here = mkdtempSync(join(tmpdir(), 'playsmith-schedule-'));
  // The server of the definition is this machine, which keeps everything at home.
  vi.stubEnv('HOME', here);
  server = await locally(join(here, 'playsmith'));
  writeFileSync(
    join(here, 'cluster.yml'),
    `${definitionOf(3, { name: 'try' })}\nschedule:\n  secretsFolder: ${here}\n  jobs: [{ job: drift, onCalendar: yearly }]\n`,
  );
  const place = { file: 'cluster.yml', output: 'playbooks', check: false };
  value(await render.run(place as never, quietWorld(here)));
});
afterEach(async () => {
  await server.close();
  vi.unstubAllEnvs();
  rmSync(here, { recursive: true, force: true });
});

const install = () => installSchedule({ file: 'cluster.yml', output: 'playbooks' }, quietWorld(here));
const jobs = (): string => join(here, 'playsmith/schedules', 'try', 'jobs.json');

/** Somebody else's run, which holds the cluster. */
const bundle = bundleOf({
  'ansible.cfg': '[defaults]\ninventory = inventory\n',
  'inventory/hosts.yml': JSON.stringify({ all: { hosts: { one: localHost } } }),
  'site.yml': JSON.stringify([
    {
      name: 'Wait',
      hosts: 'all',
      gather_facts: false,
      tasks: [{ name: 'Wait', 'ansible.builtin.command': 'sleep 60' }],
    },
  ]),
});

test.each(['', '{"jobs": {}, "digest": "of before"}\n'])(
  'an installation whose run is refused leaves the jobs that were there: %j',
  async (before) => {
    const { run } = value(await begin(server, bundle));
    if (before !== '') {
      mkdirSync(dirname(jobs()), { recursive: true });
      writeFileSync(jobs(), before);
    }
    expect(failure(await install()).kind).toBe('locked');
    expect(existsSync(jobs()) ? readFileSync(jobs(), 'utf8') : '').toBe(before);
    value(await server.agent().ask('cancel', { cluster: 'try', run, who: 'Ada' }));
    await watch(server, run);
  },
);
