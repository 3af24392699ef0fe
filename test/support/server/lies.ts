import fc from 'fast-check';

const run = '20261124T000000Z-x-0000';
const counts = { ok: 1, changed: 0, failed: 0, unreachable: 0, skipped: 0, rescued: 0, ignored: 0 };
const meta = { operator: 'Ada', commit: '', dirty: false, plays: 1, tasks: 2, commandLine: ['task'] };
const brief = {
  ...{ run, cluster: 'try', playbook: 'site.yml', digest: 'd', options: {}, meta, status: 'successful' },
  ...{ started: 't', ended: 't', seconds: 1, recap: { cp1: counts } },
};
const failure = { host: 'cp1', task: 'Do', status: 'failed', message: 'm' };
const step = { operation: 'site', targets: [], brings: [], why: [], state: 'failed', run, bundle: 'd' };
const journal = { fence: 'f', state: 'failed', plan: 'p', who: 'w', started: 't', steps: [step] };
const fact = { run, operation: 'site', targets: [], bundle: 'd', status: 'failed', recap: {}, effect: {} };
const ledger = { apiVersion: 'playsmith/v1', kind: 'Applied', base: null, snapshots: {}, facts: [] };

/** What an honest server answers, by what it is asked; `folder` has the files that a playbook would have kept. */
export const truths = (folder: string): Readonly<Record<string, object>> => ({
  'stat-bundle': { there: true, partial: `${folder}/bundle` },
  unpack: { there: true },
  receive: { there: true, wasThere: false },
  start: { run, warnings: [] },
  follow: { ...brief, failures: [], eventsLost: 0, exitStatus: 0, tail: ['t'] },
  log: brief,
  record: { ...brief, versions: {}, failures: [failure], tasks: [] },
  list: {
    runs: [brief],
    unreadable: ['/f'],
    locks: { try: { who: 'w', since: 't', what: 'x', run, alive: false } },
  },
  status: { ...brief, lock: null },
  cancel: { ...brief, unstopped: ['on cp1'] },
  unlock: { removed: true, holder: { who: 'w' }, unstopped: [] },
  gc: { runs: [run], bundles: ['d'], logs: ['/l'], leftovers: [], bytes: 1 },
  life: { applied: JSON.stringify(ledger), digest: 'd', journal: JSON.stringify(journal), lock: null },
  kept: {
    folder,
    files: ['kubeconfig', 'tacker-vim.yaml', 'etcd-20261124T000000Z.db', 'etcd-20261124T000000Z.db.sha256'],
  },
  'forget-kept': { removed: true },
  'compare-artifacts': { folder, missing: ['index.json'], free: null },
  'sealing-key': { key: '-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n' },
  fitness: {
    ...{ 'ansible-core': '2.16.3', 'ansible-runner': '2.4.0', runner: true, receptor: '1.5.1' },
    ...{ python: '3.11.2', clock: 1, certificate: 1, free: 1, collections: { 'ansible.posix': '1.5' } },
  },
  mesh: { version: '1.5.1', answers: { control: 1, exec: 'no route' } },
  'keep-schedule': { installed: 't', program: 'p' },
  'forget-schedule': { removed: true },
  schedule: {
    schedule: { digest: 'd', installed: 't', who: 'w', program: 'p' },
    jobs: [
      {
        ...{ job: 'drift', active: true, next: '@1' },
        last: { run, status: 'failed', message: 'm', began: 't', ended: 't' },
      },
    ],
  },
  sweep: { released: [], left: 0 },
});

/** What programs print that are no conversation, one after the other. */
export const shown = [
  'system=Debian',
  ...['python=3.11', 'ansible=2.16', 'runner=2.4', 'ssh=/usr/bin/ssh', 'writable=yes', 'free=9000000'],
  ...['reached=yes', 'checkout=/opt/osa', 'version=32.0.0', 'layout=integrated', 'configured=yes'],
  ...['tree=/opt/kubespray', 'files=verified', 'path=/srv/kubespray.tar.gz', 'there=yes', ''],
].join('\n');

/** Words that a path, a terminal or a shell would act on. */
const words = [
  ...[
    '../../../.bashrc',
    '../../.ssh/id_ed25519',
    '/etc/passwd',
    '.',
    '..',
    'a/b',
    '~',
    '-rf',
    '$(id)',
    '`id`',
  ],
  ...['"; id', '\u001b[2J', '\u202e', 'successful', 'running', 'lost', 'locked', run, '', 'a\nb', '}{: "'],
  ...['{"steps":[]}', '{"facts":null}', '{}', '[]', 'null', 'x'.repeat(5000)],
  ...[
    {},
    { facts: [fact], snapshots: { d: {} } },
    { facts: [fact], snapshots: { d: { phases: 1, machines: null } } },
  ]
    .concat([
      { base: {} } as never,
      { base: { whole: {}, phases: [], members: { cp1: 1 }, version: 2, cnfs: 'x' } } as never,
    ])
    .map((more) => JSON.stringify({ ...ledger, ...more })),
  ...[
    '{"apiVersion":"playsmith/v1","kind":"Applied"}',
    JSON.stringify({ ...journal, steps: [{ ...step, targets: 1 }] }),
  ],
];
const names = [
  'run',
  'status',
  'recap',
  'meta',
  'options',
  'tail',
  'cp1',
  'message',
  '__proto__',
  'kind',
  'type',
  'key',
  'length',
];
const lie = fc.letrec<{ readonly value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    fc.constantFrom<unknown>(null, true, false, 0, -1, 1e308, ...words),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
  ),
})).value;

/** An answer as it should be, but for one place, at any depth; where a text was, it is mostly another text. */
const bent = (truth: unknown): fc.Arbitrary<unknown> =>
  fc.constantFrom(...placesIn(truth)).chain((place) => {
    const text = {
      arbitrary: fc.constantFrom<unknown>(...words),
      weight: typeof at(truth, place) === 'string' ? 4 : 0,
    };
    return fc.oneof(text, { arbitrary: lie, weight: 1 }).map((value) => put(truth, place, value));
  });

/** For each text of an answer the same with what would hurt most; of programs, nothing that is certain. */
export const worstLies = (truth: object | undefined): readonly string[] =>
  placesIn(truth)
    .filter((place) => typeof at(truth, place) === 'string')
    .flatMap((place) =>
      ['../../.ssh/id_ed25519', '../../../.bashrc', '\u001b[2J'].map((word) => line(put(truth, place, word))),
    );

const at = (value: unknown, place: readonly string[]): unknown =>
  place.reduce((into, key) => (into as Record<string, unknown>)[key], value);

const placesIn = (value: unknown, at: readonly string[] = []): readonly (readonly string[])[] =>
  typeof value === 'object' && value !== null
    ? [at, ...Object.entries(value).flatMap(([key, each]) => placesIn(each, [...at, key]))]
    : [at];

function put(into: unknown, [first, ...rest]: readonly string[], value: unknown): unknown {
  if (first === undefined) return value;
  const inner = put((into as Record<string, unknown>)[first], rest, value);
  return Array.isArray(into)
    ? into.map((each: unknown, at) => (String(at) === first ? inner : each))
    : { ...(into as object), [first]: inner };
}

const line = (value: unknown, as = 'done'): string => `${JSON.stringify({ [as]: value })}\n`;
const told = fc.record({ as: fc.constantFrom('event', 'event', 'failure', 'done'), value: lie });

/** What a liar prints when it is asked this; a question of the shell has no shape. */
export const liesTo = (truth: object | undefined): fc.Arbitrary<string> =>
  truth === undefined
    ? fc.oneof(
        fc.constantFrom(...raw),
        fc.array(shell, { maxLength: 6 }).map((lines) => `${lines.join('\n')}\n`),
      )
    : fc.oneof(
        { arbitrary: bent(truth).map((value) => line(value)), weight: 6 },
        { arbitrary: told.map(({ as, value }) => line(value, as) + line(truth)), weight: 2 },
        { arbitrary: fc.constantFrom(...raw, line(truth).slice(0, -9)), weight: 1 },
      );

const shell = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...shown.split('\n').map((text) => text.split('=')[0] ?? '')),
      fc.constantFrom(...words),
    )
    .map(([name, word]) => `${name}=${word}`),
  fc.constantFrom(
    ...words.flatMap((word) => ['192.0.2.11', '192.0.2.21'].map((host) => `${host} ssh-ed25519 ${word}`)),
  ),
);

/** Binary, torn, no JSON, no object, nothing, and a name that every object has. */
const raw = [
  '\u0000\u0001\xff\xfe\n',
  '{"done":',
  '{"done":{"a":\n',
  '{]\n',
  '[]\n',
  'null\n',
  '\n',
  '{"constructor":1}\n',
  '{"done":null}\n',
];
