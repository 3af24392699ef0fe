import type { InferredOptionTypes, Options } from 'yargs';
import { cnfNamesVariable } from '../../../generators/operations/cnf.ts';
import type { CnfOperation } from '../../../generators/phases/cnf/cnf.ts';
import { cnfHeal } from '../../../generators/phases/cnf/cnf-heal.ts';
import { cnfInstantiate } from '../../../generators/phases/cnf/cnf-instantiate.ts';
import { cnfScale } from '../../../generators/phases/cnf/cnf-scale.ts';
import { cnfStatus } from '../../../generators/phases/cnf/cnf-status.ts';
import { cnfTerminate } from '../../../generators/phases/cnf/cnf-terminate.ts';
import { cnfUpdate } from '../../../generators/phases/cnf/cnf-update.ts';
import type { Phase } from '../../../generators/phases/phase.ts';
import { namesIn } from './operation-task.ts';
import { taskName } from '../../overview/summaries.ts';
import { perform } from '../../pipeline.ts';
import { fileOption, outputOption, setOption, task, wholeFrom, type Task } from '../../task.ts';

const pairOf = (variable: string, value: string | number | undefined): readonly string[] =>
  value === undefined ? [] : [`${variable}=${value}`];

const common = {
  file: fileOption,
  output: outputOption,
  set: setOption,
  check: { type: 'boolean', default: false, describe: "Ansible's check mode: shows what would be done" },
} as const;

const several = {
  cnf: { type: 'string', array: true, default: [] as string[], describe: 'Names of CNFs' },
} as const;

const one = { cnf: { type: 'string', demandOption: true, describe: 'The CNF' } } as const;

interface CnfTaskShape<O extends Readonly<Record<string, Options>>> {
  readonly positionals: string;
  readonly example: string;
  readonly options: O;
  /** What the playbook is told besides the names. */
  readonly given: (values: InferredOptionTypes<O>) => readonly string[];
}

type CommonOptions = InferredOptionTypes<typeof common> & {
  readonly cnf: string | readonly string[];
  readonly confirm?: string;
};

/** The task that runs the playbook of its name. */
function cnfTask<const O extends Readonly<Record<string, Options>>>(
  { name }: Phase,
  { positionals, example, options, given }: CnfTaskShape<O>,
): Task {
  return task({
    name: taskName(name),
    positionals,
    example: `${name} ${example}`.trim(),
    options: { ...common, ...options },
    run: (values, world) => {
      const { file, output, set, check, cnf, confirm } = values as unknown as CommonOptions;
      const names = namesIn([cnf].flat());
      return perform(
        {
          ...{ file, output, playbook: name },
          given: [
            ...(names.length === 0 ? [] : [`${cnfNamesVariable(name)}=${names.join(',')}`]),
            ...given(values),
            ...set,
          ],
          ...(confirm === undefined ? {} : { confirm }),
          options: { check, diff: check },
        },
        world,
      );
    },
  });
}

const steps = (describe: string): { readonly type: 'number' } & Options => ({ type: 'number', describe });

const scale = cnfTask(cnfScale, {
  positionals: '<cnf>',
  example: 'web --aspect web --out 1',
  options: {
    ...one,
    aspect: { type: 'string', demandOption: true, describe: 'The aspect, from `scaling` of the definition' },
    out: { ...steps('Scale out by this many steps'), coerce: wholeFrom(1, 'out') },
    in: { ...steps('Scale in by this many steps'), coerce: wholeFrom(1, 'in') },
    level: { ...steps('Scale to this many steps above the minimum'), coerce: wholeFrom(0, 'level') },
  },
  given: (values) => [
    ...pairOf('cnf_scale_aspect', values.aspect),
    ...pairOf('cnf_scale_out', values.out),
    ...pairOf('cnf_scale_in', values.in),
    ...pairOf('cnf_scale_level', values.level),
  ],
});

const heal = cnfTask(cnfHeal, {
  positionals: '<cnf>',
  example: 'web --pod web-0',
  options: {
    ...one,
    pod: {
      type: 'string',
      array: true,
      default: [] as string[],
      describe: 'A pod to recreate; repeatable (default: all workloads)',
    },
  },
  given: ({ pod }) => (pod.length === 0 ? [] : [`cnf_heal_pods=${namesIn(pod).join(',')}`]),
});

const update = cnfTask(cnfUpdate, {
  positionals: '[cnf..]',
  example: 'web --prune',
  options: {
    ...several,
    prune: {
      type: 'boolean',
      default: false,
      describe: 'Delete objects that are no longer in the manifests',
    },
    rollback: {
      type: 'boolean',
      describe:
        'Return to the previous revision if it does not become ready (default: as the definition says)',
    },
  },
  given: ({ prune, rollback }) => [
    ...(prune ? ['cnf_update_prune=yes'] : []),
    ...(rollback === undefined ? [] : [`cnf_update_rollback=${rollback ? 'yes' : 'no'}`]),
  ],
});

const terminate = cnfTask(cnfTerminate, {
  positionals: '<cnf..>',
  example: 'web --confirm web',
  options: {
    cnf: { type: 'string', array: true, demandOption: true, describe: 'Names of CNFs' },
    confirm: {
      type: 'string',
      describe: 'Confirm with the CNF names, comma-separated: their volume claims are deleted too',
    },
  },
  given: () => [],
});

const plain = (phase: Phase): Task =>
  cnfTask(phase, { positionals: '[cnf..]', example: '', options: several, given: () => [] });

/** The tasks about CNFs; `run` knows their playbooks as well. */
export const cnfTasks: Readonly<Record<CnfOperation, Task>> = {
  'cnf-instantiate': plain(cnfInstantiate),
  'cnf-scale': scale,
  'cnf-heal': heal,
  'cnf-update': update,
  'cnf-terminate': terminate,
  'cnf-status': plain(cnfStatus),
};
