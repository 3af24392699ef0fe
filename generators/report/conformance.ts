/** How Kubernetes' own tests judged a cluster, as the playbook says it with `set_stats`. */
export interface Conformance {
  /** Like `v1.37.2`. */
  readonly version: string;
  readonly passed: number;
  readonly failed: readonly string[];
  /** Name of a test that failed → what it said first, as far as it is known. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly seconds: number;
}

/** The judgement among the results of a run; undefined where there is none, or none that can be read. */
export function conformanceOf(results: unknown): Conformance | undefined {
  const found = mapping(mapping(results)?.['conformance']);
  const { version, passed, failed, reasons, seconds } = found ?? {};
  if (typeof version !== 'string' || typeof passed !== 'number' || !Array.isArray(failed)) return undefined;
  return {
    version,
    passed,
    failed: failed.filter((name): name is string => typeof name === 'string'),
    reasons: Object.fromEntries(
      Object.entries(mapping(reasons) ?? {}).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    ),
    seconds: typeof seconds === 'number' ? seconds : 0,
  };
}

const mapping = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;

/** The judgement in a sentence, then each test that failed, and why. */
export const conformanceLines = ({
  version,
  passed,
  failed,
  reasons,
  seconds,
}: Conformance): readonly string[] => [
  `conformance of ${version}: ${passed} tests passed, ${failed.length} failed, in ${Math.round(seconds / 60)} minutes`,
  ...failed.flatMap((name) => [`failed: ${name}`, ...(reasons[name] ? [`  ${reasons[name]}`] : [])]),
];
