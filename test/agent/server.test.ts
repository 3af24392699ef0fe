import fc from 'fast-check';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { bundleOf } from '../support/definitions/bundles.ts';
import { python } from '../support/python.ts';

const scrubber = python(
  'from playsmith.execution.secret import Scrubber',
  'Scrubber(it["secrets"]).scrub(it["text"])',
);
const digest = python('from playsmith.files.bundle import digest_of', 'digest_of(it)');
const story = python('from playsmith.history.story import Story', '[Story().tell(each) for each in it]');
const whole = python(
  'from playsmith.history.story import Story',
  '(lambda story: [story.tell(each) for each in it])(Story())',
);
const results = python(
  'from playsmith.history.story import Story',
  '(lambda story: [story.tell(each) for each in it] and story.results)(Story())',
);
const compared = python(
  'import types\nfrom playsmith.history.record import compared',
  'compared(types.SimpleNamespace(run_names=lambda cluster: it["names"], run=lambda cluster, name: it["folder"] + "/" + name), it["own"], it["results"])',
);
const verdict = python('from playsmith.execution.run import verdict', 'verdict(*it)');
afterAll(() => {
  for (const program of [scrubber, digest, story, whole, results, compared, verdict]) program.close();
});

const text = fc.string({ unit: 'grapheme', maxLength: 30 });
/** What Python takes from both ends of a text: blanks, and the four separators of ASCII and U+0085 too. */
// oxlint-disable-next-line no-control-regex -- these are the characters
const blanks = /^[\s\x1C-\x1F\x85]+|[\s\x1C-\x1F\x85]+$/g;
/** Long enough without the blanks around it: a shorter one is left, as the file that it comes from may add a blank. */
const secret = fc
  .string({ unit: 'grapheme', minLength: 4, maxLength: 20 })
  .filter((value) => Array.from(value.replaceAll(blanks, '')).length >= 4 && !/^[[\]secret]*$/.test(value));

describe('the scrubber', () => {
  test('leaves no secret in any text, as it is or as JSON or base64 writes it', async () => {
    await fc.assert(
      fc.asyncProperty(secret, text, text, async (value, before, after) => {
        const forms = [value, JSON.stringify(value).slice(1, -1), Buffer.from(value).toString('base64')];
        // A key that is a word of every module's result ("name", "stdout") is left: this one never is one.
        const event = forms.map((form) => ({ [`: ${before}${form}`]: [`${before}${form}${after}`] }));
        const scrubbed = (await scrubber.ask({ secrets: [value], text: event })) as object[];
        const strings = scrubbed.flatMap((each) => Object.entries(each).flat(2) as string[]);
        expect(
          strings.filter((each) => each.includes(value) && !`${before}${after}`.includes(value)),
        ).toEqual([]);
        expect(strings.every((each) => each.includes('[secret]'))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test('strikes out a secret that became a number', async () => {
    expect(await scrubber.ask({ secrets: ['123456'], text: { res: 123456, rc: 0, ok: true } })).toEqual({
      res: '[secret]',
      rc: 0,
      ok: true,
    });
  });

  test('leaves texts without a secret as they are', async () => {
    const event = { a: ['some text', 1, null, true], b: { c: 'sec' } };
    expect(await scrubber.ask({ secrets: ['not in it', 'sec'], text: event })).toEqual(event);
    expect(await scrubber.ask({ secrets: ['sec\n', ' sec '], text: event })).toEqual(event);
    expect(await scrubber.ask({ secrets: [], text: event })).toEqual(event);
  });
});

describe('the digest of a bundle', () => {
  test('is the same here and there, whatever the texts hold', async () => {
    const files = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ unit: 'grapheme' }), {
      minKeys: 1,
    });
    await fc.assert(
      fc.asyncProperty(files, async (texts) => {
        const bundle = bundleOf(texts);
        const found = Object.fromEntries(
          bundle.files.map(({ path, mode, text: content }) => [path, { mode, text: content }]),
        );
        expect(await digest.ask(found)).toBe(bundle.digest);
      }),
      { numRuns: 100 },
    );
  });
});

const failedOn = (res: object, more: object = {}): object => ({
  event: 'runner_on_failed',
  counter: 7,
  event_data: { host: 'one', task: 'Do it', res, ...more },
});
const message = async (res: object): Promise<unknown> =>
  ((await story.ask([failedOn(res)])) as [{ message: string }])[0].message;

describe('the message of a failure', () => {
  test.each([
    ['the module says it', { msg: 'No package matching' }, 'No package matching'],
    ['the program says it', { msg: 'non-zero return code', stderr: 'a\nb\n' }, 'non-zero return code\na\nb'],
    ['the program says it on its output', { msg: '', stdout: 'only this' }, 'only this'],
    ['it is hidden', { censored: 'the output has been hidden' }, 'The task hides its output (no_log)'],
    ['it is a list', { msg: ['one', 'two'] }, 'one\ntwo'],
    [
      'items failed',
      {
        msg: 'One or more items failed',
        results: [{ item: 'a' }, { item: 'b', failed: true, msg: 'broken' }],
      },
      'b: broken',
    ],
  ])('is what %s', async (_, res, expected) => {
    expect(await message(res)).toBe(expected);
  });

  test('of a task of fail that did not let fail is what it says', async () => {
    const event_data = {
      host: 'a',
      task_action: 'ansible.builtin.fail',
      res: { changed: true, msg: 'held' },
    };
    expect(await story.ask([{ event: 'runner_on_ok', event_data }])).toMatchObject([
      { status: 'changed', message: 'held' },
    ]);
  });

  test('of a failure that is ignored is told as ignored', async () => {
    expect(await story.ask([failedOn({ msg: 'x' }, { ignore_errors: true })])).toMatchObject([
      { status: 'ignored' },
    ]);
  });
});

test('a task that is announced for each host counts once, and again in the next batch', async () => {
  const play = { event: 'playbook_on_play_start', event_data: { name: 'One' } };
  const begins = (task_uuid: string): object => ({
    event: 'playbook_on_task_start',
    event_data: { name: 'Leave', task_uuid },
  });
  const told = await whole.ask([play, begins('a'), begins('a'), begins('b'), play, begins('b'), begins('b')]);
  expect(told).toMatchObject([
    { type: 'play-started' },
    { number: 1 },
    null,
    { number: 2 },
    { type: 'play-started' },
    { number: 3 },
    null,
  ]);
});

describe('the verdict', () => {
  const recap = (more: object): object => ({ one: { failed: 0, unreachable: 0, ...more } });
  test.each([
    ['successful', 0, recap({}), false],
    ['failed', 2, recap({ failed: 1 }), false],
    ['unreachable', 4, recap({ unreachable: 1 }), false],
    ['failed', 4, recap({ unreachable: 1, failed: 1 }), false],
    ['error', 4, null, false],
    ['error', 250, recap({}), false],
    ['canceled', 99, recap({}), true],
    ['successful', 0, recap({}), true],
    ['error', null, null, false],
  ])('is %s for status %s, recap %j, cancelled %s', async (expected, ...it) => {
    expect(await verdict.ask(it)).toBe(expected);
  });
});

describe('what a playbook says of its run', () => {
  test('is what Ansible gathered with set_stats until the end', async () => {
    const stats = (data: object): object => ({
      event: 'playbook_on_stats',
      event_data: { processed: {}, ...data },
    });
    expect(await results.ask([stats({ artifact_data: { drill: { name: 'vip' } } })])).toEqual({
      drill: { name: 'vip' },
    });
    expect(await results.ask([stats({})])).toEqual({});
  });

  test('is compared with the last run of that playbook that said something', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'playsmith-records-'));
    const kept = { r1: 'drill-vip', r2: 'drill-vip', r3: 'drill-worker', r4: 'drill-vip' };
    for (const [name, playbook] of Object.entries(kept)) {
      mkdirSync(join(folder, name));
      const said = name === 'r4' ? {} : { results: { from: name } };
      writeFileSync(
        join(folder, name, 'record.json'),
        JSON.stringify({
          run: name,
          ended: '2026',
          status: 'successful',
          playbook: `${playbook}.yml`,
          ...said,
        }),
      );
    }
    const own = { run: 'r5', cluster: 'edge-a', playbook: 'drill-vip.yml' };
    const asked = { folder, names: [...Object.keys(kept), 'r5'], own, results: { from: 'r5' } };
    expect(await compared.ask(asked)).toEqual({
      results: { from: 'r5' },
      previous: { run: 'r2', results: { from: 'r2' } },
    });
    expect(await compared.ask({ ...asked, names: ['r3', 'r5'] })).toEqual({ results: { from: 'r5' } });
    expect(await compared.ask({ ...asked, results: {} })).toEqual({});
  });
});
