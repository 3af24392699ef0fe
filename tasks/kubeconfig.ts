import { perform } from './pipeline.ts';
import { takeKubeconfig } from './steps/kubeconfig.ts';
import { fileOption, outputOption, task } from './task.ts';

export const kubeconfig = task({
  name: 'kubeconfig',
  positionals: '',
  summary: "Fetch the administrator's kubeconfig of the cluster, for kubectl here; print where it lies",
  example: 'kubeconfig --to ~/.kube/edge-a',
  options: {
    file: fileOption,
    output: outputOption,
    to: {
      type: 'string',
      describe: `A file; .playsmith/<cluster>/kubeconfig beside the definition when left out`,
    },
    force: { type: 'boolean', default: false, describe: 'Replace a file that is of no or another cluster' },
  },
  run: ({ file, output, to, force }, world) =>
    perform({ file, output, playbook: 'kubeconfig', options: {} }, world, (session) =>
      takeKubeconfig(session, { to, force }, world),
    ),
});
