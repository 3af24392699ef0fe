import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { down, faults, type Lab } from '../../../lab/index.ts';
import {
  answering,
  externalDefinition,
  externalShape,
  removeByRestart,
  startNodePort,
  trafficDuring,
  trafficSoFar,
  untilWithout,
  type Traffic,
} from '../../support/hosts/external-load-balancer.ts';
import { holderOf, holders, must, on, raiseLab, until } from '../../support/hosts/lab.ts';
import { changes, numbersOf, project, type Ended, type Project } from '../../support/project.ts';

const name = 'elb';
const workers = ['worker1', 'worker2', 'worker3'];
let lab: Lab;
let here: Project;

beforeAll(async () => {
  lab = await raiseLab(name, externalShape);
  for (const worker of workers) await startNodePort(lab, worker);
  here = await project(externalDefinition(lab));
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

/** Renders a definition and runs one phase of it, or all. */
async function apply(definition: string, ...words: readonly string[]): Promise<Ended> {
  await here.define(definition);
  await here.done('render');
  const ended = await here.done('run', ...words, '--json');
  return ended;
}

const phase = 'external-load-balancer';

/** Says what the client saw, too. */
async function during(what: string, work: () => Promise<unknown>): Promise<Traffic> {
  const traffic = await trafficDuring(lab, work);
  const { asked, failed, longest } = traffic;
  process.stderr.write(
    `${what}: ${failed.length} of ${asked} requests failed (${[...new Set(failed)].join('; ')}), the longest took ${longest.toFixed(2)} s\n`,
  );
  return traffic;
}

describe('bare hosts outside the cluster', () => {
  test('let clients reach a service on every worker, in exactly as many tasks as were announced', async () => {
    const ended = await apply(externalDefinition(lab));
    const started = ended.events.find((event) => event.type === 'run-started');
    const last = ended.events.filter((event) => event.type === 'task-started' && !event.handler).at(-1);
    expect(last).toMatchObject({ number: started?.tasks, total: started?.tasks });
    // A play may pass over tasks; none comes that was not announced.
    const numbers = numbersOf(ended.events);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
    expect(await holders(lab)).toHaveLength(1);
    const { failed, answers } = await during('nothing done', () => Promise.resolve());
    expect(failed).toEqual([]);
    expect(Object.keys(answers)).toEqual(workers);
  });

  test('change nothing the second time, and nothing in check mode', async () => {
    const again = await here.done('run', '--json');
    expect(changes(again)).toEqual({});
    const checked = await here.done('run', '--check', '--json');
    expect(changes(checked)).toEqual({});
  });

  test('let nobody but root change HAProxy while it runs', async () => {
    const shown = await on(lab, 'lb1', 'stat', '--format=%a %U', '/run/haproxy/admin.sock');
    expect(shown).toBe('600 root');
  });
});

describe('a worker', () => {
  test('that loses its power costs the requests that it had, and no others for long', async () => {
    const { failed, longest } = await during('a worker killed', async () => {
      must(await faults.power.inject(lab, { host: 'worker2' }));
      await untilWithout(lab, 'worker2');
    });
    expect(failed.length).toBeLessThan(60);
    expect(longest).toBeLessThan(6);
    must(await faults.power.undo(lab, { host: 'worker2' }));
  });

  test('that is back is asked again, without a failed request', async () => {
    const { failed } = await during('the worker back', () =>
      until('worker2 answers', async () => (await answering(lab)).has('worker2')),
    );
    expect(failed).toEqual([]);
  });

  test('that leaves the definition is drained: no request fails, also when it is then switched off', async () => {
    const { failed, answers } = await during('a worker removed as planned', async () => {
      const ended = await apply(externalDefinition(lab, { without: ['worker3'] }), phase);
      expect(changes(ended)).toEqual({ lb1: 2, lb2: 2 });
      must(await faults.power.inject(lab, { host: 'worker3' }));
    });
    expect(failed).toEqual([]);
    expect(answers['worker3']).toBeGreaterThan(0);
    expect(await on(lab, 'lb1', 'sh', '-c', servers)).not.toContain('worker3');
    expect(changes(await apply(externalDefinition(lab, { without: ['worker3'] }), phase))).toEqual({});
  });

  test('that comes is asked once it is well: no request fails, though it is still off when it is added', async () => {
    const { failed } = await during('a worker added', async () => {
      const pid = await on(lab, 'lb1', 'sh', '-c', info);
      await apply(externalDefinition(lab), phase);
      must(await faults.power.undo(lab, { host: 'worker3' }));
      await until('worker3 answers', async () => (await answering(lab)).has('worker3'));
      expect(await on(lab, 'lb1', 'sh', '-c', info)).toBe(pid);
    });
    expect(failed).toEqual([]);
  });

  test('that somebody took out by hand, or an interrupted run, is asked again', async () => {
    await on(lab, 'lb1', 'sh', '-c', runtime('set server default_web_80/worker1 state drain'));
    expect(changes(await apply(externalDefinition(lab), phase))).toEqual({ lb1: 1 });
    await on(
      lab,
      'lb2',
      'sh',
      '-c',
      'sed -i "/worker1/d" /etc/haproxy/haproxy.cfg && systemctl reload haproxy',
    );
    expect(changes(await apply(externalDefinition(lab), phase))).toEqual({ lb2: 2 });
  });

  test('removed the way Tacker does it costs requests', async () => {
    const { failed } = await during('HAProxy restarted as by Tacker', async () => {
      const holder = await holderOf(lab);
      await removeByRestart(lab, holder, 'worker3');
    });
    expect(failed.length).toBeGreaterThan(0);
    await apply(externalDefinition(lab), phase);
  });
});

describe('the load balancer itself', () => {
  test('takes another port without a failed request at the one that stays', async () => {
    const services = [
      { name: 'web', port: 80, nodePort: 30080 },
      { name: 'more', port: 81, nodePort: 30081, externalTrafficPolicy: 'Local' },
    ];
    const { failed } = await during('a service added', () =>
      apply(externalDefinition(lab, { changes: { services } }), phase),
    );
    expect(failed).toEqual([]);
    await apply(externalDefinition(lab), phase);
  });

  test('gives its address to the other host when the one that holds it freezes', async () => {
    const holder = await holderOf(lab);
    await during('its holder frozen', async () => {
      must(await faults.freeze.inject(lab, { host: holder }));
      await until('somebody answers', async () => (await trafficSoFar(lab)).slice(-20).every(({ ok }) => ok));
    });
    must(await faults.freeze.undo(lab, { host: holder }));
    await until('one holds it', async () => (await holders(lab)).length === 1);
  });
});

describe('without an address in the definition', () => {
  test('nobody holds it any more, each host goes on to balance, and an address is brought again', async () => {
    const gone = externalDefinition(lab, { changes: { address: undefined } });
    await apply(gone, phase);
    expect(await holders(lab)).toEqual([]);
    for (const host of ['lb1', 'lb2']) {
      expect(await on(lab, host, 'sh', '-c', info)).toMatch(/^Pid:/);
      expect(await on(lab, host, 'sh', '-c', 'systemctl is-enabled keepalived || true')).toBe('disabled');
    }
    expect(changes(await apply(gone, phase))).toEqual({});
    await apply(externalDefinition(lab));
    expect(await holders(lab)).toHaveLength(1);
  });
});

describe('a script of the user', () => {
  const definition = (word: string): string =>
    externalDefinition(lab, {
      changes: {
        ...Object.fromEntries(['address', 'services', 'drain'].map((key) => [key, undefined])),
        script: { path: 'own.sh', arguments: ['-w', '<workers>', word] },
      },
    });

  test('runs once on each host, again when it is told something else, and its failure is a failure', async () => {
    await writeFile(
      join(here.folder, 'own.sh'),
      '#!/bin/sh\necho "$@" >> /root/own.log\ntest "$3" != fail\n',
    );
    // Two of these give up the address, which this definition has none of.
    expect(changes(await apply(definition('one'), phase))).toMatchObject({ lb1: 6, lb2: 6 });
    expect(changes(await apply(definition('one'), phase))).toEqual({});
    await apply(definition('two words'), phase);
    const log = await on(lab, 'lb2', 'cat', '/root/own.log');
    expect(log.split('\n').map((line) => line.replace(/^-w [\d.,]+ /, ''))).toEqual(['one', 'two words']);
    await here.define(definition('fail'));
    await here.task('render');
    expect((await here.task('run', phase)).status).not.toBe(0);
    expect((await here.task('run', phase)).status).not.toBe(0);
  });
});

const runtime = (command: string): string =>
  `echo '${command}' | python3 -c 'import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect("/run/haproxy/admin.sock"); s.sendall(sys.stdin.buffer.read()); print(s.makefile().read())'`;
const servers = runtime('show servers state');
const info = `${runtime('show info')} | grep '^Pid:'`;
