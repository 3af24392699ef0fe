import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bootstrap } from '../../generators/phases/bootstrap.ts';
import { engine } from '../../generators/engine.ts';
import { templates } from '../support/definitions/templates.ts';
import { cluster } from '../support/definitions/clusters.ts';

const here = mkdtempSync(join(tmpdir(), 'playsmith-pip-'));
const directory = join(here, 'server');
const wheels = join(here, 'wheels');
const programs = join(here, 'programs');
const names = ['ansible_core-2.19.14', 'ansible_runner-2.4.3'];

/** A wheel with a module that says that it ran; made by Python's own zipfile. */
function forge(name: string): void {
  const [module = '', version = ''] = name.split('-');
  const program = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    wheel.writestr("${module}/__init__.py", "print('forged')")
    wheel.writestr("${name}.dist-info/METADATA", "Metadata-Version: 2.1\\nName: ${module}\\nVersion: ${version}\\n")
    wheel.writestr("${name}.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr("${name}.dist-info/RECORD", "")
`;
  const made = spawnSync('python3', ['-c', program, join(wheels, `${name}-py3-none-any.whl`)]);
  expect(made.status, String(made.stderr)).toBe(0);
}

beforeAll(() => {
  for (const folder of [wheels, programs]) mkdirSync(folder);
  names.forEach(forge);
  // Packages of the distribution are there already; nothing is installed on this machine.
  writeFileSync(join(programs, 'apt-get'), '#!/bin/sh\n');
  chmodSync(join(programs, 'apt-get'), 0o755);
});

afterAll(() => {
  rmSync(here, { recursive: true, force: true });
});

test('an index that hands out other wheels of the same version installs nothing', () => {
  const given = cluster();
  const ansible = { kind: 'venv', ansibleCore: '2.19.14', ansibleRunner: '2.4.3' } as const;
  const server = { ...given.ansibleServer, directory, ansible };
  const script = bootstrap({ ...given, ansibleServer: server }, engine(templates, 'sample'));
  writeFileSync(join(here, script.path), script.text);
  const ran = spawnSync('sh', ['-c', 'umask 000; exec sh "$1"', 'sh', join(here, script.path)], {
    encoding: 'utf8',
    env: {
      PATH: `${programs}:${process.env['PATH'] ?? ''}`,
      PIP_NO_INDEX: '1',
      PIP_FIND_LINKS: wheels,
    },
  });
  expect(ran.stderr).toContain('THESE PACKAGES DO NOT MATCH THE HASHES');
  expect(ran.status).not.toBe(0);
  expect(existsSync(join(directory, 'venv/bin/ansible-playbook'))).toBe(false);
  // What others may write there would be what runs.
  for (const path of ['', 'venv', 'venv/bin', 'venv/lib'])
    expect(statSync(join(directory, path)).mode & 0o022, path).toBe(0);
  const written = readFileSync(join(directory, 'venv/requirements.txt'), 'utf8');
  expect(written).toMatch(/^ansible-core==2\.19\.14 --hash=sha256:[0-9a-f]{64}\n/);
});

test('as root it imports nothing of the folder that it was called in', () => {
  const given = cluster();
  const server = { ...given.ansibleServer, directory, ansible: { kind: 'packages' } as const };
  const script = bootstrap({ ...given, ansibleServer: server }, engine(templates, 'sample'));
  writeFileSync(join(here, script.path), script.text);
  writeFileSync(join(here, 'ansible_runner.py'), 'print("of the folder")\n');
  const path = `${programs}:${process.env['PATH'] ?? ''}`;
  const ran = spawnSync('sh', [script.path], { encoding: 'utf8', cwd: here, env: { PATH: path } });
  rmSync(join(here, 'ansible_runner.py'));
  expect(ran.stdout).not.toContain('of the folder');
});
