import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fleetPhases } from '../../../generators/phases/fleet/phases.ts';
import { exampleClusters } from '../../support/definitions/examples.ts';
import { filesOf } from '../../support/definitions/phase-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'playsmith-pki-'));
const openssl = (line: string): void => {
  execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'ignore' });
};

function certificate(node: string, names: string): void {
  writeFileSync(join(folder, 'names'), `subjectAltName=otherName:1.3.6.1.4.1.2312.19.1;UTF8:${names}\n`);
  openssl(`req -newkey rsa:2048 -nodes -keyout ${node}.key -out request -subj /CN=${node}`);
  openssl(
    `x509 -req -in request -CA ca.crt -CAkey authority -CAcreateserial -extfile names -days 9 -out ${node}.crt`,
  );
}

beforeAll(() => {
  openssl('req -x509 -newkey rsa:2048 -nodes -keyout authority -out ca.crt -subj /CN=ca');
  openssl('genpkey -algorithm RSA -out work.key');
  openssl('pkey -in work.key -pubout -out work.pub');
  certificate('hop', 'hop,IP:2001:db8::10');
  certificate('exec', 'exec');
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** What the program says of the folder and these nodes. */
function said(...nodes: readonly string[]): readonly string[] {
  const fleet = exampleClusters.find(({ name }) => name === 'fleet-pki');
  if (fleet === undefined) throw new Error('there is no such example');
  const input = fleetPhases
    .flatMap((phase) => filesOf(phase, fleet))
    .find(({ path }) => path.endsWith('/given.py'));
  const ran = spawnSync('python3', ['-', folder, ...nodes], { input: input?.text ?? '', encoding: 'utf8' });
  expect(ran.stderr).toBe('');
  return ran.stdout.split('\n').filter((line) => line !== '');
}

test('certificates that fit are left without a word', () => {
  expect(said('hop=2001:db8::10', 'exec')).toEqual([]);
});

test('a certificate of another node, and one without the address that others reach the node by', () => {
  expect(said('hop=2001:db8::11')).toEqual([
    'hop.crt does not hold the address by which others reach the node: receptor --cert-makereq nodeid=hop ipaddress=2001:db8::11',
  ]);
  certificate('other', 'exec');
  expect(said('other')).toEqual([
    'other.crt does not hold the name of the node: receptor --cert-makereq nodeid=other',
  ]);
});

test('a key that does not fit, one that is none, and a certificate of another authority', () => {
  certificate('pair', 'pair');
  openssl('genpkey -algorithm RSA -out pair.key');
  expect(said('pair')).toEqual(['pair.key is not the key of pair.crt']);
  writeFileSync(join(folder, 'pair.key'), 'nothing');
  expect(said('pair')).toEqual(['pair.key is no private key without a passphrase']);
  openssl('req -x509 -newkey rsa:2048 -nodes -keyout own.key -out own.crt -subj /CN=own');
  expect(said('own')[0]).toBe('own.crt is not, or no more, a certificate of ca.crt');
});

test('each file that is not there, once', () => {
  renameSync(join(folder, 'work.key'), join(folder, 'kept'));
  renameSync(join(folder, 'ca.crt'), join(folder, 'kept.crt'));
  expect(said('exec', 'hop', 'gone')).toEqual([
    'work.key: No such file or directory',
    'ca.crt: No such file or directory',
    'gone.crt: No such file or directory',
    'gone.key: No such file or directory',
  ]);
  renameSync(join(folder, 'kept'), join(folder, 'work.key'));
  renameSync(join(folder, 'kept.crt'), join(folder, 'ca.crt'));
});
