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
import { project, recapOf, type Project } from '../../support/project.ts';

const name = 'dedicated';
const port = 6440;
let lab: Lab;
let here: Project;

/** Load balancers of their own, sub-second failover, and a statistics page with a password. */
const definition = (): string =>
  definitionOf(lab).replace(
    /( {4}placement: .*\n)/,
    '$1    keepalived: { failover: fast }\n    haproxy: { stats: { port: 9000, user: admin, password: { env: STATS_PASSWORD } } }\n',
  );

const canary = 'Canary-{{ 7 * 7 }}-"x"';

beforeAll(async () => {
  lab = await raiseLab(name, { ansibleServer: 'trixie', loadBalancers: 2 });
  here = await project(definition());
  process.env['STATS_PASSWORD'] = canary;
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

describe('load balancers of their own, run from ansible-core 2.19', () => {
  test('the server is that version', async () => {
    await here.done('render');
    const ended = await here.task('doctor');
    expect(ended.stdout).toMatch(/ansible-core +2\.19/);
    expect(ended.status, ended.said).toBe(0);
  });

  test('balance the API for clients, and change nothing the second time', async () => {
    const first = await here.task('run', '--json');
    expect(first.status, first.stderr + first.stdout).toBe(0);
    expect(['lb1', 'lb2']).toContain((await holders(lab)).join());
    expect(await answering(lab, port)).toMatch(/^cp[123]$/);
    const second = await here.task('run', '--json');
    const recap = Object.entries(recapOf(second).recap);
    expect(recap.map(([host, { changed }]) => [host, changed])).toEqual(recap.map(([host]) => [host, 0]));
  });

  test('the statistics page wants its password, word for word, and no file or output of ours holds it', async () => {
    const lb1 = describeLab(lab).hosts.find((host) => host.name === 'lb1')?.address ?? '';
    const status = (password: string): Promise<string> =>
      on(lab, 'client', 'python3', '-c', ask, `http://${lb1}:9000/`, `admin:${password}`);
    expect(await status('wrong')).toBe('401');
    expect(await status(canary)).toBe('200');
    expect(await on(lab, 'lb1', 'stat', '--format=%a', '/etc/haproxy/haproxy.cfg')).toBe('600');
    const found = await on(
      lab,
      'ansible',
      'sh',
      '-c',
      'grep -rlF Canary- /home/ops /tmp /var/log /dev/shm 2>/dev/null; true',
    );
    expect(found).toBe('');
  });

  test('the address moves when its holder freezes, and an API server that dies is left out', async () => {
    const holder = await holderOf(lab);
    const other = holder === 'lb1' ? 'lb2' : 'lb1';
    must(await faults.freeze.inject(lab, { host: holder }));
    await until(`${other} holds it`, async () => (await holders(lab)).includes(other));
    await until('the API answers', async () => (await answering(lab, port)) !== '');
    must(await faults.freeze.undo(lab, { host: holder }));
    await until('one holds it', async () => (await holders(lab)).length === 1);
    must(await faults['service-stop'].inject(lab, { host: 'cp1', service: 'stand-in-api' }));
    await until('nobody is sent to cp1', async () => {
      const seen = await Promise.all([1, 2, 3, 4, 5, 6].map(() => answering(lab, port)));
      return seen.every((host) => host === 'cp2' || host === 'cp3');
    });
    must(await faults['service-stop'].undo(lab, { host: 'cp1', service: 'stand-in-api' }));
  });
});

const ask = [
  'import base64, sys, urllib.error, urllib.request',
  'words = base64.b64encode(sys.argv[2].encode()).decode()',
  'request = urllib.request.Request(sys.argv[1], headers={"Authorization": "Basic " + words})',
  'try:',
  '    print(urllib.request.urlopen(request, timeout=5).status)',
  'except urllib.error.HTTPError as error:',
  '    print(error.code)',
].join('\n');
