import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { drillStorage } from '../../../../generators/phases/drill/drill-storage.ts';
import { textOf } from '../../../support/definitions/phase-files.ts';
import { stored } from '../../../support/definitions/storage.ts';

/** volume.py as a module, in which Python does these lines; what they leave in `said`. Its mounts are plain folders. */
function volume(lines: string, folder = mkdtempSync(join(tmpdir(), 'playsmith-volume-'))): unknown {
  writeFileSync(join(folder, 'volume.py'), textOf(drillStorage, stored(), 'files/drill-storage/volume.py'));
  const program = `
import json, os, subprocess, sys, time
sys.dont_write_bytecode = True
sys.path.insert(0, ${JSON.stringify(folder)})
import volume
volume.FOLDER, volume.PATH, volume.UNDONE = ${JSON.stringify(folder)}, ${JSON.stringify(join(folder, 'asked'))}, ${JSON.stringify(join(folder, 'undone'))}
volume.runs = lambda: True
volume.systemctl = lambda *words: 0
# Not every file system takes it, and none of them has to.
volume.os.O_DIRECT = 0
class Done:
    returncode, stdout = 0, b"mount.nfs: access denied by server"
volume.subprocess.run = lambda words, **_: ran.append(words) or Done
ran = []
${lines}
print(json.dumps(said))
`;
  const { stdout, stderr } = spawnSync('python3', ['-c', program], { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

describe('a test volume of the kernel', () => {
  test('is mounted as it is told, written, read, opened again, and leaves nothing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'playsmith-volume-'));
    const said = volume(
      `
made = volume.KernelVolume("/volume/pv1", "nfsvers=4.1,hard", ".playsmith-drill-node")
said = [volume.turn(made, 1)]
made.open()
said += [made.read()[:17].decode(), volume.turn(made, 2), len(made.read())]
volume.finish(made)
said += [[each for each in words if each != made.folder] for words in ran]`,
      folder,
    );
    expect(said).toEqual([
      false,
      'playsmith drill\n1',
      false,
      512,
      ['mount', '-t', 'nfs', '-o', 'nfsvers=4.1,hard', '127.0.0.1:/volume/pv1'],
      ['umount'],
    ]);
    expect(readdirSync(join(folder, 'mount'))).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  test('whose file cannot be removed at once is asked until it is gone', () => {
    expect(
      volume(`
class Slow:
    said, file = [], None
    def remove(self):
        self.said.append("remove")
        if len(self.said) < 5:
            raise OSError(volume.errno.EIO, "lost")
    def open(self):
        self.said.append("open")
        if len(self.said) < 3:
            raise OSError(volume.errno.EIO, "lost")
    def close(self):
        self.said.append("close")
made = Slow()
volume.finish(made)
said = made.said`),
    ).toEqual(['remove', 'open', 'remove', 'open', 'remove', 'close']);
  });

  test('that cannot be mounted says why, and a file that is not open is an error and no crash', () => {
    expect(
      volume(`
Done.returncode = 32
try:
    volume.KernelVolume("/volume/pv1", "defaults", "file")
except OSError as error:
    said = [error.strerror]
class Closed:
    file = None
try:
    volume.turn(Closed, 1)
except OSError as error:
    said.append(error.errno == volume.errno.ESTALE)`),
    ).toEqual(['mount.nfs: access denied by server', true]);
  });

  test('takes the file of a drill that broke off, and leaves every other as it is', () => {
    const folder = mkdtempSync(join(tmpdir(), 'playsmith-volume-'));
    expect(
      volume(
        `
volume.knows_nfs = lambda: True
volume.socket.sethostname = lambda name: None
volume.socket.gethostname = lambda: "node"
path = os.path.join(volume.FOLDER, "mount", ".playsmith-drill-node")
volume.os.mkdir(os.path.dirname(path))
volume.os.mkdir = lambda *_: None
said = []
for text in (b"playsmith drill\\n7\\n", b"precious"):
    open(path, "wb").write(text)
    try:
        volume.volume("/volume/pv1", "defaults").close()
        said.append("taken")
    except OSError as error:
        said.append(error.strerror)
said.append(open(path).read())`,
        folder,
      ),
    ).toEqual([
      'taken',
      '.playsmith-drill-node of /volume/pv1 is there and is no file of a drill',
      'precious',
    ]);
  });
});

describe('what the writer felt', () => {
  const turns = (...ends: readonly (readonly [asked: number, ended: number, ok: boolean])[]): string =>
    `open(volume.PATH, "w").write("".join(json.dumps({"asked": now + a, "ended": now + e, "ok": ok == 1, "wrong": False}) + "\\n" for a, e, ok in ${JSON.stringify(
      ends.map(([asked, ended, ok]) => [asked, ended, ok ? 1 : 0]),
    )}))`;

  test('is the time from the last write before the cut to the first after it, and how long that was after its end', () => {
    expect(
      volume(`
now = time.monotonic()
${turns([-40, -39.9, true], [-39.8, -12, false], [-11.9, -11.8, true], [-0.2, -0.1, true])}
open(volume.UNDONE, "w").close()
os.utime(volume.UNDONE, (time.time() - 18, time.time() - 18))
said = volume.stop()`),
    ).toEqual({ asked: 4, failed: 1, longest: 28.1, recovered: 6.2, wrong: 0 });
  });

  test('counts a write that has not ended yet', () => {
    const said = volume(`
now = time.monotonic()
${turns([-31, -30, true])}
said = volume.stop()`) as Readonly<Record<string, number>>;
    expect(said).toMatchObject({ asked: 2, failed: 1, recovered: 0 });
    expect(Math.round(said['longest'] ?? 0)).toBe(30);
  });

  test('is nothing where nothing was written', () => {
    expect(volume('said = volume.stop()')).toEqual({
      ...{ asked: 0, failed: 0, longest: 0, recovered: 0, wrong: 0 },
    });
  });

  test('shows whether the cut was felt: writes that came through in its last half', () => {
    expect(
      volume(`
now = time.monotonic()
volume.CUT, slept = os.path.join(volume.FOLDER, "fault"), []
volume.time.sleep = slept.append
open(volume.CUT, "w").close()
os.utime(volume.CUT, (time.time() - 3, time.time() - 3))
${turns([-2, -1.9, true], [8, 8.1, true], [9, 9.1, false], [10, 10.1, true])}
said = [volume.hold(20), round(slept[0])]`),
    ).toEqual([{ passed: 2 }, 17]);
  });

  test('bytes that are other ones than were written are told', () => {
    expect(
      volume(`
class Liar:
    file = 1
    write = staticmethod(lambda data: None)
    read = staticmethod(lambda: b"something else")
said = volume.turn(Liar, 1)`),
    ).toBe(true);
  });
});
