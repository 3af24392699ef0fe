import { failed } from '../../../generators/result.ts';
import { perform } from '../../pipeline.ts';
import { takeKubeconfig } from '../../steps/state/kubeconfig.ts';
import { fileOption, outputOption, task, wholeFrom } from '../../task.ts';

export const kubeconfig = task({
  name: 'kubeconfig',
  positionals: '',
  example: 'kubeconfig --to ~/.kube/edge-a',
  options: {
    file: fileOption,
    output: outputOption,
    cnf: {
      type: 'string',
      describe: "CNF whose tenant to fetch it for (default: the administrator's)",
    },
    hours: {
      type: 'number',
      coerce: wholeFrom(1, 'hours'),
      describe: "With --cnf: hours until it expires (default: 8; the administrator's does not expire)",
    },
    to: {
      type: 'string',
      describe: `A file; .playsmith/<cluster>/kubeconfig[-<cnf>] beside the definition when left out`,
    },
    force: { type: 'boolean', default: false, describe: 'Overwrite a file of another cluster, or of none' },
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
