import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ChartRequest } from '../../../generators/definition/cnf/sources.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { lastLines, program } from '../../runtime/program.ts';

/**
 * What `helm template` (Helm 3) makes of a chart, by the helm of this machine; relative paths start at `folder`. It is
 * rendered twice: a chart that makes up a password would give another bundle each time, and is refused.
 */
export async function renderChart(chart: ChartRequest, folder: string): Promise<Result<string, string>> {
  const first = await templateChart(chart, folder);
  if (!first.ok) return first;
  const second = await templateChart(chart, folder);
  if (!second.ok || second.value !== first.value)
    return failed(
      `the chart ${chart.chart} renders to something else each time; give the values that it makes up, like passwords and certificates`,
    );
  return first;
}

async function templateChart(chart: ChartRequest, folder: string): Promise<Result<string, string>> {
  const done = await program(argvOf(chart, folder), {
    cwd: folder,
    input: `${JSON.stringify(chart.values)}\n`,
    timeout: 120,
  });
  if (done.ok) return ok(done.value.stdout);
  const { status, message } = done.failure;
  return failed(
    status === 127
      ? `the chart ${chart.chart} cannot be rendered: helm is not on this machine`
      : `the chart ${chart.chart} cannot be rendered: ${lastLines(done.failure, 2).replaceAll(/\s+/g, ' ') || message}`,
  );
}

const argvOf = (
  { chart, release, namespace, version, set }: ChartRequest,
  folder: string,
): readonly string[] => [
  ...[
    'helm',
    'template',
    release,
    chart.startsWith('~/') ? join(homedir(), chart.slice(2)) : resolve(folder, chart),
  ],
  ...['--namespace', namespace, '--skip-tests', '--include-crds', '--values', '-'],
  ...(version === '' ? [] : ['--kube-version', version]),
  ...set.flatMap((setting) => ['--set', setting]),
];
