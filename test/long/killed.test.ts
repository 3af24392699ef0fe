import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bundle } from '../../generators/bundle.ts';
import { down, exec, type Lab } from '../../lab/index.ts';
import { resolveSecrets } from '../../tasks/runtime/secrets/resolve.ts';
import type { SecretValues } from '../../tasks/runtime/secrets/secret.ts';
import type { Server } from '../../tasks/runtime/server.ts';
import { renderBundle } from '../../tasks/steps/bundle/bundle.ts';
import { connect } from '../../tasks/steps/server/connect.ts';
import { push } from '../../tasks/steps/bundle/push.ts';
import { start } from '../../tasks/steps/run/start.ts';
import { meta } from '../support/server/ansible-server.ts';
import { bundleOf } from '../support/definitions/bundles.ts';
import { killAtRandom } from '../support/server/killing.ts';
import { definitionOf, must, on, raiseLab } from '../support/hosts/lab.ts';

const name = 'killed';
const hosts = ['cp1', 'cp2', 'cp3'];
const rounds = Number(process.env['PLAYSMITH_KILLS'] ?? 300);
let lab: Lab;
let folder: string;
let server: Server;
let secrets: SecretValues;
let files: Readonly<Record<string, string>>;
let killer: string;

beforeAll(async () => {
  lab = await raiseLab(name, { controlPlanes: 3, client: false });
  folder = await mkdtemp(join(tmpdir(), 'playsmith-killed-'));
  await writeFile(join(folder, 'cluster.yml'), definitionOf(lab));
  const world = { cwd: folder, report: () => undefined, human: false, env: process.env };
  const { bundle, cluster } = must(
    await renderBundle({ file: join(folder, 'cluster.yml'), output: 'playbooks' }, world as never),
  );
  files = Object.fromEntries(
    bundle.files.filter(({ path }) => path !== 'manifest.json').map(({ path, text }) => [path, text]),
  );
  secrets = must(await resolveSecrets(cluster.secrets, folder));
  server = must(await connect(cluster.ansibleServer));
  killer = await readFile('test/support/server/kill-one.py', 'utf8');
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
  must(await down(name));
});

/** A command of root's that writes on and on, deaf to all signals that can be ignored; others than its connection's end do not stop it. */
const writing = (word: string): Bundle =>
  bundleOf(
    {
      ...files,
      'site.yml': `- name: Work
  hosts: ${hosts.join(',')}
  gather_facts: false
  become: true
  tasks:
    - name: Write on and on
      ansible.builtin.shell: 'trap "" INT TERM HUP PIPE; while :; do echo ${word} >> /root/trail; sleep 0.02; done'
      changed_when: true
`,
    },
    name,
  );

/** Here and there in turn: on the Ansible server most processes belong to the run's own half. */
async function kill(seed: string): Promise<string> {
  const turn = Buffer.from(seed).reduce((sum, each) => sum + each, 0);
  const host = ['ansible', 'ansible', ...hosts][turn % 5] ?? '';
  const more = host === 'ansible' ? ['/home/ops/playsmith'] : [];
  return on(lab, host, 'python3', '-c', killer, seed, name, ...more);
}

test(
  'whichever process of a run is killed when, no two runs write on one host, and a cancelled one writes nothing more',
  async () => {
    const seed = Number(process.env['PLAYSMITH_SEED'] ?? Date.now() % 1_000_000);
    const begin = async (word: string): ReturnType<typeof start> => {
      const bundle = writing(word);
      must(await push(server, bundle));
      return start(server, { bundle, playbook: 'site.yml', options: {}, secrets, meta });
    };
    const trail = async (host: string): Promise<readonly string[]> => {
      const read = await exec(lab, host, ['cat', '/root/trail']);
      return read.ok ? read.value.stdout.trim().split('\n') : [];
    };
    const outcome = await killAtRandom(
      { cluster: name, server, hosts, begin, kill, trail },
      { seed, rounds },
    );
    console.log({ seed, rounds, ...outcome });
    expect({ seed, wrong: outcome.wrong }).toEqual({ seed, wrong: [] });
    expect(outcome.killed).toBeGreaterThan(rounds / 2);
    expect(outcome.cancelled).toBeGreaterThan(rounds / 10);
  },
  3 * 3_600_000,
);
