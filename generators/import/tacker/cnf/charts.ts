import { flowText } from '../../../source/flow-text.ts';
import { field, isTrue, itemsOf, plainOf, textAt, textOf } from '../../../source/foreign/look.ts';
import type { ForeignNode } from '../../../source/foreign/node.ts';
import { isSecretName } from '../../masked.ts';
import { isLikeSecret } from '../../secret-values.ts';

/** A chart that a request names. */
export interface Chart {
  /** Empty: it is in a repository. */
  readonly chart: string;
  readonly title: string;
  readonly release: string | undefined;
  readonly set: readonly string[];
  /** What stands below one parameter, as `values` of the chart. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Parameters whose values are secret, which a definition does not hold. */
  readonly secrets: readonly string[];
}

export const secretNote = (name: string): string =>
  `${name} is left out, since its value is a secret: have the chart take it from a Secret of the namespace`;

export const chartLines = ({ chart, title, release, set, values }: Chart): readonly string[] => [
  `      - chart: ${JSON.stringify(chart === '' ? `charts/${title}` : chart)}`,
  ...(release === undefined ? [] : [`        release: ${flowText(release)}`]),
  ...(Object.keys(values).length === 0 ? [] : [`        values: ${JSON.stringify(values)}`]),
  ...(set.length === 0 ? [] : [`        set: [${set.map((each) => JSON.stringify(each)).join(', ')}]`]),
];

/** The charts of a request to instantiate, by either version of the API. */
export const chartsOf = (parameters: ForeignNode): readonly Chart[] => [
  ...secondApi(parameters),
  ...firstApi(parameters),
];

/** `helm_chart_path` with `helm_parameters`, a mapping; what is no text there is no value of `--set`. */
function secondApi(parameters: ForeignNode): readonly Chart[] {
  const chart = textAt(parameters, 'helm_chart_path');
  if (chart === undefined) return [];
  const told = field(parameters, 'helm_parameters');
  const entries = told?.kind === 'map' ? told.entries : [];
  const plain = entries.filter(({ value }) => value.kind === 'scalar');
  const nested = entries.filter(({ value }) => value.kind !== 'scalar');
  const { set, secrets } = settingsOf(plain.map(({ key, value }) => `${key}=${textOf(value) ?? ''}`));
  return [
    {
      ...{ chart, title: chart, release: textAt(parameters, 'helm_release_name'), set },
      values: nested
        .map(({ key, value }) => within(key, valueOf(value, lastOf(key))))
        .reduce(mergeValues, {}),
      secrets: [...secrets, ...nested.flatMap(({ key, value }) => secretsIn(value, key))],
    },
  ];
}

type Values = Chart['values'];

/** `a.b` is `b` below `a`, as for helm; a point behind a backslash belongs to the name. */
const within = (path: string, value: unknown): Values =>
  path
    .split(/(?<!\\)\./)
    .map((name) => name.replaceAll('\\.', '.'))
    .reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Values;

const isMapping = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mergeValues = (one: Values, other: Values): Values => ({
  ...one,
  ...Object.fromEntries(
    Object.entries(other).map(([key, value]) => {
      const before = one[key];
      return [key, isMapping(before) && isMapping(value) ? mergeValues(before, value) : value];
    }),
  ),
});

/** Data without its secrets; `name` is its key, or that of what holds it, where that asks for a secret. */
function valueOf(node: ForeignNode, name: string): unknown {
  if (node.kind === 'list')
    return node.items.flatMap((each) => (isSecretNode(each, name) ? [] : [valueOf(each, name)]));
  if (node.kind === 'scalar') return plainOf(node);
  return Object.fromEntries(
    node.entries
      .filter(({ key, value }) => !isSecretNode(value, nameBelow(name, key)))
      .map(({ key, value }) => [key, valueOf(value, nameBelow(name, key))]),
  );
}

/** What lies below a password or a token is one, whatever its own name. */
const nameBelow = (above: string, name: string): string =>
  /pass|pasw|secret|token|credential/i.test(above) && !/existing_?secret/i.test(above) ? above : name;

const isSecretNode = (node: ForeignNode, name: string): boolean =>
  node.kind === 'scalar' && isSecret(name, textOf(node) ?? '');

/** The name of a path: its last part, or all of it where an earlier one asks for a secret. */
const lastOf = (path: string): string => nameBelow(path, path.split('.').at(-1) ?? '');

/** The paths of what `valueOf` leaves out. */
function secretsIn(node: ForeignNode, path: string, name = lastOf(path)): readonly string[] {
  const below =
    node.kind === 'list'
      ? node.items.map((value, index) => ({ value, at: `${path}[${index}]`, key: name }))
      : node.kind === 'map'
        ? node.entries.map(({ key, value }) => ({ value, at: `${path}.${key}`, key: nameBelow(name, key) }))
        : [];
  return below.flatMap(({ value, at, key }) => (isSecretNode(value, key) ? [at] : secretsIn(value, at, key)));
}

/** `using_helm_install_param`, a list of charts in the package or in repositories. */
const firstApi = (parameters: ForeignNode): readonly Chart[] =>
  itemsOf(field(parameters, 'using_helm_install_param')).map((each) => {
    const isOutside = isTrue(field(each, 'exthelmchart'));
    return {
      chart: isOutside ? '' : (textAt(each, 'helmchartfile_path') ?? ''),
      title: textAt(each, 'helmchartname') ?? textAt(each, 'helmchartfile_path') ?? 'chart',
      release: textAt(each, 'helmreleasename'),
      values: {},
      ...settingsOf(itemsOf(field(each, 'helmparameter')).flatMap((setting) => textOf(setting) ?? [])),
    };
  });

/** `name=value` each. */
function settingsOf(settings: readonly string[]): Pick<Chart, 'set' | 'secrets'> {
  const isOfSecret = (setting: string): boolean => {
    const [name = '', ...value] = setting.split('=');
    return isSecret(name, value.join('='));
  };
  return {
    set: settings.filter((each) => !isOfSecret(each)),
    secrets: settings.filter(isOfSecret).map((each) => each.split('=')[0] ?? ''),
  };
}

const isSecret = (name: string, value: string): boolean =>
  isLikeSecret(value) ||
  (isSecretName(name) && !/existing_?secret/i.test(name) && !/^(?:true|false)?$/.test(value));
