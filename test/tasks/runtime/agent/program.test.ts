import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentLine, agentProgram } from '../../../../tasks/runtime/agent/program.ts';
import { quote } from '../../../../tasks/runtime/command.ts';

const ask = JSON.stringify({ operation: 'list', cluster: 'try', limit: 1, directory: '~/nowhere' });
const answer =
  'playsmith begins\n{"hello": "playsmith"}\n{"done": {"runs": [], "unreadable": [], "locks": {}}}\n';

describe('the program that is sent', () => {
  test.each(['dash', 'bash'])('starts in %s and answers', (shell) => {
    const input = Buffer.concat([agentProgram(), Buffer.from(`${ask}\n`)]);
    const { stdout, stderr } = spawnSync(shell, ['-c', agentLine(quote('~/nowhere'))], {
      input,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout).toBe(answer);
  });

  test('holds no quote that another kind of login shell would read differently', () => {
    expect(agentLine('x').match(/'/g)).toHaveLength(2);
    expect(agentLine('x')).not.toMatch(/[!\n]/);
  });

  test('takes no module from the folder that it starts in, nor from PYTHONPATH', () => {
    const home = mkdtempSync(join(tmpdir(), 'playsmith-'));
    for (const name of ['tempfile', 'json', 'queue'])
      writeFileSync(join(home, `${name}.py`), 'raise SystemExit(9)\n');
    const { stdout, stderr } = spawnSync('sh', ['-c', agentLine(quote('~/nowhere'))], {
      input: Buffer.concat([agentProgram(), Buffer.from(`${ask}\n`)]),
      cwd: home,
      env: { ...process.env, PYTHONPATH: home },
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout).toBe(answer);
    rmSync(home, { recursive: true });
  });

  test('takes the Python that bootstrap made, then the one that runs ansible-playbook', () => {
    const folder = mkdtempSync(join(tmpdir(), "playsmith it's "));
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    const which = (): string =>
      execFileSync('sh', ['-c', agentLine(quote(folder))], {
        env: { PATH: `${bin}:/usr/bin:/bin` },
        encoding: 'utf8',
      }).replace('playsmith begins\n', '');
    const says = (path: string, what: string): void => {
      writeFileSync(path, `#!/bin/sh\necho ${what}\n`, { mode: 0o755 });
    };
    says(join(bin, 'python3'), 'path');
    writeFileSync(join(bin, 'ansible-playbook'), '#!/usr/bin/env python3\n', { mode: 0o755 });
    expect(which()).toBe('path\n');
    const plain = mkdtempSync(join(tmpdir(), 'playsmith-'));
    says(join(plain, 'python3.12'), 'shebang');
    writeFileSync(join(bin, 'ansible-playbook'), `#! ${plain}/python3.12 -sP\n`, { mode: 0o755 });
    expect(which()).toBe('shebang\n');
    rmSync(plain, { recursive: true });
    mkdirSync(join(folder, 'venv', 'bin'), { recursive: true, mode: 0o755 });
    says(join(folder, 'venv', 'bin', 'python'), 'venv');
    expect(which()).toBe('venv\n');
    writeFileSync(join(bin, 'ansible-playbook'), '#!/usr/bin/env python3\n');
    for (const [path, mode] of [
      ['', 0o770],
      ['venv', 0o775],
      ['venv/bin', 0o707],
    ] as const) {
      const before = statSync(join(folder, path)).mode;
      chmodSync(join(folder, path), mode);
      expect(which(), `others may write ${path}`).toBe('path\n');
      chmodSync(join(folder, path), before);
    }
    expect(which()).toBe('venv\n');
    if (process.getuid?.() === 0) {
      // A folder that another user made in advance is not trusted with a program.
      chownSync(folder, 12_345, 12_345);
      expect(which()).toBe('path\n');
    }
    rmSync(folder, { recursive: true });
  });
});
