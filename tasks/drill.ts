import { perform } from './pipeline.ts';
import { fileOption, outputOption, setOption, task } from './task.ts';

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
    name: { choices: drillNames, demandOption: true, describe: 'What is tried' },
    node: {
      type: 'string',
      describe:
        'Of `control-plane`: else the one that leads etcd; of `worker`: else the first; of `storage`: the storage server, else the first',
    },
    confirm: { type: 'string', describe: 'The name of the cluster, whose clients may feel it' },
    set: setOption,
    check: {
      type: 'boolean',
      default: false,
      describe: 'Only ask whether the drill would be done now; no fault is made',
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
