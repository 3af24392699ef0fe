import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { begin, overSsh, serverFolder } from '../../support/server/ansible-server.ts';
import { overSshd, shell, uniqueCluster } from '../../support/server/fenced-hosts.ts';
import { killAtRandom } from '../../support/server/killing.ts';
import { startSshd } from '../../support/server/sshd.ts';

const program = promisify(execFile);

/** A few of the hundreds of test/long/killed.test.ts, with two hosts that are this machine. */
test(
  'whichever process of a run is killed when, no two runs write on one host, and a cancelled one writes nothing more',
  async () => {
    const seed = Number(process.env['PLAYSMITH_SEED'] ?? Date.now() % 1_000_000);
    const sshd = await startSshd();
    const directory = serverFolder();
    const cluster = uniqueCluster();
    const server = await overSsh(sshd, directory);
    const hosts = ['one', 'two'];
    const path = (host: string): string => join(directory, `trail-${host}`);
    const command = (word: string): string =>
      `trap "" INT TERM HUP PIPE; while :; do echo ${word} >> ${path('{{ inventory_hostname }}')}; sleep 0.02; done`;
    const outcome = await killAtRandom(
      {
        cluster,
        server,
        hosts,
        begin: (word) => begin(server, overSshd(sshd, cluster, shell(command(word)), hosts)),
        kill: async (choice) =>
          (
            await program('python3', ['test/support/server/kill-one.py', choice, cluster, directory])
          ).stdout.trim(),
        trail: async (host) =>
          existsSync(path(host)) ? (await readFile(path(host), 'utf8')).trim().split('\n') : [],
      },
      { seed, rounds: Number(process.env['PLAYSMITH_KILLS'] ?? 10) },
    );
    expect({ seed, wrong: outcome.wrong }).toEqual({ seed, wrong: [] });
    expect(outcome.killed).toBeGreaterThan(5);
    await server.close();
    sshd.close();
    rmSync(directory, { recursive: true, force: true });
    for (const suffix of ['', '.lock']) rmSync(`/run/playsmith-fence/${cluster}${suffix}`, { force: true });
  },
  3 * 3_600_000,
);
