import { kubesprayPhase } from './phase.ts';

/** Takes Kubernetes away; what its workloads kept on volumes stays. */
export const kubesprayReset = kubesprayPhase(
  {
    name: 'kubespray-reset',
    what: 'Take Kubernetes off all its hosts by reset.yml of kubespray; volumes stay',
    run: 'asked',
    parameters: [
      {
        variable: 'kubespray_reset_confirm',
        what: 'the name of the cluster, since what etcd holds is lost',
        required: true,
        pattern: '[a-z0-9]([a-z0-9-]*[a-z0-9])?',
        example: 'edge-a',
      },
    ],
  },
  ({ name }) => ({ cluster: name }),
);
