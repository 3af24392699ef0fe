import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Server } from '../../../tasks/runtime/server.ts';
import { connect } from '../../../tasks/steps/server/connect.ts';
import { begin, runIt, sshServer, value, watch } from '../../support/server/ansible-server.ts';
import { playbookBundle } from '../../support/definitions/bundles.ts';
import { startSshd, type Sshd } from '../../support/server/sshd.ts';

/** A user of its own, since root reads everything. */
const user = 'playsmith-reader';
let sshd: Sshd;
let home: string;
let server: Server;

beforeAll(async () => {
  execFileSync('useradd', ['--system', '--create-home', '--password', '*', '--shell', '/bin/sh', user]);
  home = `/home/${user}`;
  sshd = await startSshd();
  chmodSync(sshd.folder, 0o711);
  chmodSync(join(sshd.folder, 'authorized_keys'), 0o644);
  server = value(await connect(sshServer(sshd, `${home}/playsmith`, { user }), { around: sshd.around }));
});
afterAll(async () => {
  await server.close();
  sshd.close();
  execFileSync('userdel', ['--force', '--remove', user], { stdio: 'ignore' });
});

/** What a process of that user can open of all others of the same user: kinds by process. */
const look = String.raw`
import json, os, sys
found = {}
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        if os.stat("/proc/" + pid).st_uid not in (0, os.getuid()) or int(pid) == os.getpid():
            continue
        words = open("/proc/%s/cmdline" % pid).read().split("\0")
    except OSError:
        continue
    if sys.argv[1] not in words and "playsmith" not in words:
        continue
    opened = []
    for name in ("environ", "mem", "maps"):
        try:
            open("/proc/%s/%s" % (pid, name), "rb").read(1) if name != "mem" else open("/proc/%s/mem" % pid, "rb")
            opened.append(name)
        except OSError:
            pass
    try:
        os.listdir("/proc/%s/fd" % pid)
        opened.append("fd")
    except OSError:
        pass
    found[pid] = opened
print(json.dumps(found))
`;

test('no other process of the same user reads the memory or the open files of what holds the secrets of a run', async () => {
  const gate = join(home, 'gate');
  mkdirSync(gate);
  const { uid, gid } = {
    uid: Number(execFileSync('id', ['-u', user])),
    gid: Number(execFileSync('id', ['-g', user])),
  };
  chownSync(gate, uid, gid);
  const bundle = playbookBundle(`- name: Wait
  hosts: all
  gather_facts: false
  tasks:
    - name: Use the secret
      ansible.builtin.copy: { content: "{{ vault_word }}", dest: ${gate}/seen, mode: "0600" }
      no_log: true
    - name: Wait
      ansible.builtin.wait_for: { path: ${gate}/go, sleep: 1 }
`);
  const { run } = value(await begin(server, bundle, { secrets: { vault_word: 'canary-1234' } }));
  await expect.poll(() => existsSync(join(gate, 'seen')), { timeout: 30_000 }).toBe(true);
  expect(readFileSync(join(gate, 'seen'), 'utf8')).toBe('canary-1234');
  const record = JSON.parse(
    readFileSync(join(home, 'playsmith', 'runs', 'try', run, 'record.json'), 'utf8'),
  ) as {
    readonly token: string;
  };
  const looked = execFileSync(
    'setpriv',
    [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '/usr/bin/python3', '-c', look, record.token],
    { encoding: 'utf8' },
  );
  const found = JSON.parse(looked) as Readonly<Record<string, readonly string[]>>;
  writeFileSync(join(gate, 'go'), '');
  expect(value((await watch(server, run)).followed)).toMatchObject({ status: 'successful' });
  // The conversation, the keeper, the supervisor, ansible-playbook and its worker.
  expect(Object.keys(found).length).toBeGreaterThanOrEqual(4);
  expect(Object.values(found).flat()).toEqual([]);
});

test('without secrets a run of such a user goes on as before', async () => {
  const bundle = playbookBundle(
    '- name: Say\n  hosts: all\n  gather_facts: false\n  tasks:\n    - name: Say\n      ansible.builtin.debug: { msg: said }\n',
  );
  expect(value((await runIt(server, bundle)).followed)).toMatchObject({ status: 'successful' });
  rmSync(join(home, 'gate'), { recursive: true, force: true });
});
