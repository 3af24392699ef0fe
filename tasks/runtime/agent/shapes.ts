import {
  dict,
  flag,
  isMap,
  list,
  map,
  nullable,
  number,
  optional,
  text,
  word,
  type ShapeTest,
} from '../../../generators/shape.ts';
import type { Answers, Requests } from './messages.ts';

/** A name of a run, of which paths of this machine are made. */
const run: ShapeTest = (value) => typeof value === 'string' && /^\w[\w.-]{0,200}$/.test(value);
const status = word('successful', 'failed', 'unreachable', 'canceled', 'error', 'lost', 'running');
const counts = map(
  Object.fromEntries(
    ['ok', 'changed', 'failed', 'unreachable', 'skipped', 'rescued', 'ignored'].map((key) => [key, number]),
  ),
);
const recap = dict(counts);
const scope = map({ targets: list(text) });
const options = map({
  ...Object.fromEntries(['limit', 'tags', 'skipTags'].map((key) => [key, optional(list(text))])),
  ...{ check: optional(flag), diff: optional(flag), forks: optional(number) },
  ...{ scope: optional(scope), variables: optional(dict(text)) },
});
const meta = map({
  ...{
    operator: text,
    definitionDigest: optional(text),
    commit: text,
    dirty: flag,
    plays: number,
    tasks: number,
  },
  commandLine: list(text),
});
const login = optional(nullable(map({ user: text, address: text, keys: list(text) })));
const brief = {
  ...{ run, cluster: text, playbook: text, digest: text, options, meta, login, status },
  ...{ started: text, ended: nullable(text), seconds: nullable(number), recap: nullable(recap) },
};
const arrival = map({ there: flag, wasThere: optional(flag) });
/** What lies there may have lost any part. */
const part = optional(text);
const holder = map({ who: part, since: part, what: part, run: part, alive: nullable(flag) });
const failure = map({ host: text, task: text, status: word('failed', 'unreachable'), message: text });
const results = {
  results: optional(dict(() => true)),
  previous: optional(map({ run: text, results: dict(() => true) })),
};
const timing = map({
  ...{ play: text, name: text, number, handler: flag, started: text, seconds: number },
  hosts: dict(map({ status: text, seconds: number })),
});
const texts = optional(list(text));
const recordKeys: Readonly<Record<string, ShapeTest>> = {
  ...{ ...brief, ...results, versions: optional(dict(text)), failures: optional(list(failure)) },
  ...{ loaded: optional(dict(map({ path: text, sha256: text }))), tasks: optional(list(timing)) },
  ...{ exitStatus: optional(nullable(number)), eventsLost: optional(number), fence: optional(number) },
  ...{ changedWhileRunning: texts, unstopped: texts },
  outline: optional(list(map({ name: text, tasks: number, batches: number }))),
};
const record = map(recordKeys);
/** A record as older versions wrote it may lack anything; what it has, is what it should be. */
export const partsOfRecord = map(
  Object.fromEntries(Object.entries(recordKeys).map(([key, shape]) => [key, optional(shape)])),
);
const ending = map({
  ...{ run, cluster: text, playbook: text, status, recap, seconds: nullable(number) },
  ...{
    failures: list(failure),
    eventsLost: nullable(number),
    exitStatus: nullable(number),
    tail: list(text),
  },
  ...{ eventsUnread: optional(number), changedWhileRunning: optional(nullable(list(text))), ...results },
});
const lastJob = map({ run: text, status: text, message: text, began: text, ended: text });
/** `follow` may be left in the middle. */
const runningRun = map({ run, status: word('running') });
const anything = map({});

/** What each question may be answered with. */
export const shapes: Readonly<Record<keyof Requests & keyof Answers, ShapeTest>> = {
  'stat-bundle': map({ there: flag, partial: text }),
  unpack: map({ there: flag }),
  receive: arrival,
  probe: anything,
  start: map({ run, warnings: list(text), first: optional(list(arrival)) }),
  follow: (value) => ending(value) || runningRun(value),
  log: map({ run, status, playbook: text, options }),
  record,
  list: map({ runs: list(map(brief)), unreadable: list(text), locks: dict(holder) }),
  status: map({ ...brief, lock: nullable(holder) }),
  cancel: map({ ...brief, unstopped: list(text) }),
  unlock: map({ removed: flag, holder: optional(anything), unstopped: texts }),
  gc: map({ runs: list(text), bundles: list(text), logs: list(text), leftovers: list(text), bytes: number }),
  life: map({ applied: text, digest: text, journal: text, lock: nullable(holder) }),
  'begin-apply': anything,
  'end-apply': anything,
  kept: map({ folder: text, files: list(text) }),
  'forget-kept': map({ removed: flag }),
  'compare-artifacts': map({ folder: text, missing: list(text), free: nullable(number) }),
  'take-artifact': anything,
  'sealing-key': map({ key: text }),
  several: map({ answers: list(isMap) }),
  fitness: map({
    ...{ 'ansible-core': text, 'ansible-runner': text, runner: flag, receptor: text, python: text },
    ...{ clock: number, certificate: number, free: number, collections: dict(text) },
  }),
  mesh: map({ version: text, answers: dict((value) => number(value) || text(value)) }),
  'keep-schedule': map({ installed: text, program: text }),
  'forget-schedule': map({ removed: flag }),
  schedule: map({
    schedule: nullable(map({ digest: text, installed: text, who: text, program: text })),
    jobs: list(map({ job: text, active: flag, next: text, last: nullable(lastJob) })),
  }),
  sweep: map({ released: list(text), left: number }),
};

const at = optional(text);
const countedEvent = { counter: number, at };
const shapeByEvent: Readonly<Record<string, ShapeTest>> = {
  'play-started': map({ name: text, ...countedEvent }),
  'task-started': map({ name: text, number, handler: flag, ...countedEvent }),
  'part-started': map({ name: text, number, ...countedEvent }),
  'host-finished': map({
    ...{ host: text, task: text, status: text, message: text, diff: text, seconds: number },
    ...countedEvent,
  }),
  warning: map({ text, counter: number }),
};

/** What is told before an answer; what is none of it is passed over. */
export const isTold: ShapeTest = (value) => {
  if (!isMap(value)) return false;
  if (value['type'] === undefined) return text(value['text']) || text(value['data']);
  return typeof value['type'] === 'string' && Object.hasOwn(shapeByEvent, value['type'])
    ? shapeByEvent[value['type']]?.(value) === true
    : false;
};

const failures: Readonly<Record<string, ShapeTest>> = {
  server: map({ message: text, evidence: text, next: text }),
  bundle: map({ message: text, evidence: text }),
  ...Object.fromEntries(
    ['connection', 'locked', 'run', 'stale'].map((kind) => [kind, map({ message: text, next: text })]),
  ),
};

/** Of a kind that a server may tell: what is wrong here, it cannot know. */
export const isFailure: ShapeTest = (value) =>
  isMap(value) && typeof value['kind'] === 'string' && Object.hasOwn(failures, value['kind'])
    ? failures[value['kind']]?.(value) === true
    : false;
