import { failed } from '../generators/result.ts';
import { perform } from './pipeline.ts';
import { takeKubeconfig } from './steps/kubeconfig.ts';
import { fileOption, outputOption, task, wholeFrom } from './task.ts';

export const kubeconfig = task({
  name: 'kubeconfig',
  positionals: '',
  example: 'kubeconfig --to ~/.kube/edge-a',
  options: {
    file: fileOption,
    output: outputOption,
    cnf: {
      type: 'string',
      describe: "The CNF whose tenant's it shall be; the administrator's when left out",
    },
    hours: {
      type: 'number',
      coerce: wholeFrom(1, 'hours'),
      describe:
        "With --cnf: how long it is good for; 8 when left out, and the administrator's has no such end",
    },
    to: {
      type: 'string',
      describe: `A file; .playsmith/<cluster>/kubeconfig[-<cnf>] beside the definition when left out`,
    },
    force: { type: 'boolean', default: false, describe: 'Replace a file that is of no or another cluster' },
  },
  run: ({ file, output, cnf, hours, to, force }, world) => {
    if (cnf === undefined && hours !== undefined)
      return Promise.resolve(failed({ kind: 'usage', message: '--hours goes with --cnf <name>' }));
    const given = [
      ...(cnf === undefined ? [] : [`cnf_kubeconfig_names=${cnf}`]),
      ...(hours === undefined ? [] : [`cnf_kubeconfig_hours=${hours}`]),
    ];
    const playbook = cnf === undefined ? 'kubeconfig' : 'cnf-kubeconfig';
    return perform({ file, output, playbook, given, options: {} }, world, (session) =>
      takeKubeconfig(session, { to, force, cnf }, world),
    );
  },
});
