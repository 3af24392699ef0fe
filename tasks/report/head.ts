import type { HistoryLine, LabelledValue, RunHead } from '../../generators/report/report.ts';
import type { RunBrief, RunOptions, RunRecord } from '../runtime/agent/run-records.ts';

/** What a record says of its run as a whole. */
export function headOf(record: RunBrief, now: string): RunHead {
  const { run, playbook, status, options, started, ended, seconds, meta } = record;
  const sofar = (Date.parse(ended ?? now) - Date.parse(started)) / 1000;
  return {
    id: run,
    playbook: playbook.replace(/\.yml$/, ''),
    status,
    check: options.check ?? false,
    ...{ started, ended: ended ?? '' },
    seconds: seconds ?? Math.max(0, sofar),
    total: meta.tasks,
    facts: factsOf(record),
  };
}

function factsOf({ run, digest, meta, login, options, started, ended }: RunBrief): readonly LabelledValue[] {
  const commit = meta.commit === '' ? 'none: not in git' : meta.commit;
  return [
    ['Run', run],
    ['Who', meta.operator],
    ['Logged in', loginText(login)],
    ['Command', meta.commandLine.join(' ')],
    ['Commit', meta.dirty && meta.commit !== '' ? `${commit}, with changes that are not committed` : commit],
    ['Bundle', digest],
    ['Definition', meta.definitionDigest],
    ['Started', started],
    ['Ended', ended ?? ''],
    ...optionRows(options),
  ]
    .map(([label = '', value = '']) => ({ label, value }))
    .filter(({ value }) => value !== '');
}

/** As sshd knows it: git's name beside it is what its owner wrote. */
function loginText(login: RunBrief['login']): string {
  if (!login) return '';
  const from = login.address === '' ? '' : ` from ${login.address}`;
  return `${login.user}${from}${login.keys.map((key) => ` with ${key}`).join('')}`;
}

const optionRows = ({
  limit,
  tags,
  skipTags,
  forks,
  scope,
  variables = {},
}: RunOptions): readonly string[][] => [
  ['Targets', scope?.targets.join(', ') ?? ''],
  ['Limited to', limit?.join(', ') ?? ''],
  ['Tags', tags?.join(', ') ?? ''],
  ['Without tags', skipTags?.join(', ') ?? ''],
  ['Side by side', forks === undefined ? '' : String(forks)],
  [
    'Variables',
    Object.entries(variables)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
  ],
];

/** Records → lines, the latest first. */
export const historyOf = (records: readonly RunRecord[], most: number): readonly HistoryLine[] =>
  records
    .slice(-most)
    .toReversed()
    .map(({ run, playbook, options, status, started, seconds, recap, meta, digest }) => ({
      ...{ run, status, started, digest, operator: meta.operator },
      playbook: playbook.replace(/\.yml$/, ''),
      check: options.check ?? false,
      seconds: seconds ?? 0,
      hosts: Object.keys(recap ?? {}).length,
      changed: Object.values(recap ?? {}).reduce((sum, { changed }) => sum + changed, 0),
    }));
