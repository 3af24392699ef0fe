import { existsSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describe as describeLab, down, openLab, up, type Lab, type LabShape } from '../../lab/index.ts';
import { place } from '../../lab/machine/place.ts';
import { defaultShape } from '../../lab/state/shape.ts';
import { definitionOf, killHosts, must, on, raiseLab } from '../support/hosts/lab.ts';
import { project, type Project } from '../support/project.ts';

const name = 'bare';
const shape: LabShape = { ...defaultShape, ansibleServer: 'bare', controlPlanes: 3, client: false };
let lab: Lab;
let here: Project;

beforeAll(async () => {
  lab = await raiseLab(name, shape);
  here = await project(definitionOf(lab));
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

test('hosts know themselves and the others by files that everybody may read', async () => {
  const files = ['/etc/hosts', '/etc/hostname', '/etc/machine-id'];
  expect(await on(lab, 'cp1', 'stat', '--format=%a %U', ...files)).toBe('644 root\n644 root\n644 root');
});

describe('a bare Ansible server, machines whose keys nobody has pinned', () => {
  test('doctor says what is missing and how to get it', async () => {
    await here.task('render');
    const ended = await here.task('doctor');
    expect(ended.status).toBe(23);
    expect(ended.stdout).toContain('npx task bootstrap');
  });

  test('a run says so as well, and leaves no lock', async () => {
    const ended = await here.task('run', 'preflight');
    expect(ended.status).toBe(13);
    expect(ended.stderr).toContain('npx task bootstrap');
  });

  test('bootstrap asks before it installs, then makes the server fit', async () => {
    const asked = await here.task('bootstrap');
    expect(asked.status).toBe(2);
    expect(asked.stderr).toContain('bootstrap.sh');
    await here.done('bootstrap', '--yes');
    const ended = await here.task('doctor');
    expect(ended.status, ended.stdout).toBe(0);
    await here.done('bootstrap', '--yes');
  });

  test('trust shows the keys, and writes them only when told', async () => {
    const { hosts: keys } = describeLab(lab);
    const bare = definitionOf(lab)
      .replaceAll(/ {4}ssh: \{ hostKey: .*\n/g, '')
      .replace(/ {2}hostKey: .*\n/, '');
    await here.define(bare);
    await here.task('render');
    const refused = await here.task('run', 'preflight');
    expect(refused.status).toBe(12);
    expect(refused.stderr).toContain('npx task trust');
    expect((await here.task('trust')).status).toBe(2);
    expect(await readFile(join(here.folder, 'cluster.yml'), 'utf8')).toBe(bare);
    await here.done('trust', '--yes');
    const written = await readFile(join(here.folder, 'cluster.yml'), 'utf8');
    for (const { hostKey } of keys) expect(written).toContain(hostKey);
    await here.task('render');
    await here.done('run', 'preflight');
  });

  test('a machine that shows another key is refused by name, and trusted again only when it is named', async () => {
    const [cp1, cp2] = describeLab(lab).hosts.filter(({ roles }) => roles.includes('control-plane'));
    const text = await readFile(join(here.folder, 'cluster.yml'), 'utf8');
    await here.define(text.replace(cp1?.hostKey ?? '', cp2?.hostKey ?? ''));
    const doctor = await here.task('doctor');
    expect(doctor.status).toBe(23);
    expect(doctor.stdout).toContain('ANOTHER host key');
    await here.task('render');
    expect((await here.task('run', 'preflight')).status).toBe(21);
    expect((await here.task('trust', '--yes')).status).toBe(12);
    await here.done('trust', 'cp1', '--yes');
    expect(await readFile(join(here.folder, 'cluster.yml'), 'utf8')).toBe(text);
  });
});

describe('a lab whose hosts were killed with what watches over them', () => {
  test('is said to be off, and starts again', async () => {
    await killHosts(lab);
    const told = await here.done('lab', 'status', '--name', name);
    expect(told.stdout.match(/\boff$/gm)).toHaveLength(4);
    must(await up({ name, shape }, () => undefined));
    await here.task('render');
    await here.done('run', 'preflight');
  });
});

describe('disks of hosts that podman forgot while it removed them', () => {
  const volume = join(place().podman, 'volumes', `playsmith_${name}_cp1_etcd`);
  const leave = (): void => {
    mkdirSync(join(volume, '_data/member'), { recursive: true });
  };

  test('are not given to new hosts, and go with the lab', async () => {
    must(await down(name));
    leave();
    must(await up({ name, shape }, () => undefined));
    expect(await on(must(await openLab(name)), 'cp1', 'ls', '-A', '/var/lib/etcd')).toBe('');
    must(await down(name));
    leave();
    must(await down(name));
    expect(existsSync(volume)).toBe(false);
  });
});
