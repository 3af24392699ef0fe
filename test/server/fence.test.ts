import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { python } from '../support/python.ts';
import { uniqueCluster } from '../support/server/fenced-hosts.ts';

/** The guard as root at the end of `become`, below a process of the user who logged in. */
const guard = python(
  `import os, subprocess
from playsmith.guards import fencing
def entered(cluster, login):
    os.setresuid(login, 0, 0)
    text = " ".join(fencing.GUARD.format(cluster=cluster, number=1000).split("\\n")) + " echo begun"
    ended = subprocess.run(["sh", "-c", text], preexec_fn=lambda: os.setresuid(0, 0, 0), capture_output=True, text=True, timeout=60)
    return [ended.stdout.strip(), ended.stderr.strip()]`,
  'entered(it["cluster"], it["login"])',
);
const nobody = 65_534;
let cluster: string;
let others: ChildProcess[];

beforeEach(() => {
  cluster = uniqueCluster();
  others = [];
});
afterEach(() => {
  for (const { pid } of others) process.kill(-(pid ?? 0), 'SIGKILL');
  for (const suffix of ['', '.lock']) rmSync(`/run/playsmith-fence/${cluster}${suffix}`, { force: true });
});
afterAll(() => {
  guard.close();
});

/** Of a user, and again as soon as it is killed. */
function marked(user: number): void {
  const again = 'while :; do env "$1:1" sleep 600; done';
  const command = [
    '--reuid',
    String(user),
    '--clear-groups',
    'sh',
    '-c',
    again,
    'sh',
    `PLAYSMITH_FENCE=${cluster}`,
  ];
  others.push(spawn('setpriv', command, { detached: true, stdio: 'ignore' }));
}

test('a process of another user that calls itself one of an older run keeps no run from a host', async () => {
  marked(nobody);
  expect(await guard.ask({ cluster, login: 0 })).toEqual(['begun', '']);
}, 60_000);

test.each([0, nobody])(
  'a process of root, or of who logged in, is waited for: %d',
  async (user) => {
    marked(user);
    const [out, said] = (await guard.ask({ cluster, login: nobody })) as [string, string];
    expect(out).toBe('');
    expect(said).toMatch(
      new RegExp(`^On this host, processes of an older run of ${cluster} do not end: \\d+$`),
    );
  },
  60_000,
);
