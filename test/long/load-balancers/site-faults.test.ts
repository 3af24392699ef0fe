import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describe as describeLab, down, faults, type Lab } from '../../../lab/index.ts';
import {
  answering,
  definitionOf,
  holderOf,
  holders,
  must,
  on,
  raiseLab,
  until,
} from '../../support/hosts/lab.ts';
import { changesByHost, project, type Project } from '../../support/project.ts';

const name = 'site-faults';
const port = 6440;
let lab: Lab;
let here: Project;

beforeAll(async () => {
  lab = await raiseLab(name);
  here = await project(definitionOf(lab));
  await here.done('render');
  await here.done('run', '--json');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

const nothing = { cp1: 0, cp2: 0, cp3: 0 };

describe('the virtual address', () => {
  /** What a debugger, a full disk or a driver does to a program: it is there, and does nothing. */
  const freezeHaproxy = (host: string): Promise<string> =>
    on(lab, host, 'systemctl', 'kill', '--signal=SIGSTOP', 'haproxy');

  test('leaves a holder whose haproxy is frozen, and a run heals that one', async () => {
    const holder = await holderOf(lab);
    await freezeHaproxy(holder);
    await until('the address moves', async () => (await holders(lab)).some((host) => host !== holder));
    await until('the API answers', async () => (await answering(lab, port)) !== '');
    expect(changesByHost(await here.done('run', 'haproxy', '--json'))).toEqual({ ...nothing, [holder]: 1 });
    await until('one holds it', async () => (await holders(lab)).length === 1);
    expect(changesByHost(await here.done('run', 'haproxy', '--json'))).toEqual(nothing);
  });

  test('leaves a holder on which another program has the name of haproxy', async () => {
    const holder = await holderOf(lab);
    await on(lab, holder, 'systemctl', 'stop', 'haproxy');
    const other =
      'mkdir -p /run/other && cp /usr/bin/sleep /run/other/haproxy && exec /run/other/haproxy 600';
    await on(lab, holder, 'systemd-run', '--quiet', '--collect', '--unit=other', 'sh', '-c', other);
    await until('the address moves', async () => (await holders(lab)).some((host) => host !== holder));
    await on(lab, holder, 'systemctl', 'stop', 'other');
    await on(lab, holder, 'systemctl', 'start', 'haproxy');
    await until('one holds it', async () => (await holders(lab)).length === 1);
  });

  const losing = [
    ['whose haproxy is stopped', 'service-stop', { service: 'haproxy' }],
    ['that is frozen', 'freeze', {}],
    ['that loses its power', 'power', {}],
  ] as const;

  test.each(losing)('leaves a holder %s, and is held once when that is back', async (_, kind, more) => {
    const holder = await holderOf(lab);
    const where = { host: holder, service: '', ...more };
    must(await faults[kind].inject(lab, where));
    await until('the address moves', async () => (await holders(lab)).some((host) => host !== holder));
    await until('the API answers', async () => (await answering(lab, port)) !== '');
    must(await faults[kind].undo(lab, where));
    await until('one holds it', async () => (await holders(lab)).length === 1);
    expect(await answering(lab, port)).not.toBe('');
  });

  test('stays single when keepalived is killed, because systemd starts it again', async () => {
    const holder = await holderOf(lab);
    must(await faults['service-kill'].inject(lab, { host: holder, service: 'keepalived' }));
    await until(
      'keepalived is back',
      async () => (await on(lab, holder, 'sh', '-c', 'systemctl is-active keepalived || true')) === 'active',
    );
    await until('one holds it', async () => (await holders(lab)).length === 1);
  });

  test('is found twice by a run while VRRP is blocked, and told with the cause', async () => {
    const holder = await holderOf(lab);
    const rest = ['cp1', 'cp2', 'cp3'].filter((host) => host !== holder);
    must(await faults.partition.inject(lab, { between: [holder], and: rest, only: 'vrrp' }));
    await until('two hold it', async () => (await holders(lab)).length === 2);
    const ended = await here.task('run', 'keepalived', '--tags', 'verify');
    must(await faults.partition.undo(lab, { between: [holder], and: rest, only: 'vrrp' }));
    expect(ended.status).toBe(20);
    expect(ended.stderr).toContain('VRRP (IP protocol 112)');
    await until('one holds it', async () => (await holders(lab)).length === 1);
  });
});

describe('a run', () => {
  test('keeps a second one of the same cluster out, and says who holds it', async () => {
    const running = here.begin('run', '--json');
    await running.seen(isTaskNumber(1));
    const second = await here.task('run', 'preflight');
    expect(second.status).toBe(15);
    expect(second.stderr).toMatch(/site/);
    await here.done('cancel');
    expect((await running.ended).status).toBe(22);
  });

  test('is cancelled for good: the next one finds the cluster unlocked and whole', async () => {
    await here.done('run', '--json');
  });

  test('goes on while sshd of the Ansible server is killed', async () => {
    const running = here.begin('run', '--json');
    await running.seen(isTaskNumber(3));
    await on(lab, 'ansible', 'sh', '-c', 'pkill -KILL sshd; systemctl start ssh 2>/dev/null; true');
    const { status, said } = await running.ended;
    expect(status, said).toBe(0);
  });

  test('that loses a host says which, and by its exit code that it was not reached', async () => {
    must(await faults.freeze.inject(lab, { host: 'cp3' }));
    const ended = await here.task('run', 'preflight');
    must(await faults.freeze.undo(lab, { host: 'cp3' }));
    expect(ended.status).toBe(21);
    expect(ended.stderr).toContain('cp3');
  });

  test('reports every fault of a host at once, with what would be right', async () => {
    await here.define(
      definitionOf(lab).replace(
        describeLab(lab).hosts.find((host) => host.name === 'cp2')?.address ?? '',
        '10.77.77.77',
      ),
      'wrong.yml',
    );
    const checked = await here.task('check', '--file', 'wrong.yml');
    expect(checked.status).toBe(3);
    expect(checked.stderr).toContain('wrong.yml:');
  });
});

describe('an Ansible server', () => {
  test('that does not take the password refuses by name, and nothing was sent', async () => {
    const text = definitionOf(lab).replace(/auth: \{.*\}/, 'auth: { password: { env: WRONG_PASSWORD } }');
    await here.define(text, 'password.yml');
    process.env['WRONG_PASSWORD'] = 'not-the-password';
    const ended = await here.task('doctor', '--file', 'password.yml');
    expect(ended.status).toBe(11);
    expect(ended.stderr).not.toContain('not-the-password');
  });

  test('with another host key is refused', async () => {
    const other = describeLab(lab).hosts.find((host) => host.name === 'cp1')?.hostKey ?? '';
    const own = describeLab(lab).hosts.find((host) => host.name === 'ansible')?.hostKey ?? '';
    await here.define(definitionOf(lab).replace(own, other), 'key.yml');
    const ended = await here.task('doctor', '--file', 'key.yml');
    expect(ended.status).toBe(12);
  });

  test('whose disk is full is named with the path', async () => {
    const where = { host: 'ansible', path: '/home/ops/full', kilobytes: 8 };
    must(await faults['small-disk'].inject(lab, where));
    await here.define(definitionOf(lab).replace(/( {2}user: ops\n)/, '$1  directory: ~/full\n'), 'full.yml');
    await here.task('render', '--file', 'full.yml');
    const ended = await here.task('run', '--file', 'full.yml');
    must(await faults['small-disk'].undo(lab, where));
    expect(ended.status).toBe(13);
    expect(ended.stderr).toContain('/home/ops/full');
  });

  test('is locked by a run that was killed, which says so and is unlocked when asked', async () => {
    await here.task('render');
    const running = here.begin('run', '--json');
    await running.seen(isTaskNumber(2));
    const holder = JSON.parse(
      await on(lab, 'ansible', 'cat', `/home/ops/playsmith/locks/${name}/holder.json`),
    ) as {
      process: { pid: number };
    };
    await on(lab, 'ansible', 'kill', '-KILL', String(holder.process.pid));
    const lost = await running.ended;
    expect(lost.status).toBe(16);
    const refused = await here.task('run', 'preflight');
    expect(refused.status).toBe(15);
    expect(refused.stderr).toContain('unlock');
    await here.done('unlock');
    await here.done('run', 'preflight', '--json');
  });
});

const isTaskNumber = (number: number) => (event: { readonly type: string }) =>
  event.type === 'task-started' && 'number' in event && event.number === number;
