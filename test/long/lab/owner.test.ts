import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { down, type Lab } from '../../../lab/index.ts';
import { definitionOf, must, on, raiseLab } from '../../support/hosts/lab.ts';
import { changes, project, type Project } from '../../support/project.ts';

const name = 'own';
const copy = 'own-copy';
let lab: Lab;
let owner: Project;
let other: Project;

const named = (to: string): string => definitionOf(lab).replace(`name: ${name}`, `name: ${to}`);

beforeAll(async () => {
  lab = await raiseLab(name);
  owner = await project(definitionOf(lab));
  await owner.done('render');
  other = await project(named(copy));
  await other.done('render');
});

afterAll(async () => {
  await owner.remove();
  await other.remove();
  must(await down(name));
});

const mark = (host: string): Promise<string> => on(lab, host, 'cat', '/etc/playsmith/owner.json');
/** What a person types who has nothing but the bundle. */
const plain = `cd ~/playsmith/bundles/${copy}/*/ && PATH=$PATH:~/playsmith/venv/bin ansible-playbook haproxy.yml -e vault_ssh_become_password=none; true`;
/** Everything below /etc that a run could change, with its times. */
const state = (): Promise<string[]> =>
  Promise.all(
    ['cp1', 'cp2', 'cp3'].map((host) =>
      on(lab, host, 'sh', '-c', 'find /etc -type f -printf "%p %T@ %s\\n" | sort | sha256sum'),
    ),
  );

describe('a host', () => {
  test('is nobody’s until a run that changes it marks it, for everybody to read', async () => {
    await owner.done('run', 'preflight');
    expect(await on(lab, 'cp1', 'sh', '-c', 'ls /etc/playsmith 2>&1; true')).toContain('No such file');
    await owner.done('run', 'haproxy');
    expect(JSON.parse(await mark('cp1'))).toMatchObject({ cluster: name, uid: '' });
    expect(await on(lab, 'cp2', 'stat', '--format=%a %U', '/etc/playsmith/owner.json')).toBe('644 root');
  });

  test('is left alone by a definition of another name: by a run, in check mode, by drift and by plain Ansible', async () => {
    const before = await state();
    for (const words of [['run', 'keepalived'], ['run', '--check'], ['drift']]) {
      const refused = await other.task(...words);
      expect(refused.status).not.toBe(0);
      expect(refused.stderr + refused.stdout).toContain(`belongs to the cluster ${name} since 20`);
      expect(refused.stderr + refused.stdout).toContain(`npx task owner adopt --from ${name}`);
    }
    const byHand = await on(lab, 'ansible', 'su', 'ops', '-c', plain);
    expect(byHand.replaceAll(/\s+/g, ' ')).toContain(`belongs to the cluster ${name} since 20`);
    expect(await state()).toEqual(before);
  });

  test('that belongs to nobody is not marked while another one is refused', async () => {
    await on(lab, 'cp2', 'rm', '-r', '/etc/playsmith');
    expect((await other.task('run', 'haproxy')).status).toBe(20);
    expect(await on(lab, 'cp2', 'sh', '-c', 'ls /etc/playsmith 2>&1; true')).toContain('No such file');
  });

  test('that lost its mark is found by drift, and marked by the next run; from another clone as well', async () => {
    const clone = await project(definitionOf(lab));
    await clone.done('render');
    expect((await clone.task('drift')).stdout).toContain('Claim unowned hosts');
    const again = await clone.done('run', 'haproxy', '--json');
    await clone.remove();
    expect(changes(again)).toEqual({ cp2: 1 });
    expect(JSON.parse(await mark('cp2'))).toMatchObject({ cluster: name });
  });
});

describe('the owner', () => {
  test('is shown, and changed by whoever names it alone', async () => {
    const shown = await other.done('owner');
    expect(shown.stderr + shown.stdout).toContain(`cp1 belongs to the cluster ${name} since 20`);
    const before = await state();
    expect((await other.task('owner', 'adopt', '--from', 'somebody')).status).toBe(20);
    expect((await other.task('owner', 'release')).status).toBe(20);
    expect(await state()).toEqual(before);
    await other.done('owner', 'adopt', '--from', name);
    expect(JSON.parse(await mark('cp1'))).toMatchObject({ cluster: copy });
    expect((await owner.task('run', 'haproxy')).status).toBe(20);
  });

  test('hands its hosts back, and they are free for another one', async () => {
    await other.done('owner', 'release');
    expect(await on(lab, 'cp1', 'sh', '-c', 'ls /etc/playsmith 2>&1; true')).toContain('No such file');
    await owner.done('run', 'haproxy');
    expect(JSON.parse(await mark('cp1'))).toMatchObject({ cluster: name });
  });
});
