import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { describe as describeLab, down, type Lab } from '../../../lab/index.ts';
import { bring, keptOf, plainIn, receivers, type Receivers } from '../../support/hosts/receivers.ts';
import { kubectl, readiness } from '../../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab, until } from '../../support/hosts/lab.ts';
import { project, type Ended, type Project } from '../../support/project.ts';

// One control plane of the lab; its client host is what lies elsewhere: an SFTP server, and Versity's S3 gateway over TLS.
const name = 'copies';
const scratch = mkdtempSync(join(tmpdir(), 'playsmith-age-'));
let lab: Lab;
let here: Project;
let far: Receivers;
let recipient: string;
let identity: string;

beforeAll(async () => {
  lab = await raiseLab(name, { kubernetes: true, controlPlanes: 1, standInApi: false });
  far = await receivers(lab);
  const [made, other] = [ageKey(), ageKey()];
  ({ recipient, identity } = made);
  Object.assign(process.env, {
    ...{ LAB_IDENTITY: other.identity, LAB_S3_ID: far.accessKeyId, LAB_S3_KEY: far.secretAccessKey },
  });
  here = await project(definitionOf(lab));
  await here.done('render');
  await here.done('run', '--json');
});

afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true });
  await here.remove();
  must(await down(name));
});

function ageKey(): { readonly identity: string; readonly recipient: string } {
  const made = execFileSync('age-keygen', { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return { identity: made, recipient: /public key: (\S+)/.exec(made)?.[1] ?? '' };
}

/** The lab's own definition with snapshots encrypted, and copied to both. */
function encrypted(): string {
  const document = parseDocument(definitionOf(lab));
  document.setIn(['installer', 'kubeadm', 'backup'], {
    keep: 3,
    encryptTo: [recipient],
    decryptWith: { env: 'LAB_IDENTITY' },
    copies: [
      { name: 'offsite', keep: 2, sftp: far.sftp },
      {
        name: 'bucket',
        keep: 3,
        s3: { ...far.s3, accessKeyId: { env: 'LAB_S3_ID' }, secretAccessKey: { env: 'LAB_S3_KEY' } },
      },
    ],
  });
  return document.toString();
}

/** The package of Debian, as nodes have it that reach a mirror. */
async function installAge(host: string): Promise<void> {
  if (readdirSync(scratch).length === 0)
    execFileSync('apt-get', ['download', '--quiet=2', 'age'], { cwd: scratch });
  const [deb = ''] = readdirSync(scratch);
  await bring(lab, host, { from: join(scratch, deb), to: '/root/age.deb' });
  await on(lab, host, 'dpkg', '--install', '/root/age.deb');
}

const said = (ended: Ended): string => ended.stderr + JSON.stringify(ended.events);
const restore = (...more: readonly string[]): Promise<Ended> =>
  here.task('restore', '--set', 'etcd_restore_snapshot=latest', ...more, '--confirm', name, '--json');

test('an older snapshot in plain text is told, and encrypted once the server can; nothing else is plain meanwhile', async () => {
  await here.done('backup', '--json');
  expect(await plainIn(lab)).toHaveLength(1);
  await here.define(encrypted());
  await here.done('render');
  await installAge('cp1');
  await kubectl(lab, 'cp1', 'create', 'configmap', 'before-the-snapshot');
  const first = await here.task('backup', '--json');
  expect(first.status).toBe(20);
  expect(said(first)).toContain('are not encrypted yet');
  expect(await far.atSftp()).toHaveLength(1);

  await installAge('ansible');
  await here.done('backup', '--json');
  expect(await plainIn(lab)).toEqual([]);
  expect(await keptOf(lab)).toHaveLength(3);
  expect(await far.atSftp()).toHaveLength(2);
  expect(await far.atS3()).toEqual(await far.atSftp());
  const about = JSON.parse(await far.about()) as Readonly<Record<string, unknown>>;
  expect(about).toMatchObject({ encryptedTo: [recipient] });
  expect(about['revision']).toBeGreaterThan(0);
  expect(
    await on(
      lab,
      'cp1',
      'sh',
      '-c',
      'ls -d /var/lib/playsmith-snapshot* /var/lib/playsmith-restore* /run/playsmith-restore* 2>/dev/null || true',
    ),
  ).toBe('');
});

test('a copy that does not answer is named, and the other one is made', async () => {
  await far.stopS3();
  const ended = await here.task('backup', '--json');
  expect(ended.status).toBe(20);
  expect(said(ended)).toMatch(/is whole on this Ansible server, but 1 of 2 copies failed: bucket: .*refused/);
  expect(await far.atSftp()).not.toEqual(await far.atS3());
  await far.startS3();
  await here.done('backup', '--json');
});

test('with the data of etcd and the server’s snapshots lost, the cluster comes back from the bucket by its private key alone', async () => {
  await kubectl(lab, 'cp1', 'create', 'configmap', 'after-the-snapshot');
  const lose =
    'mv /etc/kubernetes/manifests/etcd.yaml /root/; sleep 3; rm -rf /var/lib/etcd/member; mv /root/etcd.yaml /etc/kubernetes/manifests/';
  await on(lab, 'cp1', 'sh', '-c', lose);
  await far.loseKept();

  const wrong = await restore('--set', 'etcd_restore_from=bucket');
  expect(wrong.status).toBe(20);
  expect(said(wrong)).toContain('cannot be decrypted: no identity matched any of the recipients');
  expect(await on(lab, 'cp1', 'ls', '/etc/kubernetes/manifests')).toContain('etcd.yaml');

  process.env['LAB_IDENTITY'] = identity;
  const ended = await restore('--set', 'etcd_restore_from=bucket');
  expect(ended.status, ended.said).toBe(0);
  await until('the node is back', async () => (await readiness(lab, 'cp1')) === 'cp1=True', 240);
  const kept = await kubectl(lab, 'cp1', 'get', 'configmaps', '--output', 'name');
  expect(kept).toContain('before-the-snapshot');
  expect(kept).not.toContain('after-the-snapshot');
  const secret = identity.trim().split('\n').at(-1) ?? '';
  for (const each of [wrong, ended]) expect(said(each)).not.toContain(secret);
  const holding = `grep -rlaF ${secret} /home /root /var/lib/playsmith* /run /tmp /etc 2>/dev/null || true`;
  for (const host of ['ansible', 'cp1']) expect(await on(lab, host, 'sh', '-c', holding)).toBe('');
  expect(
    await on(
      lab,
      'cp1',
      'sh',
      '-c',
      'ls -d /var/lib/playsmith-snapshot* /var/lib/playsmith-restore* /run/playsmith-restore* /var/lib/etcd/*.db 2>/dev/null || true',
    ),
  ).toBe('');
});

test('what was fetched is kept by the server, for the next restore and for an upgrade’s question', async () => {
  expect(await keptOf(lab)).toHaveLength(1);
  await here.done('restore', '--set', 'etcd_restore_snapshot=latest', '--confirm', name, '--json');
  await here.done('verify', '--json');
  expect(readFileSync(join(here.folder, 'cluster.yml'), 'utf8')).not.toContain('AGE-SECRET');
  expect(describeLab(lab).name).toBe(name);
});
