import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { fleetPhases } from '../../../generators/phases/fleet/phases.ts';
import { exampleClusters } from '../../support/definitions/examples.ts';
import { filesOf } from '../../support/definitions/phase-files.ts';

const [fleet] = exampleClusters.filter(({ name }) => name === 'fleet') as [Cluster];
const textOf = (given: Cluster, path: string): string =>
  fleetPhases.flatMap((phase) => filesOf(phase, given)).find((file) => file.path === path)?.text ?? '';

/** What is said of a request with this subject and these names, from exec1 at 192.0.2.11. */
function said(subject: string, names: string, change: (text: string) => string = (text) => text): string {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-request-'));
  const path = join(folder, 'request');
  const words = ['req', '-newkey', 'rsa:2048', '-nodes', '-keyout', join(folder, 'key'), '-out', path];
  const extension = names === '' ? [] : ['-addext', `subjectAltName=${names}`];
  execFileSync('openssl', [...words, '-subj', subject, ...extension], { stdio: 'ignore' });
  writeFileSync(path, change(execFileSync('cat', [path], { encoding: 'utf8' })));
  return judged(path);
}

/** What is said of a request from exec1 at 192.0.2.11, with programs of a folder in place of the machine's. */
function judged(path: string, programs = ''): string {
  const ran = spawnSync('python3', ['-', path, 'exec1', '192.0.2.11'], {
    input: textOf(fleet, 'files/mesh/request.py'),
    encoding: 'utf8',
    env: { ...process.env, PATH: `${programs}:${process.env['PATH'] ?? ''}` },
  });
  expect(ran.status).toBe(ran.stderr === '' ? 0 : 1);
  return ran.stderr.replace('the request of exec1 is refused: ', '').trim();
}

const node = (name: string): string => `otherName:1.3.6.1.4.1.2312.19.1;UTF8:${name}`;
const own = `${node('exec1')},IP:192.0.2.11`;

test('a node gets a certificate of its own name and address', () => {
  expect(said('/CN=exec1', own)).toBe('');
});

test.each([
  ['/CN=control', own, 'it names Subject: CN=control in place of CN=exec1'],
  ['/CN=exec1', `${own},${node('control')}`, 'it asks for othername:1.3.6.1.4.1.2312.19.1:control too'],
  ['/CN=exec1', `${own},DNS:control`, 'it asks for DNS:control too'],
  [
    '/CN=exec1',
    `${node('exec1')},IP:192.0.2.12`,
    'it asks for IP Address:192.0.2.12 too; it does not ask for IP Address:192.0.2.11',
  ],
  ['/CN=exec1', `${own},email:control@example.org`, 'it asks for a name of another kind too'],
  ['/CN=exec1', '', 'it does not ask for IP Address:192.0.2.11, othername:1.3.6.1.4.1.2312.19.1:exec1'],
])('a node that asks as %s for %s is refused', (subject, names, problem) => {
  expect(said(subject, names)).toBe(problem);
});

test('a name with the end of a line in it hides no other one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-request-'));
  const lines = [
    ...['[req]', 'distinguished_name=subject', 'req_extensions=asked', 'prompt=no', '[subject]', 'CN=exec1'],
    ...['[asked]', 'subjectAltName=@names', '[names]', 'IP.1=192.0.2.11'],
    ...['exec1\\nx', 'control'].map((name, at) => node(name).replace('otherName:', `otherName.${at}=`)),
  ];
  writeFileSync(join(folder, 'asked'), lines.join('\n'));
  const words = ['req', '-new', '-newkey', 'rsa:2048', '-nodes', '-keyout', join(folder, 'key')];
  const path = join(folder, 'request');
  execFileSync('openssl', [...words, '-config', join(folder, 'asked'), '-out', path], { stdio: 'ignore' });
  expect(judged(path)).toBe(
    'it asks for othername:1.3.6.1.4.1.2312.19.1:control, othername:1.3.6.1.4.1.2312.19.1:exec1\\nx too; it does not ask for othername:1.3.6.1.4.1.2312.19.1:exec1',
  );
});

test('what its own key did not sign is no request', () => {
  expect(said('/CN=exec1', own, () => 'nothing')).toBe('it is no request that its own key signed');
});

/** A request of exec1 of which the last bits of the signature are others. */
function forged(text: string): string {
  const [head = '', ...rest] = text.trimEnd().split('\n');
  const bytes = Buffer.from(rest.slice(0, -1).join(''), 'base64');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return [head, ...(bytes.toString('base64').match(/.{1,64}/g) ?? []), rest.at(-1), ''].join('\n');
}

test('what another key signed is no request', () => {
  expect(said('/CN=exec1', own, forged)).toBe('it is no request that its own key signed');
});

// OpenSSL 3.0 says on standard error whether it is signed, that of Debian 13 on standard output.
test('where OpenSSL says so makes no difference', () => {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-request-'));
  const [path, bad] = [join(folder, 'request'), join(folder, 'forged')];
  const words = ['req', '-newkey', 'rsa:2048', '-nodes', '-keyout', join(folder, 'key'), '-out', path];
  execFileSync('openssl', [...words, '-subj', '/CN=exec1', '-addext', `subjectAltName=${own}`], {
    stdio: 'ignore',
  });
  writeFileSync(bad, forged(readFileSync(path, 'utf8')));
  const real = execFileSync('which', ['openssl'], { encoding: 'utf8' }).trim();
  writeFileSync(join(folder, 'openssl'), `#!/bin/sh\nexec ${real} "$@" 2>&1\n`, { mode: 0o755 });
  expect(judged(path, folder)).toBe('');
  expect(judged(bad, folder)).toBe('it is no request that its own key signed');
});

test('another authority has a folder of its own, and is asked anew', () => {
  const second: Cluster = {
    ...fleet,
    ...(fleet.fleet && { fleet: { ...fleet.fleet, certificates: { kind: 'receptor', authority: 2 } } }),
  };
  expect(textOf(fleet, 'mesh-certificates.yml')).toContain(
    'outcert=/etc/receptor/playsmith/authority/ca.crt',
  );
  const playbook = textOf(second, 'mesh-certificates.yml');
  expect(playbook).toContain('outcert=/etc/receptor/playsmith/authority-2/ca.crt');
  expect(playbook).toContain('mesh_suffix: "-2.req"');
  expect(playbook).not.toMatch(/playsmith\/authority\//);
});
