import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { explain } from '../../tasks/runtime/failures.ts';
import { connect } from '../../tasks/steps/server/connect.ts';
import { push } from '../../tasks/steps/bundle/push.ts';
import { runs } from '../../tasks/steps/run/runs.ts';
import { serverFolder, sshServer } from '../support/server/ansible-server.ts';
import { playbookBundle } from '../support/definitions/bundles.ts';
import { startSshd, type Sshd } from '../support/server/sshd.ts';

const directory = serverFolder();
let sshd: Sshd;
afterEach(() => {
  sshd.close();
});

/** What a run begins with: a question, and files. Says how it failed, or nothing. */
async function begun(...settings: readonly string[]): Promise<string> {
  sshd = await startSshd(settings);
  const server = await connect(sshServer(sshd, directory), { around: sshd.around, attempts: 1 });
  if (!server.ok) return explain(server.failure);
  const asked = await runs(server.value, { cluster: 'try' });
  const pushed = asked.ok ? await push(server.value, playbookBundle('---\n')) : asked;
  await server.value.close();
  rmSync(join(directory, 'bundles'), { recursive: true, force: true });
  return pushed.ok ? '' : explain(pushed.failure);
}

describe('an sshd that is set up in an unusual way', () => {
  test.each([
    ['a banner', 'Banner /etc/os-release'],
    ['no terminals', 'PermitTTY no'],
    ['no forwarding', 'DisableForwarding yes'],
    ['two sessions a connection', 'MaxSessions 2'],
  ])('with %s is one like any other', async (_, setting) => {
    expect(await begun(setting)).toBe('');
  });

  test.each([
    ['MaxSessions 0', /opens no session.*MaxSessions/s],
    ['MaxSessions 1', /opens no session.*MaxSessions/s],
    ['ForceCommand internal-sftp', /runs something else.*ForceCommand/s],
    [
      'ForceCommand /usr/sbin/nologin',
      /runs something else.*This account is currently not available.*ForceCommand/s,
    ],
    ['ForceCommand sleep 600', /runs something else.*ForceCommand/s],
  ])(
    'with `%s` is told by what has to be set',
    async (setting, words) => {
      expect(await begun(setting)).toMatch(words);
    },
    90_000,
  );

  test('whose shell talks is understood', async () => {
    const noisy = join(directory, 'noisy');
    const words = [
      '#!/bin/sh',
      'case $SSH_ORIGINAL_COMMAND in internal-sftp) exec /usr/lib/openssh/sftp-server ;; esac',
    ];
    writeFileSync(
      noisy,
      [
        ...words,
        'echo hello; echo "{}"; echo hello >&2; printf hello',
        'exec sh -c "$SSH_ORIGINAL_COMMAND"',
        '',
      ].join('\n'),
      { mode: 0o755 },
    );
    expect(await begun(`ForceCommand ${noisy}`)).toBe('');
  });
});
