import { afterAll, beforeAll, expect, test } from 'vitest';
import { down, type Lab } from '../../tasks/lab/index.ts';
import { guarded, newKey, otherwise, storedSecrets } from '../support/encryption.ts';
import { kubectl } from '../support/kubernetes.ts';
import { definitionOf, must, on, raiseLab } from '../support/lab.ts';
import { project, recapOf, type Ended, type Project } from '../support/project.ts';

const name = 'keys';
const keyVariable = 'LAB_ENCRYPTION_KEY';
let lab: Lab;
let here: Project;

beforeAll(async () => {
  lab = await raiseLab(name, { kubernetes: true });
  process.env[keyVariable] = newKey();
  here = await project(guarded(definitionOf(lab), keyVariable));
  for (const words of [['render'], ['run', '--json']]) {
    const ended = await here.task(...words);
    expect(ended.status, ended.said).toBe(0);
  }
  await kubectl(lab, 'cp1', 'create', 'secret', 'generic', 'treasure', '--from-literal=word=open-sesame');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

const changes = (ended: Ended): Record<string, number> =>
  Object.fromEntries(
    Object.entries(recapOf(ended).recap).flatMap(([host, { changed }]) =>
      changed > 0 ? [[host, changed]] : [],
    ),
  );

const servingCertificate = (host: string): Promise<string> =>
  on(
    lab,
    host,
    'sh',
    '-c',
    'echo | openssl s_client -connect 127.0.0.1:6443 2>/dev/null | openssl x509 -noout -serial',
  );

test('stores every Secret under another key when it is given one, and says so until then', async () => {
  const key = newKey();
  process.env[keyVariable] = key;
  const refused = await here.task('run', 'control-plane');
  expect(refused.status).toBe(20);
  expect(refused.stderr).toContain('npx task run encryption-key');
  const ended = await here.task('run', 'encryption-key', '--json');
  expect(ended.status, ended.said).toBe(0);
  expect(otherwise(await storedSecrets(lab, 'cp3'), key)).toEqual([]);
  const read = ['get', 'secret', 'treasure', '--output', 'jsonpath={.data.word}'];
  expect(await kubectl(lab, 'cp2', ...read)).toBe(Buffer.from('open-sesame').toString('base64'));
  const again = await here.task('run', 'encryption-key', '--json');
  expect(again.status, again.said).toBe(0);
  expect(changes(again)).toEqual({});
  expect(JSON.stringify([ended, again])).not.toContain(key);
});

test('renews certificates one control plane at a time, and nothing when none is due', async () => {
  const before = await servingCertificate('cp2');
  const renewed = await here.task('run', 'certificates', '--set', 'certificates_days=3650', '--json');
  expect(renewed.status, renewed.said).toBe(0);
  expect(await servingCertificate('cp2')).not.toBe(before);
  const again = await here.task('run', 'certificates', '--json');
  expect(changes(again)).toEqual({});
  const verified = await here.task('run', 'verify', '--json');
  expect(verified.status, verified.said).toBe(0);
});
