import { applyPlan } from '../../apply/apply-plan.ts';
import { fileOption, outputOption, setOption, task } from '../../task.ts';

export const confirmOption = {
  type: 'string',
  array: true,
  nargs: 1,
  default: [] as string[],
  describe: 'Confirm a destructive step with the name it asks for; repeatable',
} as const;

export const yesOption = {
  alias: 'y',
  type: 'boolean',
  default: false,
  describe: 'Answer yes without being asked',
} as const;

export const apply = task({
  name: 'apply',
  positionals: '',
  example: 'apply --yes',
  options: {
    file: fileOption,
    output: outputOption,
    yes: yesOption,
    confirm: confirmOption,
    set: setOption,
    plan: { type: 'string', describe: 'The id of the plan you have read; any other plan is refused' },
  },
  run: ({ file, output, yes, confirm, set, plan }, world) =>
    applyPlan({ file, output, yes, confirm, set, plan }, world),
});
