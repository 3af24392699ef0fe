import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drillStorage } from '../../../../generators/phases/drill/drill-storage.ts';
import { textOf } from '../../../support/definitions/phase-files.ts';
import { stored } from '../../../support/definitions/storage.ts';

const given = stored();

interface Told {
  readonly problems: readonly string[];
  readonly told: string;
}

type Edits = Readonly<Record<string, string>>;

/** What a program of the drill says, with programs of the host played by stubs and paths of its own. */
function look(name: string, asked: object, stubs: Readonly<Record<string, string>>, edits: Edits = {}): Told {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-look-'));
  for (const [stub, body] of Object.entries(stubs)) {
    writeFileSync(join(folder, stub), `#!/bin/bash\n${body}\n`);
    chmodSync(join(folder, stub), 0o755);
  }
  const program = Object.entries(edits).reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${name} holds no ${from}`);
      return text.replaceAll(from, to);
    },
    textOf(drillStorage, given, `files/drill-storage/${name}`),
  );
  const { stdout, stderr } = spawnSync('python3', ['-', JSON.stringify(asked)], {
    input: program,
    encoding: 'utf8',
    env: { PATH: `${folder}:${process.env['PATH'] ?? ''}` },
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Told;
}

/** A folder below which a host has its files. */
function files(contents: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'playsmith-files-')));
  for (const [path, text] of Object.entries(contents)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

describe('a storage server', () => {
  let listening: Server;
  beforeAll(async () => {
    listening = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => listening.once('listening', resolve));
  });
  afterAll(() => {
    listening.close();
  });

  const running = { systemctl: '[[ $1 == is-active ]] && echo active || echo enabled' };
  const options = 'rw,sync,wdelay,secure,root_squash,no_all_squash,no_subtree_check,anonuid=65534,sec=sys';
  const words = ['rw', 'sync', 'secure', 'no_subtree_check', 'no_all_squash', 'root_squash'];

  const asked = (path: string, more: object = {}): object => ({
    ...{ unit: 'nfs-server', threads: true, address: '127.0.0.1', mountPoints: ['/proc/'], settings: {} },
    exports: [{ path, clients: ['10.0.0.0/24', 'node-1.example.org'], words }],
    ...more,
  });

  /** What it says with this table of exports, `PATH` in it being the folder that is exported. */
  function server(table: string, more: object = {}, stubs: Readonly<Record<string, string>> = running): Told {
    const folder = files({ threads: '8\n', etab: '', 'pv1/file': '' });
    const path = join(folder, 'pv1');
    writeFileSync(join(folder, 'etab'), table.replaceAll('PATH', path));
    const { problems, told } = look('server.py', asked(path, more), stubs, {
      '"/proc/fs/nfsd/threads", "/var/lib/nfs/etab"': `"${folder}/threads", "${folder}/etab"`,
      ', 2049)': `, ${(listening.address() as AddressInfo).port})`,
      '"/etc"': `"${folder}/etc"`,
    });
    return {
      problems: problems.map((each) => each.replaceAll(path, 'PATH').replaceAll(folder, '')),
      told: told.replaceAll(path, 'PATH'),
    };
  }

  const whole = `PATH\t10.0.0.0/24(${options})\nPATH\tnode-1.example.org(${options})\n`;

  test('that serves what it should has nothing against it, and tells its free space and what it serves besides', () => {
    const { problems, told } = server(`${whole}/srv/old\t*(rw)\n`, { mountPoints: ['/'] });
    expect(problems.filter((each) => !each.startsWith('/ has '))).toEqual([]);
    expect(told).toMatch(
      /^serves as the definition says: PATH; \/ has \d+ of \d+ MB free \(\d+ %\), and \d+ % of its inodes; exports besides: \/srv\/old$/,
    );
  });

  test.each([
    ['', 'PATH is not exported'],
    [whole.replace('10.0.0.0/24', '10.9.0.0/24'), 'PATH is not exported to 10.0.0.0/24'],
    [whole.replace('root_squash', 'no_root_squash'), 'PATH is exported to 10.0.0.0/24 without root_squash'],
    [whole.replace('secure', 'insecure'), 'PATH is exported to 10.0.0.0/24 without secure'],
  ])('that exports otherwise is told %#', (table, problem) => {
    expect(server(table, { mountPoints: [] }).problems).toEqual([problem]);
  });

  test('that is sick in every way has every reason told at once', () => {
    const { problems } = server(
      whole,
      {
        unit: 'nfs-ganesha',
        address: '127.0.0.2',
        mountPoints: ['/proc/self/'],
        settings: { 'ganesha/ganesha.conf': 'sum' },
      },
      { systemctl: 'echo inactive' },
    );
    expect(problems).toEqual([
      'nfs-ganesha does not run',
      'nfs-ganesha would not begin with the host again',
      'nothing answers at TCP port 2049 of 127.0.0.2: Connection refused',
      '/etc/ganesha/ganesha.conf is not as the definition says',
      'nothing is mounted at /proc/self/',
    ]);
  });

  test('whose disk is full, or holds too many files, is told so', () => {
    const statvfs = `def of_volume(point):
    os.statvfs = lambda _: os.statvfs_result((4096, 4096, 1000, 40, 40, 100, 4, 4, os.ST_RDONLY, 255))
    os.path.ismount = lambda _: True`;
    const { problems, told } = look('server.py', asked('/', { exports: [], threads: false }), running, {
      'def of_volume(point):': statvfs,
      ', 2049)': `, ${(listening.address() as AddressInfo).port})`,
    });
    expect(problems).toEqual([
      '/proc/ is mounted read-only',
      '/proc/ has 4 % of its space free',
      '/proc/ has 4 % of its inodes free',
    ]);
    expect(told).toContain('/proc/ has 0 of 4 MB free (4 %), and 4 % of its inodes');
  });
});

describe('a node', () => {
  const quiet = { systemctl: 'exit 3' };
  const ofPod = (opts: string, source = '10.0.0.90:/volume/pv1'): string =>
    `530 29 0:70 / /var/lib/kubelet/pods/a/volumes/kubernetes.io~nfs/pv1 rw,relatime shared:5 - nfs4 ${source} rw,${opts}\n`;
  const usual = 'vers=4.2,rsize=1048576,hard,proto=tcp,timeo=600,retrans=2,sec=sys,addr=10.0.0.90';

  /** What it says of these mounts; the export is for none of its addresses, so nothing is mounted on trial. */
  function node(mounts: string, volumes: readonly (readonly string[])[], stubs = quiet): Told {
    const folder = files({ mounts: `22 1 0:5 / / rw - ext4 /dev/vda rw\n${mounts}` });
    const each = { server: '10.0.0.90', path: '/volume/pv1', clients: ['198.51.100.0/24'], needed: false };
    return look('node.py', { address: '10.0.0.21', exports: [{ ...each, options: volumes }] }, stubs, {
      '/proc/self/mountinfo': `${folder}/mounts`,
    });
  }

  test('tells how it has mounted what, whoever did it', () => {
    const { problems, told } = node(ofPod(usual) + ofPod(usual) + ofPod(usual, '10.0.0.91:/volume/pv1'), [
      [],
    ]);
    expect(problems).toEqual([]);
    expect(told).toBe(
      'reaches nothing, as it should; mounted now: 2 times hard vers=4.2 proto=tcp timeo=600 retrans=2',
    );
    expect(node('', [[]]).told).toContain('nothing of it is mounted now');
  });

  test.each([
    [usual, ['nfsvers=4.1', 'hard'], ['vers=4.1']],
    [usual, ['nfsvers=4', 'hard'], []],
    [usual, ['vers=4.2', 'timeo=100', 'retrans=3'], ['timeo=100', 'retrans=3']],
    [usual.replace('hard', 'soft'), [], ['hard']],
    [usual.replace('hard', 'soft'), ['soft'], []],
  ])('whose mount is %s though its volume says %s is told what is missing', (opts, written, missing) => {
    expect(node(ofPod(opts), [written]).problems).toEqual(
      missing.length === 0 ? [] : [`10.0.0.90:/volume/pv1 is mounted here without ${missing.join(', ')}`],
    );
  });

  test('may mount as any of the PersistentVolumes says, and as it likes where none leads', () => {
    expect(node(ofPod(usual), [['nfsvers=4.1'], ['hard']]).problems).toEqual([]);
    expect(node(ofPod(usual.replace('hard', 'soft')), []).problems).toEqual([]);
  });

  test('tells that whatever anybody called what is mounted besides', () => {
    // What Python takes for the end of a line, and the kernel does not.
    const odd = `40 29 0:71 / /home/eve/a\u000bb\u2028c\u0085 rw - fuse.sshfs eve@a\u000bb rw\n`;
    const { problems, told } = node(odd + ofPod(usual), [[]]);
    expect(problems).toEqual([]);
    expect(told).toContain('mounted now: 1 times hard');
  });

  test('on which another drill has not ended is told', () => {
    expect(node('', [[]], { systemctl: '[[ $3 == *timer ]]' }).problems).toEqual([
      'another drill has not ended here: playsmith-drill-undo.timer still runs',
    ]);
  });
});

describe('Kubernetes', () => {
  const volume = (overrides: object = {}, phase = 'Bound'): object => ({
    metadata: { name: 'pv1' },
    spec: {
      nfs: { server: '10.0.0.90', path: '/volume/pv1' },
      claimRef: { namespace: 'tenant', name: 'data' },
      ...overrides,
    },
    status: { phase },
  });

  const wanted = { name: 'pv1', server: '10.0.0.90', path: '/volume/pv1', options: [] };

  function known(items: readonly object[], volumes: readonly object[] = [wanted], more: Edits = {}): Told {
    const kubectl = `echo '${JSON.stringify({ items })}'`;
    return look('volumes.py', { volumes }, { kubectl }, { '/etc/kubernetes/admin.conf': '/', ...more });
  }

  test('has the PersistentVolumes as they are, and who claims them is told', () => {
    expect(known([volume()])).toEqual({ problems: [], told: 'pv1 is Bound to tenant/data' });
    expect(known([volume({ claimRef: null }, 'Available')]).problems).toEqual([]);
  });

  test('that has others has every difference told', () => {
    expect(known([]).problems).toEqual(['pv1 is no PersistentVolume of the cluster']);
    const nfs = { server: '10.0.0.91', path: '/volume/pv1' };
    expect(known([volume({ nfs, mountOptions: ['soft'] }, 'Released')]).problems).toEqual([
      'pv1 is Released',
      'pv1 leads to 10.0.0.91:/volume/pv1 and not to 10.0.0.90:/volume/pv1',
      'pv1 is mounted with other options than the definition has',
    ]);
  });

  test('that does not answer, or is not there, is told', () => {
    const kubectl = 'echo "The connection was refused" >&2; exit 1';
    expect(
      look('volumes.py', { volumes: [wanted] }, { kubectl }, { '/etc/kubernetes/admin.conf': '/' }).problems,
    ).toEqual(['the API of the cluster does not answer: The connection was refused']);
    expect(known([], [wanted], { '"/"': '"/nowhere"' })).toEqual({
      problems: [],
      told: 'no Kubernetes could be asked for the PersistentVolumes',
    });
    expect(known([volume()], [])).toEqual({ problems: [], told: '' });
  });
});
