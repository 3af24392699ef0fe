import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { afterAll, describe, expect, test } from 'vitest';
import { python } from '../support/python.ts';

const scrubber = python(
  'from playsmith.execution.secret import Scrubber',
  'Scrubber(it["secrets"]).scrub(it["text"])',
);
const judged = python(
  'from playsmith.execution.secret import Scrubber\nfrom playsmith.history.story import Story\n' +
    'def judged(it):\n    story = Story()\n    told = [story.tell(Scrubber(it["secrets"]).scrub(each)) for each in it["events"]]\n    return [told, story.recap, story.results]',
  'judged(it)',
);
afterAll(() => {
  for (const program of [scrubber, judged]) program.close();
});

const scrubbed = async (value: string, text: unknown): Promise<string> =>
  JSON.stringify(await scrubber.ask({ secrets: [value], text }));

const base64 = (value: string | Buffer): string => Buffer.from(value).toString('base64');
const wrap = (text: string, width: number): string =>
  (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join('\n');
const sh = (value: string, script: string): string =>
  execFileSync('sh', ['-c', script], { input: value, encoding: 'utf8' });
const bash = (value: string): string =>
  execFileSync('bash', ['-c', 'printf %q "$(cat)"'], {
    input: value,
    encoding: 'utf8',
    env: { LC_ALL: 'C' },
  });
const py = (value: string, expression: string): string =>
  execFileSync(
    '/usr/bin/python3',
    [
      '-c',
      `import sys,json,html,shlex,textwrap,urllib.parse,yaml;v=sys.stdin.read();sys.stdout.write(${expression})`,
    ],
    {
      input: value,
      encoding: 'utf8',
    },
  );

/** A value with everything that some format quotes. */
const awkward = `x7&Q<é"k'/m $z\\w%+9 tail`;
const key = [
  '-----BEGIN PRIVATE KEY-----',
  ...Array.from({ length: 4 }, (_, line) => base64(`${line}-line-of-a-key-that-nobody-may-read-at-all.`)),
  'q7Zk==',
  '-----END PRIVATE KEY-----',
  '',
].join('\n');

describe('a value is struck out', () => {
  test.each<[string, string, (value: string) => string]>([
    ['in base64', awkward, base64],
    [
      'in base64 behind a user of any length',
      awkward,
      (v) => ['a', 'ab', 'abc'].map((user) => base64(`${user}:${v}`)).join(' '),
    ],
    ['in base64 of base64', awkward, (v) => base64(`{"auth": "${base64(`ab:${v}`)}"}`)],
    ['in base64, wrapped', `${awkward}${awkward}${awkward}`, (v) => wrap(base64(`user:${v}`), 76)],
    [
      'in base64, wrapped at 64, in JSON in JSON',
      `${awkward}${awkward}`,
      (v) => JSON.stringify(JSON.stringify(wrap(base64(`user:${v}`), 64))),
    ],
    ...(['+', '-', '# ', '> ', '| ', 'remote: ', 'cp1.example.org: '] as const).map(
      (mark): [string, string, (value: string) => string] => [
        `in base64, wrapped, each line marked with ${mark}`,
        `${awkward}${awkward}${awkward}`,
        (v) =>
          wrap(base64(`user:${v}`), 76)
            .split('\n')
            .map((line) => mark + line)
            .join('\n'),
      ],
    ),
    ['in base64 for addresses', '??>>~~secret~~??', (v) => Buffer.from(v).toString('base64url')],
    ['in hexadecimal', awkward, (v) => Buffer.from(v).toString('hex')],
    ['in hexadecimal, upper case', awkward, (v) => Buffer.from(v).toString('hex').toUpperCase()],
    ['as od prints it', `${awkward}${awkward}`, (v) => sh(v, 'od -An -v -tx1')],
    ['in UTF-16', awkward, (v) => base64(Buffer.from(v, 'utf16le'))],
    ['in UTF-16 in a text', awkward, (v) => Buffer.from(v, 'utf16le').toString('latin1')],
    ['in an address', awkward, encodeURIComponent],
    ['in an address, lower case', awkward, (v) => encodeURIComponent(v).toLowerCase().replace('q', 'Q')],
    ['in a form', awkward, (v) => py(v, 'urllib.parse.quote_plus(v)')],
    ['in HTML', awkward, (v) => py(v, 'html.escape(v)')],
    [
      'in HTML by Jinja',
      awkward,
      (v) => py(v, 'html.escape(v).replace("&#x27;", "&#39;").replace("&quot;", "&#34;")'),
    ],
    ['for a shell', awkward, (v) => py(v, 'shlex.quote(v)')],
    ['by a shell that traces', awkward, (v) => `'${v.replaceAll("'", String.raw`'\''`)}'`],
    ['in YAML', awkward, (v) => py(v, 'yaml.safe_dump([v])')],
    ['in YAML between double quotes', awkward, (v) => py(v, 'yaml.safe_dump([v], default_style=chr(34))')],
    [
      'in YAML that is folded',
      'one horse, two horses and then '.repeat(6).trim(),
      (v) => py(v, 'yaml.safe_dump({"a": {"b": v}})'),
    ],
    [
      'over lines, in YAML between double quotes',
      'Zq7Ab9é'.repeat(20),
      (v) => py(v, 'yaml.safe_dump({"a": {"b": v}})'),
    ],
    [
      'over lines, with blanks where they end, in YAML between double quotes',
      'Zq7 Ab9é'.repeat(20),
      (v) => py(v, 'yaml.safe_dump({"a": {"b": v}})'),
    ],
    [
      'over lines that end at its hyphens, as Ansible wraps a warning',
      'correct-horse-battery-staple',
      (v) => py(v, '"\\n".join(textwrap.wrap("[WARNING]: " + v, 30))'),
    ],
    ['over lines of a width', awkward.replaceAll(' ', ''), (v) => wrap(v, 20)],
    ['in a unit of systemd', awkward, (v) => v.replaceAll('%', '%%')],
    ['in an address in a unit of systemd', awkward, (v) => encodeURIComponent(v).replaceAll('%', '%%')],
    ['in a file of Compose', awkward, (v) => v.replaceAll('$', '$$$$')],
    ['for bash, in the locale of a service', awkward, (v) => bash(v)],
    ['in JSON, three times', awkward, (v) => JSON.stringify(JSON.stringify(JSON.stringify(v)))],
    ['in JSON of Python, three times', awkward, (v) => py(v, 'json.dumps(json.dumps(json.dumps(v)))')],
    [
      'in JSON of Go',
      awkward,
      (v) =>
        JSON.stringify(v)
          .replace('<', String.raw`\u003c`)
          .replace('&', String.raw`\u0026`),
    ],
    ['in JSON in Python', awkward, (v) => py(v, 'repr(json.dumps(v))')],
    ['as a number', '123456789', () => '{"a": 123456789.0, "b": 123456789}'],
  ])('%s', async (_, value, form) => {
    const text = `before ${form(value)} after`;
    const found = await scrubbed(value, { stdout: text, stdout_lines: text.split('\n') });
    expect(found).toContain('[secret]');
    // What is left of it is too short to hold any part of the value.
    const left = JSON.parse(found) as { stdout: string; stdout_lines: string[] };
    for (const each of [left.stdout, left.stdout_lines.join('\n')])
      expect(
        each
          .replaceAll(/before|after|\[secret\]|"auth"|user:|remote:|cp1\.example\.org:/g, '')
          .replaceAll(/[^A-Za-z0-9+/=]/g, '').length,
      ).toBeLessThan(30);
  });

  test('line by line, with the short lines that end a key', async () => {
    for (const line of key.trim().split('\n'))
      expect(await scrubbed(key, [`\r\n${line}\r\n`, JSON.stringify(`a\n${line}\nb`)])).not.toContain(line);
  });

  test('in all lines of a list that it goes over, and the list keeps its lines', async () => {
    const lines = wrap(base64(`user:${awkward.repeat(5)}`), 64).split('\n');
    expect(lines.length).toBeGreaterThan(2);
    const found = (await scrubber.ask({
      secrets: [awkward.repeat(5)],
      text: ['a', ...lines, 'b'],
    })) as string[];
    expect(found.length).toBe(lines.length + 2);
    expect(found.filter((line) => lines.slice(1, -1).includes(line))).toEqual([]);
  });

  test('without the end of the line that its file has', async () => {
    expect(await scrubbed('abc4\n', 'is abc4.')).toBe('"is [secret]."');
  });

  test('when it became a number with a fraction', async () => {
    expect(
      await scrubber.ask({ secrets: ['123456', '0071234'], text: [123456, 123456.5, 71234, true] }),
    ).toEqual(['[secret]', 123456.5, '[secret]', true]);
  });

  test('at any place of any text, in whatever order of quoting', async () => {
    const quoting = fc.constantFrom<(text: string) => string>(
      (text) => JSON.stringify(text).slice(1, -1),
      (text) => text.replaceAll("'", "''"),
    );
    await fc.assert(
      fc.asyncProperty(
        fc
          .string({ minLength: 8, maxLength: 40 })
          .filter((value) => value.trim().length >= 8 && !/^[\]secrt[]*$/.test(value)),
        fc.nat(40),
        quoting,
        async (value, length, quote) => {
          const form = quote(value);
          const found = (await scrubber.ask({
            secrets: [value],
            text: `${'-'.repeat(length)}${form}-`,
          })) as string;
          expect(found).toContain('[secret]');
          expect(found.includes(form.trim())).toBe(false);
        },
      ),
      { numRuns: 200 },
    );
  });
});

// Backtracking over so much takes hours, and the runner ends a test before.
test('20 secrets change nothing of a result of 2 MB that has none of them, whatever it consists of', async () => {
  const secrets = Array.from({ length: 20 }, (_, index) => `${index}${awkward}${index}`);
  const texts = [
    Array.from({ length: 26_000 }, (_, index) =>
      base64(`${index} of many lines that are nothing at all, no secret`),
    ).join('\n'),
    ...[' ', '\n', '\\', '%', 'a'].map((sign) => sign.repeat(200_000)),
  ];
  for (const text of texts)
    expect(await scrubber.ask({ secrets, text: { stdout: text } })).toEqual({ stdout: text });
}, 120_000);

/** Every word of the format, and every status, as a secret. */
const words = [
  'playbook',
  'playbook_on_stats',
  'processed',
  'changed',
  'failures',
  'dark',
  'skipped',
  'event_data',
  'event',
  'runner_on_ok',
  'host',
  'node1',
  'censored',
  'debug',
  'duration',
  'drill',
  'True',
  'true',
  '1234',
  'ansible.builtin.debug',
  'results',
  'failed',
  'stdout',
];

const result = (event: string, host: string, res: object, more: object = {}): object => ({
  uuid: 'u1',
  counter: 1,
  event,
  created: '2026-01-01T00:00:00.000000+00:00',
  stdout: '',
  event_data: {
    playbook: 'site.yml',
    host,
    task: 'Do it',
    task_action: 'ansible.builtin.debug',
    duration: 1234,
    res,
    ...more,
  },
});
const events = [
  result('runner_on_ok', 'node1', { changed: true, msg: 'm' }),
  result('runner_on_failed', 'node1', { changed: false, results: [{ failed: true, item: 'i', msg: 'm' }] }),
  result('runner_on_failed', 'node2', { censored: 'c' }, { ignore_errors: true }),
  {
    ...result('playbook_on_stats', 'node1', {}),
    event_data: {
      processed: { node1: 1, node2: 1 },
      ok: { node1: 1234 },
      changed: { node1: 1 },
      failures: { node2: 1 },
      dark: {},
      skipped: {},
      ignored: {},
      rescued: {},
      artifact_data: { drill: { limit: 1234, held: true } },
    },
  },
];

describe('a secret that is a word of the format of events', () => {
  test.each(words)('changes no verdict: %s', async (word) => {
    expect(await judged.ask({ secrets: [word], events })).toEqual(await judged.ask({ secrets: [], events }));
  });

  test('is struck out of what Ansible said', async () => {
    const text = JSON.stringify(
      await scrubber.ask({
        secrets: ['changed'],
        text: result('runner_on_ok', 'node1', { msg: 'it is changed', changed: true }),
      }),
    );
    expect(text).toContain('it is [secret]');
    expect(text).toContain('"changed":true');
  });
});
