import { afterAll, beforeAll, expect, test } from 'vitest';
import { down, type Lab } from '../../lab/index.ts';
import { guarded, newKey, otherwise, storedSecrets } from '../support/hosts/encryption.ts';
import { kubectl, readiness } from '../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab, until } from '../support/hosts/lab.ts';
import { changes, project, type Project } from '../support/project.ts';

const name = 'asked';
const controlPlanes = ['cp1', 'cp2', 'cp3'];
const allReady = [...controlPlanes, 'worker1', 'worker2'].map((node) => `${node}=True`).join(' ');
const keyVariable = 'LAB_ENCRYPTION_KEY';
let lab: Lab;
let here: Project;

beforeAll(async () => {
  lab = await raiseLab(name, { kubernetes: true, workers: 2 });
  process.env[keyVariable] = newKey();
  here = await project(guarded(definitionOf(lab), keyVariable));
  for (const words of [['render'], ['run', '--json']]) {
    await here.done(...words);
  }
  await kubectl(lab, 'cp1', 'create', 'secret', 'generic', 'treasure', '--from-literal=word=open-sesame');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

const servingCertificate = (host: string): Promise<string> =>
  on(
    lab,
    host,
    'sh',
    '-c',
    'echo | openssl s_client -connect 127.0.0.1:6443 2>/dev/null | openssl x509 -noout -serial',
  );

test.each([['--check'], ['control-plane'], ['--tags', 'node-prerequisites,verify']])(
  'what was just brought is left as it is by run %s',
  async (...words) => {
    expect(changes(await here.done('run', ...words, '--json'))).toEqual({});
  },
);

test('encryption-key stores every Secret under another key when it is given one, and says so until then', async () => {
  const key = newKey();
  process.env[keyVariable] = key;
  const refused = await here.task('run', 'control-plane');
  expect(refused.status).toBe(20);
  expect(refused.stderr).toContain('npx task run encryption-key');
  const ended = await here.done('run', 'encryption-key', '--json');
  expect(otherwise(await storedSecrets(lab, 'cp3'), key)).toEqual([]);
  const read = ['get', 'secret', 'treasure', '--output', 'jsonpath={.data.word}'];
  expect(await kubectl(lab, 'cp2', ...read)).toBe(Buffer.from('open-sesame').toString('base64'));
  const again = await here.done('run', 'encryption-key', '--json');
  expect(changes(again)).toEqual({});
  expect(JSON.stringify([ended, again])).not.toContain(key);
});

test('certificates renews certificates one control plane at a time, and nothing when none is due', async () => {
  const before = await servingCertificate('cp2');
  await here.done('run', 'certificates', '--set', 'certificates_days=3650', '--json');
  expect(await servingCertificate('cp2')).not.toBe(before);
  const again = await here.task('run', 'certificates', '--json');
  expect(changes(again)).toEqual({});
  await here.done('run', 'verify', '--json');
});

test('etcd-restore brings back what a snapshot holds after etcd was destroyed everywhere', async () => {
  await kubectl(lab, 'cp1', 'create', 'configmap', 'before-the-snapshot');
  await here.done('run', 'etcd-backup', '--json');
  await kubectl(lab, 'cp1', 'create', 'configmap', 'after-the-snapshot');
  for (const host of controlPlanes)
    await on(
      lab,
      host,
      'sh',
      '-c',
      'mv /etc/kubernetes/manifests/etcd.yaml /root/; sleep 3; rm -rf /var/lib/etcd/member; mv /root/etcd.yaml /etc/kubernetes/manifests/',
    );
  const refused = await here.task('run', 'etcd-restore', '--json');
  expect(refused.status).toBe(2);
  await here.done(
    'run',
    'etcd-restore',
    '--set',
    'etcd_restore_snapshot=latest',
    '--set',
    `etcd_restore_confirm=${name}`,
    '--json',
  );
  await until('all are back', async () => (await readiness(lab, 'cp2')) === allReady, 240);
  const kept = await kubectl(lab, 'cp3', 'get', 'configmaps', '--output', 'name');
  expect(kept).toContain('before-the-snapshot');
  expect(kept).not.toContain('after-the-snapshot');
  await here.done('run', 'verify', '--json');
});

test('reset takes one worker out, which a run then joins again', async () => {
  await here.done('run', 'reset', '--limit', 'worker2', '--set', `reset_confirm=${name}`, '--json');
  await here.done('run', '--json');
  expect(await readiness(lab, 'cp1')).toBe(allReady);
});
