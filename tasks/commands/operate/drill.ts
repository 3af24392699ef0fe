import { perform } from '../../pipeline.ts';
import { fileOption, outputOption, setOption, task } from '../../task.ts';

/** The drills that there are; `drill-<name>` is the playbook of each. */
export const drillNames = [
  'vip',
  'control-plane',
  'worker',
  'storage',
  'etcd-restore',
  'certificates',
] as const;

export const drill = task({
  name: 'drill',
  positionals: '<name> [node]',
  example: 'drill vip --confirm edge-a',
  options: {
    file: fileOption,
    output: outputOption,
    name: { choices: drillNames, demandOption: true, describe: 'Which drill' },
    node: {
      type: 'string',
      describe:
        'Its node (default: the etcd leader for `control-plane`, the first for `worker`, the first server for `storage`)',
    },
    confirm: { type: 'string', describe: 'Confirm with the name of the cluster: its clients may notice' },
    set: setOption,
    check: {
      type: 'boolean',
      default: false,
      describe: 'Only check whether the drill could run now; inject nothing',
    },
  },
  run: ({ file, output, name, node, confirm, set, check }, world) =>
    perform(
      {
        ...{ file, output, playbook: `drill-${name}`, options: { check } },
        given: [...(node === undefined ? [] : [`drill_${name.replaceAll('-', '_')}_node=${node}`]), ...set],
        ...(confirm === undefined ? {} : { confirm }),
      },
      world,
    ),
});
