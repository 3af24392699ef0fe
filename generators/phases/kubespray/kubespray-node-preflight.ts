import { kubesprayPhase } from './phase.ts';
import { isControlPlane } from '../../cluster/roles.ts';

/** Finds out who answers and who is sick, before anything is done. */
export const kubesprayNodePreflight = kubesprayPhase(
  {
    name: 'kubespray-node-preflight',
    what: 'Find out which targets respond and which are healthy, and refuse what kubespray cannot do',
    run: 'part',
    told: () => 'kubespray_node_preflight_operation',
    parameters: [
      {
        variable: 'kubespray_node_preflight_confirm',
        what: 'the names of the targets, joined by commas',
        required: true,
        pattern: '[a-z0-9][a-z0-9.,-]*',
        example: 'worker03',
        operations: ['scale-in', 'replace-node'],
      },
      {
        variable: 'kubespray_node_preflight_recreate',
        what: 'recreate the node although it is healthy',
        required: false,
        pattern: 'true|false',
        example: 'true',
        operations: ['heal-node'],
      },
    ],
  },
  ({ machines }) => ({
    first: machines.find(isControlPlane)?.name ?? '',
  }),
);
