import { flowText } from '../../../source/flow-text.ts';
import { safeName } from '../../names.ts';
import { field, itemsOf, textAt, textOf } from '../../../source/foreign/look.ts';
import type { ForeignNode } from '../../../source/foreign/node.ts';
import { chartLines, chartsOf, secretNote } from './charts.ts';

/** What to write below `cnfs` for the parameters of an InstantiateVnfRequest, as notes, and the command that comes then. */
export function cnfPiece(
  parameters: ForeignNode,
  instance: ForeignNode | undefined,
): { readonly commands: readonly string[]; readonly notes: readonly string[] } {
  const files = itemsOf(field(parameters, 'lcm-kubernetes-def-files')).flatMap((each) => textOf(each) ?? []);
  const charts = chartsOf(parameters);
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
