import { confirmingOption, isConfirmation } from '../../../generators/phases/confirmation.ts';
import type { Parameter } from '../../../generators/phases/phase.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { World } from '../../runtime/world.ts';

/** Variable → value of one run. */
export type RunVariables = Readonly<Record<string, string>>;

export interface VariablesRequest {
  /** Name of the cluster. */
  readonly cluster: string;
  /** What the run is about, machines or CNFs; their names, joined by commas, confirm it in place of the cluster's. */
  readonly targets?: readonly string[];
  readonly playbook: string;
  /** What the playbook may or must be told. */
  readonly parameters: readonly Parameter[];
  /** As typed: `variable=value`. */
  readonly given: readonly string[];
  /** What `--confirm` says, whatever the playbook calls it. */
  readonly confirm?: string | undefined;
}

/**
 * What `--set` says, judged before any connection: only what the playbook declares, and only as it declares it. The
 * name of the cluster, which confirms what cannot be undone, is asked for where a person is there to be asked.
 */
export async function settle(
  request: VariablesRequest,
  world: Pick<World, 'ask'>,
): Promise<Result<RunVariables, Failure>> {
  const { playbook, parameters, given } = request;
  const pairs = [...given, ...confirming(request)].map(pair);
  const faults = [
    ...pairs.flatMap((each) => judge(each, parameters, playbook)),
    ...repeatedNames(pairs).map((name) => `--set ${name} is given twice`),
  ];
  if (faults.length > 0) return failed(unusable(faults));
  const values = Object.fromEntries(pairs.map(({ name, value }) => [name, value ?? '']));
  const confirmed = await confirm(request, values, world);
  if (!confirmed.ok) return confirmed;
  const missing = parameters.filter(
    ({ required, variable }) => required && confirmed.value[variable] === undefined,
  );
  return missing.length === 0
    ? ok(confirmed.value)
    : failed(unusable(missing.map((each) => lacking(each, request))));
}

interface VariablePair {
  readonly name: string;
  /** Undefined when what was typed has no equals sign. */
  readonly value: string | undefined;
}

function pair(text: string): VariablePair {
  const at = text.indexOf('=');
  return at < 0 ? { name: text, value: undefined } : { name: text.slice(0, at), value: text.slice(at + 1) };
}

function judge({ name, value }: VariablePair, parameters: readonly Parameter[], playbook: string): string[] {
  const parameter = parameters.find(({ variable }) => variable === name);
  if (value === undefined) return [`--set ${name}: it is variable=value that is wanted`];
  if (parameter === undefined) return [unknownVariable(name, parameters, playbook)];
  // Whatever the pattern lets pass: nothing that Ansible would evaluate, or that a terminal would obey.
  const fits = new RegExp(`^(?:${parameter.pattern})$`, 'u').test(value) && !/\{[{%#]|\p{Cc}/u.test(value);
  return fits
    ? []
    : [
        `--set ${name}: ${JSON.stringify(value)} is no value of it (${parameter.what}), like ${parameter.example}`,
      ];
}

const unknownVariable = (name: string, parameters: readonly Parameter[], playbook: string): string =>
  parameters.length === 0
    ? `--set ${name}: ${playbook} takes no variables`
    : `--set ${name}: ${playbook} has no such variable; it has ${parameters.map(({ variable }) => variable).join(', ')}`;

const repeatedNames = (pairs: readonly VariablePair[]): readonly string[] => [
  ...new Set(pairs.map(({ name }) => name).filter((name, index, all) => all.indexOf(name) !== index)),
];

/** Where nothing is lost there is nothing to confirm. */
const confirming = ({ parameters, confirm }: VariablesRequest): readonly string[] => {
  const variable = parameters.find(isConfirmation)?.variable;
  return variable === undefined || confirm === undefined ? [] : [`${variable}=${confirm}`];
};

/** A confirmation that is given has to be the name of what is lost; one that is missing is asked for on a terminal. */
async function confirm(
  { cluster, targets = [], playbook, parameters }: VariablesRequest,
  values: RunVariables,
  world: Pick<World, 'ask'>,
): Promise<Result<RunVariables, Failure>> {
  const confirmation = parameters.find(isConfirmation);
  if (confirmation === undefined) return ok(values);
  const { variable, what, required } = confirmation;
  const name = targets.length > 0 ? targets.join(',') : cluster;
  const asking = `${playbook}: ${what}. Type ${targets.length > 0 ? name : 'the name of the cluster'} to go on: `;
  const said = values[variable] ?? (required ? await world.ask(asking) : undefined)?.trim();
  if (said === undefined) return ok(values);
  if (said === name) return ok({ ...values, [variable]: said });
  const is = targets.length > 0 ? `${playbook} is about` : 'the cluster is';
  return failed(unusable([`${is} ${name}, not ${JSON.stringify(said)}; nothing was run`]));
}

function lacking(parameter: Parameter, { playbook, targets = [] }: VariablesRequest): string {
  const { variable, what, example } = parameter;
  if (isConfirmation(parameter) && targets.length > 0)
    return `${playbook} is about ${targets.join(', ')} and needs the names once more: --confirm <names of the targets>`;
  const option = isConfirmation(parameter) ? confirmingOption(parameter) : `--set ${variable}=${example}`;
  return `${playbook} needs ${variable} (${what}): ${option}`;
}

const unusable = (faults: readonly string[]): Failure => ({
  kind: 'usage',
  message: faults.join('\n'),
});
