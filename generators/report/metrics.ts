/** One name of metrics with all its values, as Prometheus reads them. */
export interface Metric {
  readonly name: string;
  /** One sentence for people, with the unit where the name has none. */
  readonly help: string;
  readonly samples: readonly MetricSample[];
}

export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Gauges in Prometheus' text format; what has no value is left out, as an absent metric says so best. */
export const exposition = (metrics: readonly Metric[]): string =>
  metrics
    .map((metric) => ({ ...metric, samples: metric.samples.filter(({ value }) => Number.isFinite(value)) }))
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, help, samples }) => [
      `# HELP ${name} ${escapeLabel(help)}`,
      `# TYPE ${name} gauge`,
      ...samples.map(({ labels, value }) => `${name}{${pairs(labels)}} ${String(value)}`),
    ])
    .map((line) => `${line}\n`)
    .join('');

const pairs = (labels: MetricSample['labels']): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value).replaceAll('"', '\\"')}"`)
    .join(',');

const escapeLabel = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
