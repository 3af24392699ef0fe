/** What a client saw of an address while it asked it twenty times a second, in seconds since the probe's start. */
export interface ProbeResult {
  readonly seconds: number;
  readonly asked: number;
  readonly answered: number;
  /** Spans of 0.3 s or more from the end of one answer to the end of the next. */
  readonly gaps: readonly { readonly from: number; readonly seconds: number }[];
  /** The hosts that answered, in the order of their first answer; an answer that names no host counts under an empty name. */
  readonly answeredBy: readonly {
    readonly name: string;
    readonly first: number;
    readonly last: number;
    readonly count: number;
  }[];
}

/** One line of probe.py. */
export interface Attempt {
  readonly asked: number;
  readonly ended: number;
  readonly ok: boolean;
  readonly by: string;
}

/** Gaps and answers out of what probe.py wrote; attempts overlap, so the order is that of their ends. */
export function probeResult(attempts: readonly Attempt[]): ProbeResult {
  const ordered = [...attempts].sort((a, b) => a.ended - b.ended);
  const answers = ordered.filter(({ ok }) => ok);
  const seconds = ordered.at(-1)?.ended ?? 0;
  return {
    seconds,
    asked: ordered.length,
    answered: answers.length,
    gaps: gapsOf([0, ...answers.map(({ ended }) => ended), seconds]),
    answeredBy: [...new Set(answers.map(({ by }) => by))].map((name) => {
      const own = answers.filter(({ by }) => by === name).map(({ ended }) => ended);
      return { name, first: own[0] ?? 0, last: own.at(-1) ?? 0, count: own.length };
    }),
  };
}

const gapsOf = (ends: readonly number[]): ProbeResult['gaps'] =>
  ends
    .slice(1)
    .map((end, index) => ({ from: ends[index] ?? 0, seconds: roundMilliseconds(end - (ends[index] ?? 0)) }))
    .filter(({ seconds }) => seconds >= shortestGap);

const roundMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;
const shortestGap = 0.3;
