import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { scriptBehind } from '../../../tasks/commands/run/bootstrap.ts';

const [shell = '', ...words] = scriptBehind('begins-here');
const ran = (input: string) => {
  const { status, stdout, stderr } = spawnSync(shell, words, { input, encoding: 'utf8' });
  return { status, stdout, stderr };
};

test.each([
  ['took the password', ''],
  ['wanted none, as where it asks for `true` and not for `sh`', 'echo secret; touch "$0"\n'],
])('the script begins behind the password where sudo %s', (_, left) => {
  expect(ran(`${left}begins-here\necho one\nexit 3\n`)).toEqual({ status: 3, stdout: 'one\n', stderr: '' });
});

test('nothing is run where the line does not come', () => {
  expect(ran('echo one\n')).toEqual({ status: 1, stdout: '', stderr: '' });
});
