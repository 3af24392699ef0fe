import { spawnSync } from 'node:child_process';
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

describe('what a device may lose', () => {
  const may = (words: readonly string[], force: object, begun: object = {}): unknown =>
    evaluated(
      `may_lose({"forceFormat": ${JSON.stringify(force)}}, "/dev/vdz", ${JSON.stringify(words)})`,
      `begun = lambda: ${JSON.stringify(begun)}\nfingerprint = lambda device: "same"`,
    );
  const none = { device: '', signature: '' };

  test('is nothing but emptiness, what is named word for word, and what was begun', () => {
    const force = { device: '/dev/vdz', signature: 'gpt + xfs 8c3e' };
    expect(may([], none)).toBe(true);
    expect(may(['xfs 8c3e'], none)).toBe(false);
    expect(may(['gpt', 'xfs 8c3e'], force)).toBe(true);
    expect(may(['xfs 8c3e'], force)).toBe(false);
    expect(may(['gpt', 'xfs 8c3e'], { ...force, device: '/dev/vdy' })).toBe(false);
    expect(may(['data 0123'], none, { '/dev/vdz': 'same' })).toBe(true);
    expect(may(['data 0123'], none, { '/dev/vdz': 'other' })).toBe(false);
  });
});
