import { releaseOf } from '../../catalog/kubespray/releases.ts';
import { hasGap } from '../gaps.ts';
import { defaults } from '../defaults.ts';
import type { Draft } from '../schema/schema.ts';

export type WrittenCnf = NonNullable<NonNullable<Draft['cnfs']>[number]>;

/** One thing that manifests come from. */
export interface CnfSource {
  /** What it is found by among the files of a definition: a path, a path with `*`, or a chart with all that is told to helm. */
  readonly key: string;
  readonly kind: 'file' | 'files' | 'chart';
  /** Where the definition says it, below the CNF. */
  readonly path: readonly (string | number)[];
  /** What people are told, and what the file in the bundle is named after. */
  readonly title: string;
}

/** What `helm template` is told. */
export interface ChartRequest {
  readonly chart: string;
  readonly release: string;
  readonly namespace: string;
  readonly version: string;
  readonly values: unknown;
  readonly set: readonly string[];
}

/** Every source of every CNF. */
export const cnfSourcesOf = (draft: Draft): readonly CnfSource[] =>
  (draft.cnfs ?? []).flatMap((cnf) => (cnf ? sourcesOf(cnf, versionOf(draft)) : []));

/** The version of Kubernetes that charts are rendered for and kinds are judged by; empty: unknown. */
export function versionOf({ installer }: Draft): string {
  const { kubernetes, version = '' } = installer?.kubespray ?? {};
  if (hasGap({ installer }, 'installer.kubespray.kubernetes')) return '';
  return installer?.kubeadm?.version ?? kubernetes ?? releaseOf(version)?.usual ?? '';
}

/** The sources of one CNF in their order: manifests, then charts. */
export const sourcesOf = (cnf: WrittenCnf, version: string): readonly CnfSource[] => [
  ...(cnf.manifests ?? []).flatMap<CnfSource>((file, index) =>
    file === undefined
      ? []
      : [{ key: file, kind: isPattern(file) ? 'files' : 'file', path: ['manifests', index], title: file }],
  ),
  ...(cnf.helm ?? []).flatMap<CnfSource>((each, index) =>
    each?.chart === undefined
      ? []
      : [
          {
            key: chartKey({
              chart: each.chart,
              release: each.release ?? cnf.name ?? '',
              namespace: cnf.namespace ?? defaults.cnf.namespace,
              version,
              values: each.values ?? {},
              set: (each.set ?? []).filter((setting) => setting !== undefined),
            }),
            kind: 'chart',
            path: ['helm', index, 'chart'],
            title: each.chart,
          },
        ],
  ),
];

/** True for a path with a wildcard. */
export const isPattern = (path: string): boolean => !isChartKey(path) && path.includes('*');

/** True for a file whose name fits the last part of a pattern, in which `*` stands for any text. */
export const fitsPattern = (name: string, pattern: string): boolean =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('.*')}$`,
    'u',
  ).test(name) && !name.startsWith('.');

const chartWord = 'helm template ';

/** By which name what helm makes of a chart is found among the files of a definition. */
export const chartKey = (request: ChartRequest): string => `${chartWord}${JSON.stringify(request)}`;

/** True for a name of a file that stands for a chart. */
export const isChartKey = (key: string): boolean => key.startsWith(chartWord);

/** What a chart's key says. */
export const chartOf = (key: string): ChartRequest => JSON.parse(key.slice(chartWord.length)) as ChartRequest;
