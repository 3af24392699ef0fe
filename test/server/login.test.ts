import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { fetchRecord } from '../../tasks/steps/run/record.ts';
import { locally, overSsh, runIt, serverFolder, value } from '../support/server/ansible-server.ts';
import { localHost, playbookBundle } from '../support/definitions/bundles.ts';
import { startSshd } from '../support/server/sshd.ts';

const bundle = playbookBundle(
  '- name: Say\n  hosts: all\n  gather_facts: false\n  tasks:\n    - name: Say\n      ansible.builtin.debug: { msg: said }\n',
  { one: localHost },
);

test('a record names who logged in, with the key that did, whatever git says', async () => {
  const sshd = await startSshd(['ExposeAuthInfo yes']);
  const directory = serverFolder();
  const server = await overSsh(sshd, directory);
  const { run } = await runIt(server, bundle);
  const { record } = value(await fetchRecord(server, { cluster: 'try', run, folder: directory }));
  const listed = execFileSync('ssh-keygen', ['-lf', `${sshd.privateKey}.pub`], { encoding: 'utf8' });
  expect(record.login).toEqual({
    user: userInfo().username,
    address: '127.0.0.1',
    keys: [listed.split(' ')[1]],
  });
  await server.close();
  sshd.close();
  rmSync(directory, { recursive: true, force: true });
});

test('who did not come over SSH has no address', async () => {
  const directory = serverFolder();
  const server = await locally(directory);
  const { run } = await runIt(server, bundle);
  const { record } = value(await fetchRecord(server, { cluster: 'try', run, folder: directory }));
  expect(record.login).toMatchObject({ user: userInfo().username, keys: [] });
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});
