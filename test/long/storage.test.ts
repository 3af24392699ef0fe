import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { containerName } from '../../lab/hosts/host-argv.ts';
import { describe as describeLab, down, exec, faults, openLab, up, type Lab } from '../../lab/index.ts';
import { definitionOf, must, on, raiseLab, until } from '../support/hosts/lab.ts';
import { project, recapOf, type Ended, type Project } from '../support/project.ts';

const name = 'storage';
const shape = {
  controlPlanes: 1,
  standInApi: false,
  volumes: [{ megabytes: 64 }, { megabytes: 32 }],
};
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

/** Renders the definition with something in it replaced, and runs a playbook. */
async function run(
  playbook: string,
  ...edits: readonly (readonly [string | RegExp, string])[]
): Promise<Ended> {
  const text = edits.reduce((changed, [from, to]) => changed.replace(from, to), definitionOf(lab));
  await here.define(text);
  await here.done('render');
  return here.task('run', playbook, '--json');
}

const inShell = (host: string, script: string): Promise<string> => on(lab, host, 'sh', '-euc', script);

const address = (host: string): string =>
  describeLab(lab).hosts.find((each) => each.name === host)?.address ?? '';

/** What comes of writing to the export from a host as a pod there would; empty when it works. */
async function writing(host: string): Promise<string> {
  const program = await readFile(join(here.folder, 'playbooks', name, 'files/nfs-client/use.py'), 'utf8');
  const file = { server: address('storage1'), path: '/volume/pv1', clients: [], access: 'rw', needed: true };
  const wanted = JSON.stringify({ exports: [file], address: address(host), name: host });
  const done = await exec(lab, host, ['python3', '-c', program, wanted], { timeout: 120 });
  return done.ok ? '' : JSON.stringify(done.failure);
}

function expectNothingChanged(ended: Ended): void {
  expect(ended.status, ended.said).toBe(0);
  for (const { changed } of Object.values(recapOf(ended).recap)) expect(changed).toBe(0);
}

const data = '/volume/pv1/kept';
const uuid = (): Promise<string> => inShell('storage1', 'blkid -p -s UUID -o value /dev/vdb');

describe('a storage server with a new volume', () => {
  test('a fresh volume is formatted, mounted, exported, and a node writes to it', async () => {
    const first = await run('nfs-server');
    expect(first.status, first.said).toBe(0);
    const client = await run('nfs-client');
    expect(client.status, client.said).toBe(0);
    expect(await inShell('storage1', 'findmnt --noheadings --output FSTYPE /volume')).toBe('ext4');
    expect(await inShell('storage1', 'stat --format "%U:%G %a" /volume/pv1')).toBe('nobody:nogroup 770');
    await inShell('storage1', `echo precious > ${data}`);
  });

  test('a second run changes nothing, and neither does a check', async () => {
    const before = await uuid();
    expectNothingChanged(await run('nfs-server'));
    expectNothingChanged(await run('nfs-client'));
    const check = await here.task('run', 'nfs-server', '--check', '--json');
    expectNothingChanged(check);
    expect(await uuid()).toBe(before);
    expect(await inShell('storage1', `cat ${data}; ls -A /volume/pv1`)).toBe('precious\nkept');
  });

  test('who is no client is refused, root of a client is nobody, and a node that lost its right says so', async () => {
    const only = [/to: [^ }\]]+/, `to: ${address('cp1')}`] as const;
    expect((await run('nfs-server', only)).status).toBe(0);
    expect(await writing('cp1')).toBe('');
    expect(await writing('client')).toContain('NFS4ERR');
    const wrong = [/to: [^ }\]]+/, 'to: 198.51.100.0/24'] as const;
    const known = [
      /( {2}exports: .*\n)/,
      '$1  persistentVolumes: [{ name: pv1, export: /volume/pv1, capacity: 1Gi, accessModes: [ReadWriteMany] }]\n',
    ] as const;
    expect((await run('nfs-server', wrong, known)).status).toBe(0);
    const refused = await run('nfs-client', wrong, known);
    expect(refused.status).toBe(20);
    expect(refused.stdout + refused.stderr).toContain('/volume/pv1');
    expect((await run('nfs-server')).status).toBe(0);
    expect(await writing('client')).toBe('');
  });

  test('PersistentVolumes are refused with the reason where there is no Kubernetes to tell', async () => {
    const refused = await run('persistent-volumes', [
      /( {2}exports: .*\n)/,
      '$1  persistentVolumes: [{ name: pv1, export: /volume/pv1, capacity: 1Gi, accessModes: [ReadWriteMany] }]\n',
    ]);
    expect(refused.status).toBe(20);
    expect(refused.stdout + refused.stderr).toContain('there is no /etc/kubernetes/admin.conf');
  });

  test('a missing device is told with those that are there, and nothing else happens', async () => {
    const missing = await run('nfs-server', ['/dev/vdb', '/dev/vdz']);
    expect(missing.status).toBe(20);
    expect(missing.stdout + missing.stderr).toContain('there is no device /dev/vdz');
  });

  test('a device that holds something else is refused, until it is given up word for word', async () => {
    await inShell('storage1', 'mkswap --label old /dev/vdc');
    const second = 'volumes: [{ device: /dev/vdb, mountTo: /volume }, { device: /dev/vdc, mountTo: /second';
    const alone = 'volumes: [{ device: /dev/vdb, mountTo: /volume }';
    const refused = await run('nfs-server', [alone, `${second} }`]);
    expect(refused.status).toBe(20);
    const said = refused.stdout + refused.stderr;
    const [, signature = ''] = /it holds (swap [\da-f-]+);/.exec(said) ?? [];
    expect(signature, said).not.toBe('');
    expect(await inShell('storage1', 'blkid -p -s LABEL -o value /dev/vdc')).toBe('old');
    const other = await run('nfs-server', [
      alone,
      `${second}, forceFormat: { device: /dev/vdc, signature: swap } }`,
    ]);
    expect(other.status).toBe(20);
    const forced = [
      alone,
      `${second}, forceFormat: { device: /dev/vdc, signature: "${signature}" } }`,
    ] as const;
    const given = await run('nfs-server', forced);
    expect(given.status, given.said).toBe(0);
    await inShell('storage1', 'echo new > /second/file');
    expectNothingChanged(await run('nfs-server', forced));
    expect(await inShell('storage1', 'cat /second/file')).toBe('new');
    const stayed = await run('nfs-server');
    expect(stayed.status, stayed.said).toBe(0);
    expect(stayed.stdout).toContain('/second is no volume of the definition any more');
  });

  test('raw data without any signature is refused as well', async () => {
    const third = [
      'device: /dev/vdb, mountTo: /volume }',
      'device: /dev/vdb, mountTo: /volume }, { device: /dev/vdc, mountTo: /third }',
    ] as const;
    await inShell(
      'storage1',
      'umount /second; systemctl disable --quiet second.mount; rm /etc/systemd/system/second.mount',
    );
    await inShell(
      'storage1',
      'dd if=/dev/zero of=/dev/vdc bs=1M count=32 status=none; echo raw | dd of=/dev/vdc status=none',
    );
    const refused = await run('nfs-server', third);
    expect(refused.status).toBe(20);
    expect(refused.stdout + refused.stderr).toContain('it holds data ');
    expect(await inShell('storage1', 'head -c 3 /dev/vdc')).toBe('raw');
  });

  test('a full disk is told by the node that cannot write, and by nobody else', async () => {
    await inShell('storage1', 'dd if=/dev/zero of=/volume/pv1/full bs=1M status=none 2>&1 || true');
    expectNothingChanged(await run('nfs-server'));
    const full = await run('nfs-client');
    expect(full.status).toBe(20);
    expect(full.stdout + full.stderr).toMatch(/NOSPC|No space left/);
    await inShell('storage1', 'rm /volume/pv1/full');
    expectNothingChanged(await run('nfs-client'));
  });

  test('a reboot brings everything back, and nothing is left to do', async () => {
    must(await faults.power.inject(lab, { host: 'storage1' }));
    must(await faults.power.undo(lab, { host: 'storage1' }));
    await until('the export is served again', async () => (await writing('cp1')) === '', 120);
    expect(await inShell('storage1', `cat ${data}`)).toBe('precious');
    expectNothingChanged(await run('nfs-server'));
  });

  test('a storage server that is built anew with the same volume serves the same files', async () => {
    const before = await uuid();
    const removed = await lab.engine.podman([
      'rm',
      '--force',
      '--time',
      '0',
      containerName(name, 'storage1'),
    ]);
    expect(removed.ok).toBe(true);
    must(await up({ name, shape: lab.state.shape }, () => undefined));
    lab = must(await openLab(name));
    expect(await inShell('storage1', 'ls -A /volume 2>/dev/null || echo nothing')).toBe('nothing');
    const rebuilt = await run('nfs-server');
    expect(rebuilt.status, rebuilt.said).toBe(0);
    expect(await uuid()).toBe(before);
    expect(await inShell('storage1', `cat ${data}`)).toBe('precious');
    expectNothingChanged(await run('nfs-server'));
    expectNothingChanged(await run('nfs-client'));
  });

  test('without its volume nothing is exported, and with it the files are there again', async () => {
    await inShell('storage1', 'systemctl stop nfs-ganesha; umount /volume; wipefs --all --quiet /dev/vdb');
    must(await faults.power.inject(lab, { host: 'storage1' }));
    // It says that not every service came up, as it should.
    await faults.power.undo(lab, { host: 'storage1' });
    const state =
      'systemctl is-system-running --wait > /dev/null || true; systemctl is-active nfs-ganesha || true';
    expect(await inShell('storage1', state)).not.toBe('active');
    const refused = await run('nfs-server');
    expect(refused.status).toBe(20);
    expect(refused.stdout + refused.stderr).toContain('/dev/vdb is not empty');
    await inShell(
      'storage1',
      String.raw`printf '\123\357' | dd of=/dev/vdb bs=1 seek=1080 conv=notrunc status=none`,
    );
    const again = await run('nfs-server');
    expect(again.status, again.said).toBe(0);
    expect(await inShell('storage1', `cat ${data}`)).toBe('precious');
    expect(await writing('cp1')).toBe('');
  });

  test('who is connected is told, and nothing changes by asking', async () => {
    const asked = await run('storage-use');
    expectNothingChanged(asked);
  });
});
