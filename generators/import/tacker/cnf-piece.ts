import { flowText } from '../../source/flow-text.ts';
import { isSecretName } from '../masked.ts';
import { safeName } from '../names.ts';
import { isLikeSecret } from '../secret-values.ts';
import { field, isTrue, itemsOf, textAt, textOf } from '../../source/foreign/look.ts';
import type { ForeignNode } from '../../source/foreign/node.ts';

/** What to write below `cnfs` for the parameters of an InstantiateVnfRequest, as notes, and the command that comes then. */
export function cnfPiece(
  parameters: ForeignNode,
  instance: ForeignNode | undefined,
): { readonly commands: readonly string[]; readonly notes: readonly string[] } {
  const files = itemsOf(field(parameters, 'lcm-kubernetes-def-files')).flatMap((each) => textOf(each) ?? []);
  const charts = [...secondApi(parameters), ...firstApi(parameters)];
  const namespace = textAt(parameters, 'namespace') ?? textAt(instance, 'metadata', 'namespace');
  const name = safeName(
    textAt(instance, 'vnfInstanceName') ??
      files[0]
        ?.split('/')
        .at(-1)
        ?.replace(/\.\w+$/, '') ??
      charts[0]?.release ??
      'cnf',
    'cnf',
  );
  const outside = charts.filter(({ chart }) => chart === '');
  return {
    commands: [`npx task cnf-instantiate ${name}`],
    notes: [
      'first write into the definition, below `cnfs`, paths being those of the VNF package beside it:',
      `  - name: ${name}`,
      ...(namespace === undefined ? [] : [`    namespace: ${flowText(namespace)}`]),
      ...(files.length === 0
        ? []
        : [`    manifests: [${files.map((file) => JSON.stringify(file)).join(', ')}]`]),
      ...(charts.length === 0 ? [] : ['    helm:', ...charts.flatMap(chartLines)]),
      ...charts.flatMap(({ secrets }) => secrets.map(secretNote)),
      ...outside.map(
        ({ title }) => `the chart ${title} is in a repository: helm pull brings it beside the definition`,
      ),
      ...(field(parameters, 'helm_replica_values', 'helm_value_names')
        ? [
            'what is scaled through values of a chart: name the Deployments and StatefulSets that it makes in `scaling`',
          ]
        : ['what is scaled: name the aspects of the VNFD and their Deployments in `scaling`']),
    ],
  };
}

interface Chart {
  /** Empty: it is in a repository. */
  readonly chart: string;
  readonly title: string;
  readonly release: string | undefined;
  readonly set: readonly string[];
  /** Parameters whose values are secret, which a definition does not hold. */
  readonly secrets: readonly string[];
}

const secretNote = (name: string): string =>
  `${name} is left out, since its value is a secret: have the chart take it from a Secret of the namespace`;

const chartLines = ({ chart, title, release, set }: Chart): readonly string[] => [
  `      - chart: ${JSON.stringify(chart === '' ? `charts/${title}` : chart)}`,
  ...(release === undefined ? [] : [`        release: ${flowText(release)}`]),
  ...(set.length === 0 ? [] : [`        set: [${set.map((each) => JSON.stringify(each)).join(', ')}]`]),
];

/** `helm_chart_path` with `helm_parameters`, a mapping. */
function secondApi(parameters: ForeignNode): readonly Chart[] {
  const chart = textAt(parameters, 'helm_chart_path');
  if (chart === undefined) return [];
  const told = field(parameters, 'helm_parameters');
  const settings =
    told?.kind === 'map' ? told.entries.map(({ key, value }) => `${key}=${textOf(value) ?? ''}`) : [];
  return [{ chart, title: chart, release: textAt(parameters, 'helm_release_name'), ...settingsOf(settings) }];
}

/** `using_helm_install_param`, a list of charts in the package or in repositories. */
const firstApi = (parameters: ForeignNode): readonly Chart[] =>
  itemsOf(field(parameters, 'using_helm_install_param')).map((each) => {
    const isOutside = isTrue(field(each, 'exthelmchart'));
    return {
      chart: isOutside ? '' : (textAt(each, 'helmchartfile_path') ?? ''),
      title: textAt(each, 'helmchartname') ?? textAt(each, 'helmchartfile_path') ?? 'chart',
      release: textAt(each, 'helmreleasename'),
      ...settingsOf(itemsOf(field(each, 'helmparameter')).flatMap((setting) => textOf(setting) ?? [])),
    };
  });

/** `name=value` each. */
function settingsOf(settings: readonly string[]): Pick<Chart, 'set' | 'secrets'> {
  const isSecret = (setting: string): boolean => {
    const [name = '', ...value] = setting.split('=');
    const isNamed = isSecretName(name) && !/existing_?secret/i.test(name);
    return (isNamed && !/^(?:true|false)?$/.test(value.join('='))) || isLikeSecret(value.join('='));
  };
  return {
    set: settings.filter((each) => !isSecret(each)),
    secrets: settings.filter(isSecret).map((each) => each.split('=')[0] ?? ''),
  };
}
