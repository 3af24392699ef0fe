/** How Kubernetes' own tests judged a cluster, as the playbook says it with `set_stats`. */
export interface Conformance {
  /** Like `v1.37.2`. */
  readonly version: string;
  readonly passed: number;
  readonly failed: readonly string[];
  readonly seconds: number;
}

/** The judgement among the results of a run; undefined where there is none, or none that can be read. */
export function conformanceOf(results: unknown): Conformance | undefined {
  const found = mapping(mapping(results)?.['conformance']);
  const { version, passed, failed, seconds } = found ?? {};
  if (typeof version !== 'string' || typeof passed !== 'number' || !Array.isArray(failed)) return undefined;
  return {
    version,
    passed,
    failed: failed.filter((name): name is string => typeof name === 'string'),
    seconds: typeof seconds === 'number' ? seconds : 0,
  };
}

const mapping = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;

/** The judgement in a sentence, then the name of each test that failed. */
export const conformanceLines = ({ version, passed, failed, seconds }: Conformance): readonly string[] => [
  `conformance of ${version}: ${passed} tests passed, ${failed.length} failed, in ${Math.round(seconds / 60)} minutes`,
  ...failed.map((name) => `failed: ${name}`),
];
