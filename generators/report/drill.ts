/** What a drill measured, as its playbook says it with `set_stats`; times in seconds. */
export interface Drill {
  readonly name: string;
  /** The longest time without an answer that the definition allows; 0: no limit. */
  readonly limit: number;
  /** In the order of their names. */
  readonly rounds: readonly DrillRound[];
  /** What a drill without a fault found, host by host. */
  readonly findings: readonly { readonly host: string; readonly text: string }[];
}

export interface DrillRound {
  /** The name of the fault. */
  readonly fault: string;
  readonly what: string;
  readonly host: string;
  /** The host that asked. */
  readonly witness: string;
  readonly asked: number;
  /** Asks without an answer. */
  readonly failed: number;
  /** The longest time from one answer to the next while requests failed; 0: none failed. */
  readonly longest: number;
  /** How long the fault lasted. */
  readonly held: number;
  /** Who reverted it: the run, or the host by itself. */
  readonly by: 'run' | 'host';
  /** Whether clients were answered steadily while it lasted. */
  readonly answered: boolean;
  /** From the end of the fault until the cluster was whole. */
  readonly recovered: number;
}

/** The drill among the results of a run; undefined where there is none, or none that can be read. */
export function drillOf(results: unknown): Drill | undefined {
  const drill = mapping(mapping(results)?.['drill']);
  const rounds = mapping(drill?.['rounds']);
  if (drill === undefined || rounds === undefined) return undefined;
  return {
    name: textOf(drill['name']),
    limit: numberOf(drill['limit']),
    rounds: Object.keys(rounds)
      .sort()
      .map((fault) => roundOf(fault, mapping(rounds[fault]) ?? {})),
    findings: Object.entries(mapping(drill['findings']) ?? {}).map(([host, text]) => ({
      host,
      text: textOf(text),
    })),
  };
}

const roundOf = (fault: string, round: DrillValues): DrillRound => ({
  fault,
  ...{ what: textOf(round['what']), host: textOf(round['host']), witness: textOf(round['witness']) },
  ...{ asked: numberOf(round['asked']), failed: numberOf(round['failed']) },
  ...{ longest: numberOf(round['longest']), held: numberOf(round['held']) },
  by: round['by'] === 'host' ? 'host' : 'run',
  answered: round['answered'] === true,
  recovered: numberOf(round['recovered']),
});

type DrillValues = Readonly<Record<string, unknown>>;

const mapping = (value: unknown): DrillValues | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as DrillValues) : undefined;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const numberOf = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : 0;

/** Rounds in which clients waited longer than the definition allows. */
export const tooSlow = ({ limit, rounds }: Drill): readonly DrillRound[] =>
  limit === 0 ? [] : rounds.filter(({ longest }) => longest > limit);

/** One sentence a round, compared with the same round of the drill before, or a host. */
export const drillLines = (drill: Drill, before?: Drill): readonly string[] => [
  ...drill.rounds.map((round) => {
    const last = before?.rounds.find(({ fault }) => fault === round.fault);
    const parts = [
      round.failed === 0
        ? `no request of ${round.asked} failed`
        : `${seconds(round.longest)} without an answer, ${round.failed} of ${round.asked} requests failed`,
      last === undefined ? '' : `last time ${seconds(last.longest)}`,
      drill.limit === 0 ? '' : `limit ${seconds(drill.limit)}`,
      `reverted after ${round.held} s${round.by === 'host' ? ' by the host itself' : ''}`,
      `whole again ${seconds(round.recovered)} later`,
    ];
    return `${round.what} (${round.host}): ${parts.filter((part) => part !== '').join('; ')}`;
  }),
  ...drill.findings.map(({ host, text }) => `${host}: ${text}`),
];

const seconds = (time: number): string => `${time.toFixed(1)} s`;
