import { afterAll, beforeAll, describe as suite, expect, it } from 'vitest';
import {
  defaultShape,
  describe,
  down,
  exec,
  faults,
  openLab,
  startProbe,
  status,
  stopProbe,
  up,
  type Lab,
} from '../../../lab/index.ts';
import { must, on, until } from '../../support/hosts/lab.ts';

const name = 'own-faults';
const shape = { ...defaultShape, controlPlanes: 2 };
const quiet = (): void => undefined;

suite('a fault of the lab', () => {
  let lab: Lab;

  beforeAll(async () => {
    must(await up({ name, shape }, quiet));
    lab = must(await openLab(name));
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

  it('that stops a service is seen by the probe, and its end', async () => {
    must(await startProbe(lab, `https://${address('cp2')}:6443/readyz`));
    const where = { host: 'cp2', service: 'stand-in-api' };
    must(await faults['service-stop'].inject(lab, where));
    expect(await exec(lab, 'cp2', ['systemctl', 'is-active', 'stand-in-api'])).toMatchObject({ ok: false });
    await on(lab, 'client', 'sleep', '0.5');
    must(await faults['service-stop'].undo(lab, where));
    await on(lab, 'client', 'sleep', '0.5');
    const seen = must(await stopProbe(lab));
    expect(seen.gaps).toHaveLength(1);
    expect(seen.gaps[0]?.seconds).toBeGreaterThan(0.5);
    expect(seen.answeredBy.map(({ name: by }) => by)).toEqual(['cp2']);
  });

  it('kills a service, which its unit or the undo starts again', async () => {
    const where = { host: 'cp2', service: 'haproxy' };
    await on(lab, 'cp2', 'apt-get', 'install', '--yes', '-q', 'haproxy');
    const pid = (): Promise<string> =>
      on(lab, 'cp2', 'systemctl', 'show', '--value', '-p', 'MainPID', 'haproxy');
    const first = await pid();
    must(await faults['service-kill'].inject(lab, where));
    must(await faults['service-kill'].undo(lab, where));
    expect(await pid()).not.toBe(first);
  });

  it('freezes a host and lets it go on', async () => {
    const banner = ['timeout', '1', 'bash', '-c', `head -c 3 </dev/tcp/${address('cp1')}/22`];
    must(await faults.freeze.inject(lab, { host: 'cp1' }));
    must(await faults.freeze.inject(lab, { host: 'cp1' }));
    expect(must(await status(name)).hosts.find((host) => host.name === 'cp1')?.state).toBe('frozen');
    expect(await exec(lab, 'client', banner)).toMatchObject({ ok: false });
    must(await faults.freeze.undo(lab, { host: 'cp1' }));
    expect(await exec(lab, 'client', banner)).toMatchObject({ value: { stdout: 'SSH' } });
  });

  it('cuts the power of a host, keeps its disk, and boots it again, also by up', async () => {
    await on(lab, 'cp1', 'sh', '-c', 'echo kept >/root/file');
    must(await faults.power.inject(lab, { host: 'cp1' }));
    expect(await lost('client', 'cp1')).toBe(100);
    expect(must(await status(name)).hosts.find((host) => host.name === 'cp1')?.state).toBe('off');
    must(await up({ name, shape }, quiet));
    expect(await on(lab, 'cp1', 'cat', '/root/file')).toBe('kept');
    must(await faults.power.inject(lab, { host: 'cp1' }));
    must(await faults.power.undo(lab, { host: 'cp1' }));
    expect(await lost('client', 'cp1')).toBe(0);
  });

  it('pulls the cable of a host, and plugs it in with its default route', async () => {
    must(await faults.link.inject(lab, { host: 'cp1' }));
    expect(await lost('client', 'cp1')).toBe(100);
    must(await faults.link.undo(lab, { host: 'cp1' }));
    await until('cp1 answers again', async () => (await lost('client', 'cp1')) === 0);
    expect(await on(lab, 'cp1', 'ip', 'route', 'show', 'default')).toContain('via');
  });

  it('parts hosts from each other and from nobody else', async () => {
    const parted = { between: ['cp1'], and: ['cp2'], only: 'all' } as const;
    must(await faults.partition.inject(lab, parted));
    expect(await lost('cp1', 'cp2')).toBe(100);
    expect(await lost('cp2', 'cp1')).toBe(100);
    expect(await lost('client', 'cp1')).toBe(0);
    must(await faults.partition.inject(lab, { ...parted, only: 'vrrp' }));
    expect(await lost('cp1', 'cp2')).toBe(0);
    must(await faults.partition.undo(lab, parted));
    must(await faults.partition.undo(lab, parted));
    expect(await lost('cp1', 'cp2')).toBe(0);
  });

  it('loses packets by chance, and then none', async () => {
    must(await faults.loss.inject(lab, { host: 'cp1', percent: 100 }));
    expect(await lost('client', 'cp1')).toBe(100);
    must(await faults.loss.inject(lab, { host: 'cp1', percent: 50 }));
    const seen = await exec(lab, 'client', [
      'ping',
      '-q',
      '-c',
      '100',
      '-i',
      '0.01',
      '-W',
      '1',
      address('cp1'),
    ]);
    expect(Number(/([\d.]+)% packet loss/.exec(seen.ok ? seen.value.stdout : '')?.[1])).toBeGreaterThan(20);
    must(await faults.loss.undo(lab, { host: 'cp1', percent: 50 }));
    expect(await lost('client', 'cp1')).toBe(0);
  });

  it('makes the line of a host thin', async () => {
    const ping = ['ping', '-q', '-c', '10', '-i', '0.05', '-s', '1000', address('cp1')];
    const average = async (): Promise<number> =>
      Number(/= [\d.]+\/([\d.]+)/.exec(await on(lab, 'client', ...ping))?.[1]);
    must(await faults.slow.inject(lab, { host: 'cp1', kilobits: 24 }));
    expect(await average()).toBeGreaterThan(100);
    must(await faults.slow.undo(lab, { host: 'cp1', kilobits: 24 }));
    expect(await average()).toBeLessThan(50);
  });

  it('fills a folder of the Ansible server, and gives the old one back', async () => {
    const where = { host: 'ansible', path: '/opt/playsmith', kilobytes: 256 };
    const write = ['sudo', '-u', 'ops', 'dd', 'if=/dev/zero', 'of=/opt/playsmith/file', 'bs=1M', 'count=1'];
    must(await faults['small-disk'].inject(lab, where));
    expect(await exec(lab, 'ansible', write)).toMatchObject({ ok: false });
    must(await faults['small-disk'].undo(lab, where));
    must(await faults['small-disk'].undo(lab, where));
    expect(await exec(lab, 'ansible', write)).toMatchObject({ ok: true });
  });

  it('touches no network but that of its own hosts', async () => {
    must(await faults.power.inject(lab, { host: 'cp1' }));
    expect(await faults.link.inject(lab, { host: 'cp1' })).toMatchObject({
      ok: false,
      failure: { message: 'cp1 does not run' },
    });
    expect(await faults.link.inject(lab, { host: 'nobody' })).toMatchObject({ ok: false });
  });
});
