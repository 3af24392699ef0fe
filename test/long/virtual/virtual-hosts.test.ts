import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  describe as describeLab,
  down,
  exec,
  faults,
  openLab,
  rebuild,
  sshArgv,
  status,
  up,
  type Lab,
} from '../../../lab/index.ts';
import { endMachines } from '../../../lab/hosts/virtual/processes.ts';
import { program } from '../../../tasks/runtime/program.ts';
import { definitionOf, must, on, raiseLab, until } from '../../support/hosts/lab.ts';
import { changes, project, type Ended, type Project } from '../../support/project.ts';
import { addressOf, inShell, lost, reboot, runByQemu } from '../../support/hosts/virtual-hosts.ts';

const name = 'virtual';
const quiet = (): void => undefined;
let lab: Lab;
let here: Project;

// The storage server has Debian 12, the worker Debian 13; the control plane is a container of Debian 13.
beforeAll(async () => {
  lab = await raiseLab(name, {
    ...{ controlPlanes: 1, workers: 1, standInApi: false },
    volumes: [{ megabytes: 64 }, { megabytes: 128 }],
    virtual: ['storage1', 'worker1'],
    debian13: ['cp1', 'worker1'],
  });
  here = await project(definitionOf(lab));
  await here.done('render');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
  expect(await runByQemu(lab)).toEqual([]);
});

const stateOf = async (host: string): Promise<string | undefined> =>
  must(await status(name)).hosts.find((each) => each.name === host)?.state;

describe('a host that is a virtual machine', () => {
  test.each([
    ['storage1', '12'],
    ['worker1', '13'],
  ])(
    '%s runs the kernel of Debian %s, with all that a container shares with the machine',
    async (host, debian) => {
      const found = await inShell(lab, host, '. /etc/os-release; echo $VERSION_ID $(uname -r) $(hostname)');
      expect(found).toMatch(new RegExp(`^${debian} \\S+-cloud-amd64 ${host}$`));
      expect(await on(lab, host, 'stat', '--file-system', '--format=%T', '/sys/fs/cgroup')).toBe('cgroup2fs');
      expect(await on(lab, host, 'cat', '/sys/fs/cgroup/cgroup.controllers')).toMatch(/cpu .*memory .*pids/);
      await on(lab, host, 'modprobe', '--all', 'ip_vs', 'nfsd', 'ipip', 'wireguard', 'sch_netem');
      expect(await on(lab, host, 'cat', '/sys/module/apparmor/parameters/enabled')).toBe('Y');
      expect(await on(lab, host, 'systemctl', 'is-system-running')).toBe('running');
    },
  );

  test('stands beside containers of another Debian', async () => {
    expect(await inShell(lab, 'cp1', '. /etc/os-release; echo $VERSION_ID')).toBe('13');
    expect(await on(lab, 'cp1', 'systemctl', 'is-system-running')).toBe('running');
    expect(await runByQemu(lab)).toEqual(['storage1', 'worker1']);
    expect(must(await status(name)).hosts.map(({ state }) => state)).toEqual(Array(5).fill('running'));
  });

  test('has volumes as a server of OpenStack sees them: the first twenty characters of their ids', async () => {
    const { cinderVolumes = [] } = describeLab(lab);
    const shown = await on(lab, 'storage1', 'lsblk', '--noheadings', '--raw', '--output', 'NAME,SIZE,SERIAL');
    const [first = '', second = ''] = cinderVolumes.map((id) => id.slice(0, 20));
    expect(shown.split('\n').slice(1)).toEqual([`vdb 64M ${first}`, `vdc 128M ${second}`]);
    const link = await on(lab, 'storage1', 'readlink', '-f', `/dev/disk/by-id/virtio-${second}`);
    expect(link).toBe('/dev/vdc');
  });

  test('is reached with its pinned key, by the person who runs the lab and by Ansible', async () => {
    const argv = must(sshArgv(lab, 'worker1', ['hostname; cat']));
    const told = await program(argv, { input: 'and by input\n' });
    expect(told.ok && told.value.stdout).toBe('worker1\nand by input\n');
    const asked = await here.task('doctor');
    expect(asked.status, asked.said).toBe(0);
    const pinged = await here.task('run', 'nfs-client', '--check', '--json');
    expect(pinged.status, pinged.said).toBe(0);
  });

  test('runs what the lab asks for as root, without the network: input, output, status, time', async () => {
    const sent = await exec(lab, 'worker1', ['sh', '-c', 'id -un; cat; echo wrong >&2; exit 3'], {
      input: 'ä'.repeat(50_000),
    });
    expect(sent).toMatchObject({ ok: false, failure: { message: 'sh on worker1: sh ended with status 3' } });
    const back = await exec(lab, 'worker1', ['cat'], { input: 'ä'.repeat(50_000) });
    expect(back).toMatchObject({ ok: true, value: { stdout: 'ä'.repeat(50_000), stderr: '' } });
    const slow = await exec(lab, 'worker1', ['sleep', '60'], { timeout: 1 });
    expect(slow).toMatchObject({ ok: false });
    const many = await Promise.all(Array.from({ length: 8 }, (_, n) => on(lab, 'worker1', 'echo', `${n}`)));
    expect(many).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
  });
});

describe('a fault of the lab in a virtual machine', () => {
  test('reboots and powers off for real, and what it wrote is there', async () => {
    await inShell(lab, 'worker1', 'echo kept > /root/file; sync');
    await reboot(lab, 'worker1');
    expect(await on(lab, 'worker1', 'cat', '/root/file')).toBe('kept');
    await on(lab, 'worker1', 'systemctl', '--no-block', 'poweroff');
    await until('it is off', async () => (await stateOf('worker1')) === 'off', 120);
    expect(await lost(lab, 'client', 'worker1')).toBe(100);
    must(await up({ name, shape: lab.state.shape }, quiet));
    expect(await on(lab, 'worker1', 'cat', '/root/file')).toBe('kept');
    expect(await lost(lab, 'client', 'worker1')).toBe(0);
  });

  test('loses its power, and all of them do when the machine of the lab restarts', async () => {
    must(await faults.power.inject(lab, { host: 'worker1' }));
    must(await faults.power.inject(lab, { host: 'worker1' }));
    expect(await stateOf('worker1')).toBe('off');
    expect(await runByQemu(lab)).toEqual(['storage1']);
    must(await faults.power.undo(lab, { host: 'worker1' }));
    expect(await stateOf('worker1')).toBe('running');
    await endMachines(lab.engine.place, name);
    expect([await stateOf('worker1'), await stateOf('storage1')]).toEqual(['off', 'off']);
    must(await up({ name, shape: lab.state.shape }, quiet));
    expect(await runByQemu(lab)).toEqual(['storage1', 'worker1']);
    expect(await lost(lab, 'storage1', 'worker1')).toBe(0);
  });

  test('freezes and goes on', async () => {
    must(await faults.freeze.inject(lab, { host: 'worker1' }));
    must(await faults.freeze.inject(lab, { host: 'worker1' }));
    expect(await stateOf('worker1')).toBe('frozen');
    expect(await lost(lab, 'client', 'worker1')).toBe(100);
    must(await up({ name, shape: lab.state.shape }, quiet));
    expect(await stateOf('worker1')).toBe('running');
    must(await faults.freeze.undo(lab, { host: 'worker1' }));
    await until('it answers again', async () => (await lost(lab, 'client', 'worker1')) === 0);
  });

  test('has its cable pulled, which it sees, and plugged in', async () => {
    must(await faults.link.inject(lab, { host: 'worker1' }));
    expect(await lost(lab, 'client', 'worker1')).toBe(100);
    await until('it sees it', async () => (await on(lab, 'worker1', 'cat', carrier)) === '0');
    must(await faults.link.undo(lab, { host: 'worker1' }));
    await until('it answers again', async () => (await lost(lab, 'client', 'worker1')) === 0);
    expect(await on(lab, 'worker1', 'ip', 'route', 'show', 'default')).toContain('via');
  });

  test('hears some hosts no more, loses packets, and has a thin line', async () => {
    const parted = { between: ['worker1'], and: ['storage1', 'cp1'], only: 'all' } as const;
    must(await faults.partition.inject(lab, parted));
    expect(await lost(lab, 'worker1', 'storage1')).toBe(100);
    expect(await lost(lab, 'cp1', 'worker1')).toBe(100);
    expect(await lost(lab, 'client', 'worker1')).toBe(0);
    must(await faults.partition.undo(lab, parted));
    expect(await lost(lab, 'worker1', 'storage1')).toBe(0);
    must(await faults.loss.inject(lab, { host: 'worker1', percent: 100 }));
    expect(await lost(lab, 'client', 'worker1')).toBe(100);
    must(await faults.loss.undo(lab, { host: 'worker1', percent: 100 }));
    must(await faults.slow.inject(lab, { host: 'worker1', kilobits: 24 }));
    expect(await on(lab, 'worker1', 'tc', 'qdisc', 'show', 'dev', 'eth0')).toContain('24Kbit');
    must(await faults.slow.undo(lab, { host: 'worker1', kilobits: 24 }));
    expect(await lost(lab, 'client', 'worker1')).toBe(0);
  });
});

/** Renders the definition with the second volume of the storage server, and runs a playbook. */
async function run(playbook: string): Promise<Ended> {
  const [first = '', second = ''] = describeLab(lab).cinderVolumes ?? [];
  await here.define(definitionOf(lab).replace(first, second));
  await here.done('render');
  return here.task('run', playbook, '--json');
}

async function expectNothingChanged(playbook: string): Promise<void> {
  const ended = await run(playbook);
  expect(ended.status, ended.said).toBe(0);
  expect(changes(ended)).toEqual({});
}

describe('a storage server with the NFS server of its own kernel', () => {
  const onWorker = (script: string): Promise<string> =>
    inShell(lab, 'worker1', `${mountIt(addressOf(lab, 'storage1'))}\n${script}`);

  test('finds its volume by the id that Cinder gave it, and serves it', async () => {
    const ended = await run('nfs-server');
    expect(ended.status, ended.said).toBe(0);
    expect(
      await on(lab, 'storage1', 'findmnt', '--noheadings', '--output', 'SOURCE,FSTYPE', '/volume'),
    ).toMatch(/^\/dev\/vdc +ext4$/);
    expect(await on(lab, 'storage1', 'systemctl', 'is-active', 'nfs-server')).toBe('active');
    expect(await on(lab, 'storage1', 'cat', '/proc/fs/nfsd/versions')).toContain('+4.2');
    const exported = await on(lab, 'storage1', 'exportfs', '-v');
    expect(exported).toContain('/volume/pv1');
    expect(exported).toContain(lab.state.subnet);
  });

  test('is mounted by the kernel of a worker as NFS 4.2, as every node proves for itself', async () => {
    const ended = await run('nfs-client');
    expect(ended.status, ended.said).toBe(0);
    const seen = await onWorker(
      'findmnt --noheadings --output FSTYPE,OPTIONS /mnt; echo precious > /mnt/kept; sync; cat /mnt/kept',
    );
    expect(seen).toMatch(/^nfs4 .*vers=4\.2[\s\S]*\nprecious$/);
    expect(await on(lab, 'storage1', 'cat', '/volume/pv1/kept')).toBe('precious');
  });

  test('changes nothing the second time', async () => {
    await expectNothingChanged('nfs-server');
    await expectNothingChanged('nfs-client');
  });

  test('serves the same files after it has rebooted, also to a mount that waited', async () => {
    await reboot(lab, 'storage1');
    expect(await on(lab, 'storage1', 'systemctl', 'is-system-running')).toBe('running');
    expect(await onWorker('cat /mnt/kept; echo more > /mnt/later; cat /mnt/later')).toBe('precious\nmore');
    await expectNothingChanged('nfs-server');
  });

  test('that is rebuilt with the same volume serves the same files', async () => {
    must(await rebuild(name, 'storage1'));
    lab = must(await openLab(name));
    expect(await inShell(lab, 'storage1', 'ls -A /volume 2>/dev/null || echo nothing')).toBe('nothing');
    const rebuilt = await run('nfs-server');
    expect(rebuilt.status, rebuilt.said).toBe(0);
    expect(await onWorker('cat /mnt/kept')).toBe('precious');
    await expectNothingChanged('nfs-server');
  });
});

/** Writes as the exports' owner, because root of a client is nobody there. */
const mountIt = (server: string): string =>
  `mountpoint --quiet /mnt || mount -t nfs -o vers=4.2 ${server}:/volume/pv1 /mnt`;

const carrier = '/sys/class/net/eth0/carrier';
