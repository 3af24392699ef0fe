import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { python } from '../support/python.ts';

const folder = mkdtempSync(join(tmpdir(), 'playsmith-schedule-'));
const program = python(
  `import errno, os, subprocess
from playsmith.fault import Fault
from playsmith.guards import process
from playsmith.places import Places, private_folder, write_json
from playsmith.schedule import job, jobs, secrets
places = Places(${JSON.stringify(folder)})
JOBS = os.path.join(places.schedule("a"), jobs.JOBS)
def installed(schedule):
    private_folder(places.schedule("a"))
    write_json(JOBS, schedule)
def refused(*_, **__):
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))
def removed():
    """What is said of a schedule that the disk keeps, and whether it is there."""
    installed({"jobs": {}})
    unlink, os.unlink = os.unlink, refused
    try:
        return [jobs.forget(places, {"cluster": "a"}), os.path.exists(JOBS)]
    except Fault as fault:
        return [fault.failure["kind"], os.path.exists(JOBS)]
    finally:
        os.unlink = unlink
def gone():
    installed({"jobs": {}})
    return [jobs.forget(places, {"cluster": "a"})["removed"], jobs.forget(places, {"cluster": "a"})["removed"]]
def stopped():
    """How a run ends whose job is told to stop, and whose folder takes nothing."""
    child = subprocess.Popen(["sleep", "60"])
    own = os.path.join(places.root, "run")
    private_folder(own)
    write_json(os.path.join(own, "record.json"), {"run": "r", "ended": None, "process": process.identity(child.pid)})
    def full(*_):
        raise Fault("server", "its disk is full")
    told, job.write_json = job.write_json, full
    try:
        it = job.Job.__new__(job.Job)
        it.folder = own
        it.stop()
        return child.wait(10)
    finally:
        job.write_json = told
        child.kill()
def read(text):
    path = os.path.join(places.root, "secret")
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", newline="") as file:
        file.write(text)
    return secrets.of_file(path)
def warned(digest):
    """What is said to whoever begins a run beside a schedule of a bundle."""
    installed({"jobs": {}, "digest": digest})
    return jobs.warnings(places, {"cluster": "a", "life": {"base": {}}, "digest": "d"})`,
  '{"removed": removed, "gone": gone, "stopped": stopped, "warned": warned, "read": read}[it[0]](*it[1:])',
);
afterAll(() => {
  program.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a schedule that the disk keeps is not said to be removed', async () => {
  expect(await program.ask(['removed'])).toEqual(['server', true]);
});

test('one that is removed is there no more', async () => {
  expect(await program.ask(['gone'])).toEqual([true, false]);
});

test('a job that is told to stop ends its run on a disk that takes nothing', async () => {
  expect(await program.ask(['stopped'])).toBe(-15);
});

test.each([[5], [['d']], [null]])('a run begins beside a schedule whose bundle is %j', async (digest) => {
  expect(await program.ask(['warned', digest])).toEqual([]);
});

test.each([
  ['word\n', 'word'],
  ['word\r\n', 'word'],
  ['word', 'word'],
  ['word\r', 'word\r'],
  ['a\nb\n\n', 'a\nb\n'],
])('a secret in a file is without the end of its line, as a client takes it: %j', async (text, value) => {
  expect(await program.ask(['read', text])).toEqual([value, '']);
});
