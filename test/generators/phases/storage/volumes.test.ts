import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nfsServer } from '../../../../generators/phases/storage/nfs-server.ts';
import { textOf } from '../../../support/definitions/phase-files.ts';
import { stored } from '../../../support/definitions/storage.ts';

/** The functions of the program that looks at devices, without its last line, which would begin. */
const functions = textOf(nfsServer, stored(), 'files/nfs-server/volumes.py')
  .split('\n')
  .slice(0, -2)
  .join('\n');

/** What an expression gives in that program, a few things being other than they are. */
function evaluated(expression: string, instead: string): unknown {
  const program = `${functions}\n${instead}\nprint(json.dumps(${expression}))\n`;
  const { stdout, stderr } = spawnSync('python3', ['-c', program], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

const id = '3f2c1a7e-0b40-4c1d-9e5f-5d2b8a7c6e10';
const attached = (...disks: readonly (readonly [string, string])[]): string =>
  `disks = lambda: [(device, {serial}) for device, serial in ${JSON.stringify(disks)}]\n` +
  'os.stat = lambda path: type("Stat", (), {"st_mode": stat.S_IFBLK})()';
const found = (by: string, device: string, instead: string): unknown =>
  evaluated(`find(${JSON.stringify({ by, device })})`, instead);

describe('the device of a volume', () => {
  test.each([
    ['cinder', id, '3f2c1a7e-0b40-4c1d-9'],
    ['cinder', id, id],
    ['cinder', id, `0QEMU_QEMU_HARDDISK_${id}`],
    ['serial', 'S3Z2NB0K123456', 'S3Z2NB0K123456'],
  ])('is found as %s %s where the host sees %s', (by, wanted, serial) => {
    expect(found(by, wanted, attached(['/dev/vda', 'other'], ['/dev/vdc', serial]))).toEqual([
      '/dev/vdc',
      '',
    ]);
  });

  test('is not taken for another whose number begins alike', () => {
    const [device, why] = found('serial', 'S3Z2', attached(['/dev/vdb', 'S3Z2NB0K123456'])) as [
      string,
      string,
    ];
    expect(device).toBe('');
    expect(why).toBe('there is no device S3Z2; attached are: /dev/vdb (S3Z2NB0K123456)');
  });

  test('is nobody’s when two have the same number', () => {
    const twins = attached(['/dev/sda', 'A1'], ['/dev/sdb', 'A1']);
    expect(found('serial', 'A1', twins)).toEqual(['', 'A1 is the serial number of /dev/sda and of /dev/sdb']);
  });
});

test('where something is mounted is not hidden, nor made up, by a mount point that anybody chose', () => {
  const line = (point: string, kind: string): string =>
    `36 35 8:16 / ${point} rw,relatime - ${kind} source rw`;
  // What Python takes for the end of a line, and for a space, and the kernel for neither.
  const odd =
    `/home/eve/a\u000b99\u00201\u20038:32\u2003/\u2003/srv\u2003rw\u2003-\u2003xfs\u2028b`.replaceAll(
      ' ',
      '\\040',
    );
  const text = [line(odd, 'fuse.sshfs'), line('/srv/a\\040b', 'xfs'), ''].join('\n');
  const seen = evaluated('mounts()', `read = lambda path: ${JSON.stringify(text)}`) as object;
  expect(Object.entries(seen)).toEqual([
    [odd.replaceAll('\\040', ' '), ['8:16', 'fuse.sshfs']],
    ['/srv/a b', ['8:16', 'xfs']],
  ]);
});

describe('a server of the other kind', () => {
  const against = (unit: string, active: string): unknown =>
    evaluated(
      `look({"volumes": [], "module": "", "folders": [], "packages": [], "tools": [], "settings": [], "unit": "${unit}"})["problems"]`,
      `state_of = lambda unit: {"ActiveState": "active" if unit == "${active}" else "inactive"}\ndiffering = lambda *_: []`,
    );

  test('is not left with the port, where the one of the definition would answer nobody', () => {
    expect(against('nfs-ganesha', 'nfs-server')).toEqual([
      'nfs-server runs, and two servers cannot share the port: once no pod has its files open, systemctl disable --now nfs-server',
    ]);
    expect(against('nfs-server', 'nfs-ganesha')).toHaveLength(1);
    expect(against('nfs-server', 'nfs-server')).toEqual([]);
    expect(against('nfs-ganesha', '')).toEqual([]);
  });
});

describe('what a device may lose', () => {
  test.each([
    ['device', '/dev/disk/by-id/virtio-a', '/dev/disk/by-id/virtio-a'],
    ['serial', 'S3Z2NB0K123456', '/dev/vdz'],
  ])('is told with the words that `check` takes, of a %s', (by, device, named) => {
    const volume = { by, device, fileSystem: 'ext4', forceFormat: { device: '', signature: '' } };
    expect(
      evaluated(
        `content(${JSON.stringify(volume)}, "/dev/vdz")`,
        'held = lambda device: ["xfs 8c3e"]\nof_kernel = lambda device: "/gone"\nbegun = lambda: {}',
      ),
    ).toEqual([
      'problem',
      `/dev/vdz is not empty, it holds xfs 8c3e; to lose that, write forceFormat: { device: ${named}, signature: "xfs 8c3e" }`,
    ]);
  });

  const may = (words: readonly string[], force: object, begun: object = {}): unknown =>
    evaluated(
      `may_lose({"forceFormat": ${JSON.stringify(force)}}, "/dev/vdz", ${JSON.stringify(words)})`,
      `begun = lambda: ${JSON.stringify(begun)}\nfingerprint = lambda device: "same"`,
    );
  const none = { device: '', signature: '' };

  test('is nothing but emptiness, and what is named word for word', () => {
    const force = { device: '/dev/vdz', signature: 'gpt 12ab + xfs 8c3e' };
    expect(may([], none)).toBe(true);
    expect(may(['xfs 8c3e'], none)).toBe(false);
    expect(may(['gpt 12ab', 'xfs 8c3e'], force)).toBe(true);
    expect(may(['xfs 8c3e'], force)).toBe(false);
    expect(may(['gpt 12ab', 'xfs 8c3e'], { ...force, device: '/dev/vdy' })).toBe(false);
  });

  test('is what a run that was cut had given up or made, and nothing else', () => {
    const begun = { '/dev/vdz': { device: 'same', lost: ['swap 12ab'], uuid: '34cd' } };
    expect(may(['swap 12ab'], none, begun)).toBe(true);
    expect(may(['data 0123'], none, begun)).toBe(true);
    expect(may(['xfs 34cd'], none, begun)).toBe(true);
    expect(may(['xfs 8c3e'], none, begun)).toBe(false);
    expect(may(['data 0123', 'LVM2_member 56ef'], none, begun)).toBe(false);
    expect(may(['swap 12ab'], none, { '/dev/vdz': { ...begun['/dev/vdz'], device: 'other' } })).toBe(false);
    // As written by earlier versions.
    expect(may(['data 0123'], none, { '/dev/vdz': 'same' })).toBe(false);
  });

  test('is not what another one holds of the same kind', () => {
    const table = (disk: number): string => {
      const image = join(mkdtempSync(join(tmpdir(), 'playsmith-disk-')), 'disk');
      const sector = Buffer.alloc(4 << 20);
      sector.writeUInt32LE(disk, 440);
      sector.set([0, 0x20, 0x21, 0, 0x83, 0, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0], 446);
      sector.writeUInt16LE(0xaa55, 510);
      writeFileSync(image, sector);
      const words = evaluated(`held(${JSON.stringify(image)})`, 'of_kernel = lambda device: "/nowhere"');
      expect(words).toEqual([expect.stringMatching(/^dos [\da-f]{12}$/)]);
      return (words as string[])[0] ?? '';
    };
    expect(table(1)).not.toBe(table(2));
  });

  test('is nothing any more once a run that was cut after mkfs has gone on', () => {
    const folder = mkdtempSync(join(tmpdir(), 'playsmith-begun-'));
    const volume = JSON.stringify({
      ...{ by: 'device', device: '/dev/vdz', mountTo: '/volume', fileSystem: 'ext4', forceFormat: none },
    });
    const played = [
      `BEGUN = ${JSON.stringify(join(folder, 'formatting.json'))}`,
      'there = {"holds": [], "mounted": {}}',
      'find = lambda volume: (volume["device"], "")',
      'number = of_kernel = lambda device: "1:1"',
      'fingerprint = lambda device: "same"',
      'used = lambda device, points: ""',
      'held = lambda device: there["holds"]',
      'mounts = lambda: there["mounted"]',
      'keep = is_kept = lambda volume, device: True',
      'def mount(volume, device):',
      '    there["mounted"] = {"/volume": ("1:1", volume["fileSystem"])}',
      'def run(*words):',
      '    if words[0].startswith("mkfs"):',
      '        there["holds"] = ["ext4 " + words[words.index("-U") + 1]]',
      '        raise KeyboardInterrupt',
      `volume = json.loads(${JSON.stringify(volume)})`,
      'def cut():',
      '    try:',
      '        arrange(volume)',
      '    except KeyboardInterrupt:',
      '        return list(begun())',
      'first = cut(), judge(volume)[0]',
      'arrange(volume)',
      'there["mounted"] = {}',
      'later = begun(), judge(dict(volume, fileSystem="xfs"))[0]',
    ].join('\n');
    expect(evaluated('[first, later]', played)).toEqual([
      [['/dev/vdz'], 'mount'],
      [{}, 'problem'],
    ]);
  });
});
