import { afterAll, describe, expect, test } from 'vitest';
import { python } from '../support/python.ts';

const calls = python(
  `import os, tempfile
from playsmith.files import disk
def traced(work):
    seen, real = [], {name: getattr(os, name) for name in ("write", "fsync", "rename")}
    def of(name):
        def call(*given):
            what = os.readlink("/proc/self/fd/%d" % given[0]) if isinstance(given[0], int) else given[0]
            seen.append(name + " " + os.path.relpath(what, folder).replace("%d." % os.getpid(), ""))
            return real[name](*given)
        return call
    folder = tempfile.mkdtemp()
    for name in real: setattr(os, name, of(name))
    work(folder)
    for name in real: setattr(os, name, real[name])
    return seen`,
  'traced(lambda folder: disk.replace(os.path.join(folder, "it"), it.encode()))',
);
const read = python(
  'import zlib\nfrom playsmith.history.events import Lines, line_of',
  '(lambda lines: [[lines.event(each.encode("latin1")) for each in it], lines.unread])(Lines())',
);
const line = python('from playsmith.history.events import line_of', 'line_of(it).decode()');
const limited = python(
  'from playsmith.history import limits',
  'limits.limited(dict(it["event"], stdout="x" * it["printed"], event_data={"res": dict(it["event"]["res"], big=it["of"] * it["count"])}))',
);
const cutAt = python(
  'from playsmith.execution.run import Run\nfrom playsmith.execution.secret import Scrubber\nimport types',
  'Run.beginning(types.SimpleNamespace(scrubber=Scrubber(it["secrets"]), longest=16 * max(map(len, it["secrets"]))), it["text"], it["room"])',
);
const isThis = python(
  'from playsmith import machine',
  '(setattr(machine, "number", lambda: it["number"]), setattr(machine, "name", lambda: it["name"]), machine.is_this(it["who"]))[2]',
);
const stamp = python(
  'from playsmith.history import stamp\nimport time',
  '[stamp.after(it), time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())]',
);
const seconds = python('from playsmith.history.record import seconds_between', 'seconds_between(*it)');
const late = python(
  `import ansible_runner.runner
from playsmith.execution import ansible
def cancelled(code):
    """Whoever is told to end when Ansible has ended."""
    class Runner:
        rc = code
        def __init__(self, *given, **more): pass
        def run(self): pass
    ansible_runner.runner.Runner = Runner
    own = ansible.Ansible.__new__(ansible.Ansible)
    own.cancelled, own.deadline, own.handles, own.config, own.on_event = False, None, (), None, None
    own.run()
    own.cancel()
    return own.cancelled`,
  'cancelled(it)',
);
afterAll(() => {
  for (const program of [calls, read, line, limited, cutAt, isThis, stamp, seconds, late]) program.close();
});

test('a file is on the disk before it has its name, and its name before anything else is done', async () => {
  expect(await calls.ask('text')).toEqual([
    'write it.partial',
    'fsync it.partial',
    'rename it.partial',
    'fsync .',
  ]);
});

describe('a line of events', () => {
  const event = { counter: 1, stdout: 'said' };

  test('is read back as it was, whatever it holds', async () => {
    const odd = { ...event, stdout: 'ä \u2028 "crc32":"00000000"}', nested: [{ a: null }] };
    expect(await read.ask([((await line.ask(odd)) as string).trimEnd()])).toEqual([[odd], 0]);
  });

  test('that differs in one character from what was written is not read, but counted', async () => {
    const whole = ((await line.ask(event)) as string).trimEnd();
    const changed = Array.from(
      whole,
      (char, at) => whole.slice(0, at) + (char === '0' ? '1' : '0') + whole.slice(at + 1),
    );
    expect(await read.ask([whole, ...changed])).toEqual([
      [event, ...changed.map(() => null)],
      changed.length,
    ]);
  });

  test('without a checksum is read in a record of before, and not behind one that has it', async () => {
    const old = JSON.stringify(event);
    const whole = ((await line.ask(event)) as string).trimEnd();
    expect(await read.ask([old, old])).toEqual([[event, event], 0]);
    expect(await read.ask([whole, old])).toEqual([[event, null], 1]);
  });
});

describe('an event that is too long', () => {
  const ask = async (of: unknown, count: number, printed = 0): Promise<string> =>
    JSON.stringify(
      await limited.ask({ event: { res: { msg: 'the reason', changed: true } }, of, count, printed }),
    );

  test.each([
    ['a text', 'x', 5_000_000, /… 4\d{6} more bytes/],
    ['lines', ['a line of a text'], 500_000, /… \d+ more items, \d+ bytes/],
    ['one long item of several', ['x'.repeat(400_000)], 8, /more bytes/],
  ])('is cut where it has %s, says so there, and keeps what is short', async (_, of, count, told) => {
    const text = await ask(of, count);
    expect(text.length).toBeLessThan(1_200_000);
    expect(text).toMatch(told);
    expect(text).toContain('"msg":"the reason","changed":true');
  });

  test('is cut in what was printed', async () => {
    expect(await ask('', 0, 3_000_000)).toMatch(/… 2000000 more bytes/);
  });

  test('is left alone while it is not', async () => {
    expect(await ask('x', 900_000, 900_000)).not.toContain('…');
  });

  test('shows no part of a secret that the cut goes through', async () => {
    const secrets = ['correct horse battery staple'];
    for (let before = 0; before < 40; before += 1) {
      const text = `${'.'.repeat(before)}${secrets[0]} and ${secrets[0]} and more, and more, and more`;
      expect(await cutAt.ask({ secrets, text: text.repeat(40), room: 40 })).not.toMatch(
        /correct|horse|battery|staple/,
      );
    }
  });
});

describe('whether a lock was taken on this machine', () => {
  test.each([
    ['is so when it was renamed', { machine: 'm1', host: 'old' }, true],
    ['is not so on another one of the same name', { machine: 'm2', host: 'new' }, false],
    ['goes by the name where an older Playsmith wrote it', { host: 'new' }, true],
    ['goes by the name where an older Playsmith wrote it elsewhere', { host: 'old' }, false],
  ])('%s', async (_, who, expected) => {
    expect(await isThis.ask({ number: 'm1', name: 'new', who })).toBe(expected);
  });

  test('goes by the name where this machine has no machine-id', async () => {
    expect(await isThis.ask({ number: '', name: 'new', who: { machine: 'm1', host: 'new' } })).toBe(true);
  });
});

describe('the name of a run', () => {
  test('is the time', async () => {
    const [name, now] = (await stamp.ask(['20200101T000000Z-site-0a1b'])) as [string, string];
    expect(now >= name).toBe(true);
  });

  test('sorts behind that of the last run when the clock was set back', async () => {
    expect(await stamp.ask(['20990101T000059Z-site-0a1b'])).toMatchObject([
      '20990101T000100Z',
      expect.any(String),
    ]);
  });

  test('is the time where the last name is none of a time', async () => {
    expect((await stamp.ask(['99999999T999999Z-site-0a1b'])) as string[]).not.toContain('9999');
  });
});

test('no task takes less than nothing, whatever the clock does', async () => {
  expect(await seconds.ask(['2026-01-01T00:00:05Z', '2026-01-01T00:00:07.5Z'])).toBe(2.5);
  expect(await seconds.ask(['2026-01-01T00:00:05Z', '2025-12-31T23:00:00Z'])).toBe(0);
});

test('a run that failed and is told to end afterwards was not cancelled', async () => {
  expect(await late.ask(2)).toBe(false);
});
