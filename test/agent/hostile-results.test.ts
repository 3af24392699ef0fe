import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { python } from '../support/python.ts';

const heard = python(
  `import tempfile, traceback
from playsmith.execution.secret import Scrubber
from playsmith.history import events, limits, record
from playsmith.messages import facts, tree
scrubber = Scrubber(["canary-of-a-secret"])
folder = tempfile.mkdtemp()
def tried(given):
    try:
        return taken(given)
    except Exception:
        return traceback.format_exc()
def taken(given):
    """All that is made of the events of a run, up to its record and its messages."""
    timings = record.Timings([])
    kept = [scrubber.scrub(limits.limited(each)) for each in given]
    for each in kept:
        events.line_of(each)
        timings.take(each)
    story = timings.story
    found = {
        "run": "r", "cluster": "c", "playbook": "site.yml", "options": {}, "meta": {"operator": "Ada"}, "status": "failed", "ended": "then",
        "recap": story.recap or {}, "results": story.results, "failures": list(timings.failures.values()), "tasks": timings.tasks,
    }
    record.save(folder, found)
    list(tree.plays(kept))
    facts.of_run({}, dict(found, status="successful"))
    return facts.of_run({}, found)["result"]`,
  'tried(it)',
);
afterAll(() => {
  heard.close();
});

const keys = ['msg', 'results', 'stderr', 'stdout', 'module_stderr', 'changed', 'censored', 'item', 'failed'];
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', '\udcff', '', '\u0000', 1e300, -1, '_ansible_item_label'),
);
const item = fc.dictionary(fc.constantFrom(...keys, '_ansible_item_label'), anything, { maxKeys: 4 });
const res = fc.dictionary(
  fc.constantFrom(...keys),
  fc.oneof(anything, fc.array(fc.oneof(item, anything), { maxLength: 3 })),
  { maxKeys: 6 },
);
const status = fc.constantFrom(
  ...['runner_on_ok', 'runner_on_failed', 'runner_on_unreachable', 'runner_on_skipped'],
);
const said = fc.dictionary(
  fc.constantFrom('drill', 'conformance'),
  fc.oneof(
    anything,
    fc.dictionary(
      fc.constantFrom('limit', 'rounds', 'held'),
      fc.oneof(anything, fc.array(anything), fc.dictionary(fc.constantFrom('a', 'b'), anything)),
    ),
    fc.record({ limit: anything, rounds: fc.record({ a: fc.record({ longest: anything }) }) }),
  ),
);

test('whatever a host answers ends no run, and keeps none from being written down', async () => {
  const created = '2026-01-01T00:00:00.000000+00:00';
  const task = { task: 'Do it', task_uuid: 't', task_action: 'ansible.builtin.debug', host: 'one' };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(status, res), { maxLength: 3 }), said, async (all, artifact_data) => {
      const told = await heard.ask([
        { event: 'playbook_on_play_start', created, event_data: { name: 'Play', play_uuid: 'p' } },
        { event: 'playbook_on_task_start', created, event_data: { ...task, name: 'Do it' } },
        ...all.map(([event, each]) => ({ event, created, event_data: { ...task, res: each } })),
        { event: 'playbook_on_stats', created, event_data: { processed: { one: 1 }, artifact_data } },
      ]);
      expect(told).toBe('failed');
    }),
    { numRuns: 200 },
  );
});
