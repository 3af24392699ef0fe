import { mkdtemp, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe as suite, expect, it } from 'vitest';
import { ok } from '../../../generators/result.ts';
import { bridgeOf } from '../../../lab/hosts/network.ts';
import {
  defaultShape,
  describe,
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
import { withLock } from '../../../lab/machine/lock.ts';
import { place } from '../../../lab/machine/place.ts';
import { labNames, readState } from '../../../lab/state/state.ts';
import { program } from '../../../tasks/runtime/program.ts';
import { must, on } from '../../support/hosts/lab.ts';

const name = 'own-test';
const shape = { ...defaultShape, controlPlanes: 2, volumes: [{ megabytes: 32 }] };
const options = { name, shape, subnet: '10.99.77.0/24' };
const quiet = (): void => undefined;

/** Everything of the machine that a lab could leave something of, a line each; those of links say their hardware address. */
async function traces(): Promise<readonly string[]> {
  const shown = await Promise.all(
    [
      ['ip', '-oneline', 'link'],
      ['losetup', '--all'],
      ['iptables-save'],
      ['podman', 'ps', '--all', '--quiet'],
      ['podman', 'network', 'ls', '--quiet'],
      ['sh', '-c', 'find /sys/fs/cgroup -maxdepth 3 -path "*playsmith*"'],
      ['sysctl', 'fs.inotify.max_user_instances', 'net.ipv4.ip_forward'],
    ].map((argv) => program(argv)),
  );
  const lines = shown.flatMap((one) => (one.ok ? one.value.stdout.split('\n') : []));
  const links = lines.map((line) => line.replace(/^\d+: ([^:@]+).*link\/(\S+ \S+) .*/, 'link $1 $2'));
  const mounts = (await readFile('/proc/self/mounts', 'utf8'))
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  const namespaces = await readdir('/run/netns').catch(() => []);
  return [...links.filter((line) => !line.startsWith('#')), ...mounts, ...namespaces];
}

/** Words by which whatever a lab leaves can be told from what its neighbours have. */
async function marksOf({ engine, state }: Lab): Promise<readonly string[]> {
  const printed = async (shown: ReturnType<typeof program>): Promise<string> => {
    const ran = await shown;
    return ran.ok ? ran.value.stdout : '';
  };
  const bridge = (await bridgeOf(engine, state.name)) ?? 'none';
  const links = await Promise.all([
    printed(program(['ip', '-oneline', 'link', 'show', bridge])),
    printed(program(['ip', '-oneline', 'link', 'show', 'master', bridge])),
  ]);
  const filter = `name=^playsmith_${state.name}_`;
  const ids = await printed(engine.podman(['ps', '--all', '--quiet', '--filter', filter]));
  const format = '{{.Id}} {{.NetworkSettings.SandboxKey}} {{.GraphDriver.Data.MergedDir}}';
  const hosts = await printed(engine.podman(['inspect', '--format', format, ...ids.trim().split('\n')]));
  return [
    ...[...links.join('\n').matchAll(/link\/ether (\S+)/g)].map((match) => match[1] ?? ''),
    ...[...hosts.matchAll(/[\da-f]{64}|netns-[\da-f-]+/g)].map(([word]) => word),
  ];
}

suite('a lab', () => {
  const where = place();
  const marks = new Set([`labs/${name}/`, `playsmith-lab/${name}`, `playsmith_${name}`, '10.99.77.']);
  let before: Seen;
  let lab: Lab;

  interface Seen {
    readonly traces: readonly string[];
    readonly neighbours: readonly string[];
  }

  /** While no lab comes or goes. */
  const look = async (): Promise<Seen> =>
    must(
      await withLock(where, quiet, async () =>
        ok({ traces: await traces(), neighbours: await labNames(where) }),
      ),
    );

  beforeAll(async () => {
    must(await down(name, quiet));
    before = await look();
    must(await up(options, quiet));
    lab = must(await openLab(name));
  });

  afterEach(async () => {
    for (const mark of await marksOf(lab)) marks.add(mark);
  });

  afterAll(async () => {
    must(await down(name, quiet));
  });

  const address = (host: string): string =>
    describe(lab).hosts.find((one) => one.name === host)?.address ?? '';

  /** Percent of ten quick packets that get no answer. */
  async function lost(from: string, to: string): Promise<number> {
    const pinged = await exec(lab, from, ['ping', '-q', '-c', '10', '-i', '0.05', '-W', '1', address(to)]);
    const text = pinged.ok ? pinged.value.stdout : pinged.failure.evidence;
    return pinged.ok ? Number(/([\d.]+)% packet loss/.exec(text)?.[1]) : 100;
  }

  /** Runs a command on a host by SSH from the Ansible server, which knows only the pinned keys. */
  async function fromServer(command: string): Promise<string> {
    const ran = await program(must(sshArgv(lab, 'ansible', [command])), { timeout: 120 });
    if (!ran.ok) throw new Error(`${ran.failure.message}: ${ran.failure.stderr}`);
    return ran.value.stdout.trim();
  }

  it('has hosts whose systemd runs with nothing failed', async () => {
    for (const { name: host } of describe(lab).hosts) {
      expect(await on(lab, host, 'systemctl', 'is-system-running')).toBe('running');
      expect(await on(lab, host, 'systemctl', '--failed', '--no-legend')).toBe('');
    }
  });

  it('is the same lab after a second up', async () => {
    const again = must(await up(options, quiet));
    expect(again).toEqual(describe(lab));
  });

  it('refuses another shape under the same name', async () => {
    expect(await up({ name, shape: { ...shape, controlPlanes: 1 } }, quiet)).toMatchObject({
      ok: false,
      failure: { kind: 'lab', message: `The lab ${name} exists and has other hosts` },
    });
  });

  it('lets its Ansible server reach every host with the key it has and the host keys that are told', async () => {
    const { hosts, user, serverKeyPath } = describe(lab);
    const known = hosts.map((host) => `${host.address} ${host.hostKey}`).join('\n');
    await on(lab, 'ansible', 'sh', '-c', 'printf "%s\\n" "$1" >/tmp/known_hosts', 'sh', known);
    for (const host of hosts.filter(({ roles }) => !roles.includes('ansible'))) {
      const options = `-i ${serverKeyPath} -o StrictHostKeyChecking=yes -o UserKnownHostsFile=/tmp/known_hosts`;
      expect(await fromServer(`ssh ${options} ${user}@${host.address} hostname`)).toBe(host.name);
    }
  });

  it('has a user that becomes root with its password, and not without', async () => {
    const { passwords } = describe(lab);
    const sudo = ['sudo', '-u', 'ops', 'sudo', '-S', '-p', '', 'id', '-un'];
    expect(await exec(lab, 'cp1', sudo, { input: `${passwords.become}\n` })).toMatchObject({
      value: { stdout: 'root\n' },
    });
    expect(await exec(lab, 'cp1', ['sudo', '-u', 'ops', 'sudo', '-n', 'true'])).toMatchObject({ ok: false });
  });

  it('installs HAProxy by apt, and cannot reach any other network', async () => {
    await on(lab, 'cp1', 'apt-get', 'install', '--yes', '-q', 'haproxy', 'keepalived', 'psmisc');
    expect(await on(lab, 'cp1', 'haproxy', '-v')).toContain('HAProxy version 2.6');
    expect(await exec(lab, 'cp1', ['timeout', '2', 'bash', '-c', 'echo >/dev/tcp/1.1.1.1/53'])).toMatchObject(
      { ok: false },
    );
  });

  it('keeps the settings of the machine out of reach, and gives a host its own network settings', async () => {
    expect(await exec(lab, 'cp1', ['sh', '-c', 'echo 1 >/proc/sys/vm/swappiness'])).toMatchObject({
      ok: false,
    });
    expect(
      await on(
        lab,
        'cp1',
        'sh',
        '-c',
        'cd /proc/sys/net/ipv4; echo 1 >ip_nonlocal_bind; cat ip_nonlocal_bind',
      ),
    ).toBe('1');
    expect(await on(lab, 'cp1', 'cat', '/proc/sys/kernel/panic')).toBe('10');
    expect(await on(lab, 'cp1', 'cat', '/dev/kmsg')).toBe('');
    expect(await on(lab, 'cp1', 'findmnt', '-no', 'PROPAGATION', '/var/lib/kubelet')).toBe('shared');
  });

  it('gives its storage host a disk and no other one of the machine', async () => {
    await on(lab, 'storage1', 'mkfs.ext4', '-q', '/dev/vdb');
    await on(lab, 'storage1', 'mount', '/dev/vdb', '/mnt');
    await on(lab, 'storage1', 'sh', '-c', 'echo kept >/mnt/file');
    await on(lab, 'storage1', 'mknod', '/tmp/disk', 'b', '254', '0');
    expect(await exec(lab, 'storage1', ['head', '-c', '1', '/tmp/disk'])).toMatchObject({ ok: false });
    await on(lab, 'storage1', 'umount', '/mnt');
  });

  it('stands beside another lab', async () => {
    const other = must(
      await up({ name: `${name}-b`, shape: { ...shape, controlPlanes: 0, volumes: [] } }, quiet),
    );
    expect(other.subnet).not.toBe(describe(lab).subnet);
    must(await down(`${name}-b`, quiet));
    expect(must(await status(name)).hosts.filter(({ state }) => state === 'running')).toHaveLength(5);
  });

  it('comes and goes while Kubernetes is made for another, which leaves alone what took its name meanwhile', async () => {
    const kubernetes = join(await mkdtemp(join(tmpdir(), 'playsmith-lab-')), 'kubernetes');
    const other = `${name}-k`;
    const wanted = {
      name: other,
      shape: { ...defaultShape, controlPlanes: 1, kubernetes: true, standInApi: false },
    };
    const waited = await withLock(
      where,
      quiet,
      async () => {
        const building = up(wanted, quiet, { ...where, kubernetes });
        await expect.poll(() => readState(where, other), { timeout: 60_000 }).toBeDefined();
        must(await up(options, quiet));
        must(await down(other, quiet));
        must(await up({ name: other, shape: { ...defaultShape, controlPlanes: 0 } }, quiet));
        await symlink(where.kubernetes, kubernetes);
        return ok({ building });
      },
      'kubernetes.lock',
    );
    expect(await must(waited).building).toMatchObject({
      ok: false,
      failure: { message: `The lab ${other} was removed while it was being made` },
    });
    expect(
      must(await status(other))
        .hosts.map(({ roles }) => roles)
        .flat(),
    ).not.toContain('control-plane');
    must(await down(other, quiet));
  });

  it('is recreated when its keys are gone, and its hosts when podman lost them', async () => {
    const containers = ['rm', '--force', '--time', '0', `playsmith_${name}_cp2`];
    await lab.engine.podman(containers);
    must(await up(options, quiet));
    expect(await lost('client', 'cp2')).toBe(0);
    await program(['rm', '-r', `${lab.engine.place.labs}/${name}`]);
    const anew = must(await up(options, quiet));
    expect(anew.passwords).not.toEqual(describe(lab).passwords);
  });

  it('makes one host anew, which keeps its name, address, key and disk, and leaves the others as they are', async () => {
    for (const path of ['/etc/left', '/var/lib/etcd/left']) await on(lab, 'cp1', 'touch', path);
    await on(lab, 'storage1', 'sh', '-c', 'echo left | dd of=/dev/vdb conv=notrunc status=none');
    must(await faults.power.inject(lab, { host: 'cp2' }));
    const machine = await on(lab, 'cp1', 'cat', '/etc/machine-id');
    const shownKey = () => fromServer(`ssh-keyscan -t ed25519 ${address('cp1')} 2>/dev/null`);
    const key = await shownKey();
    expect(key).toContain('ssh-ed25519');
    for (const host of ['cp1', 'storage1']) must(await rebuild(name, host, quiet));
    expect(await on(lab, 'cp1', 'find', '/etc', '/var/lib/etcd', '-name', 'left')).toBe('');
    expect(await on(lab, 'cp1', 'cat', '/etc/machine-id')).not.toBe(machine);
    expect(await on(lab, 'storage1', 'head', '-c', '4', '/dev/vdb')).toBe('left');
    expect(await shownKey()).toBe(key);
    const { hosts } = must(await status(name));
    expect(hosts.filter(({ state }) => state !== 'running').map((host) => host.name)).toEqual(['cp2']);
    expect(await rebuild(name, 'cp9', quiet)).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('cp9') as string },
    });
  });

  it('goes away without a trace', async () => {
    must(await down(name, quiet));
    must(await down(name, quiet));
    const now = await look();
    const left = now.traces.filter((line) => !before.traces.includes(line));
    expect(left.filter((line) => [...marks].some((mark) => line.includes(mark)))).toEqual([]);
    expect(marks.size).toBeGreaterThan(20);
    // What is not of this lab may be of one that stands beside it.
    if (before.neighbours.length === 0 && now.neighbours.length === 0) expect(left).toEqual([]);
    expect(await openLab(name)).toMatchObject({ ok: false, failure: { kind: 'lab' } });
  });
});
