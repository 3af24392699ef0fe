import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kubernetesPackages } from '../../generators/phases/node/kubernetes-packages.ts';
import { kubeadmCluster } from '../support/definitions/clusters.ts';
import { textOf } from '../support/definitions/phase-files.ts';

/** apt itself, with folders of its own, and a repository that somebody signs. */
const here = mkdtempSync(join(tmpdir(), 'playsmith-apt-'));
const at = (...names: readonly string[]): string => join(here, ...names);
const run = (program: string, ...words: readonly string[]): string =>
  execFileSync(program, words, {
    cwd: here,
    encoding: 'utf8',
    env: { ...process.env, GNUPGHOME: at('gnupg'), LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
const gpg = (...words: readonly string[]): string => run('gpg', '--batch', '--quiet', ...words);

function newKey(name: string): string {
  gpg('--passphrase', '', '--quick-gen-key', `${name} <${name}@example.org>`, 'rsa2048', 'sign', 'never');
  const listed = gpg('--with-colons', '--list-keys', name);
  return /^fpr:+([0-9A-F]{40}):/m.exec(listed)?.[1] ?? '';
}

/** The folder `repo`, signed by one of the keys. */
function publish(signer: string): void {
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  writeFileSync(at('repo', 'Packages'), '');
  writeFileSync(
    at('repo', 'Release'),
    `Origin: test\nDate: ${new Date().toUTCString()}\nSHA256:\n ${empty} 0 Packages\n`,
  );
  gpg('--yes', '-u', signer, '--clearsign', '-o', at('repo', 'InRelease'), at('repo', 'Release'));
}

/** What apt answers where the source is the one that the phase writes for that fingerprint. */
function update(repositoryKey: string): string {
  const usual = kubeadmCluster();
  const given = { ...usual, kubernetes: { ...usual.kubernetes, repositoryKey } };
  const source = textOf(
    kubernetesPackages,
    given,
    'files/kubernetes-packages/etc/apt/sources.list.d/playsmith-kubernetes.list',
  )
    .replace('/etc/apt/keyrings/playsmith-kubernetes.asc', at('Release.key'))
    .replace(/https:\S+/, `file:${at('repo')}`);
  rmSync(at('apt'), { recursive: true, force: true });
  for (const folder of [
    'etc/apt/sources.list.d',
    'var/lib/apt/lists/partial',
    'var/cache/apt/archives/partial',
  ])
    mkdirSync(at('apt', folder), { recursive: true });
  writeFileSync(at('apt', 'status'), '');
  writeFileSync(at('apt', 'etc/apt/sources.list.d/playsmith-kubernetes.list'), source);
  const options = [`Dir=${at('apt')}`, `Dir::State::status=${at('apt', 'status')}`, 'APT::Sandbox::User='];
  try {
    return run('apt-get', ...options.flatMap((option) => ['-o', option]), 'update');
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr);
  }
}

let ours = '';
let theirs = '';

beforeAll(() => {
  mkdirSync(at('gnupg'), { mode: 0o700 });
  mkdirSync(at('repo'));
  ours = newKey('ours');
  theirs = newKey('theirs');
  // Whoever stands between host and publisher answers with a key file of both.
  writeFileSync(at('Release.key'), gpg('--armor', '--export', ours, theirs));
});

afterAll(() => {
  run('gpgconf', '--kill', 'all');
  rmSync(here, { recursive: true, force: true });
});

test('apt takes packages that the key with that fingerprint signed', () => {
  publish(ours);
  expect(update(ours)).toMatch(/Reading package lists/);
});

test('apt refuses what another key of the same file signed', () => {
  publish(theirs);
  expect(update(ours)).toMatch(/is not signed/);
});
