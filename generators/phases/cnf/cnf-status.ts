import { cnfPhase, namesParameter } from './cnf.ts';

/** Looks at CNFs and changes nothing. */
export const cnfStatus = cnfPhase({
  name: 'cnf-status',
  what: 'Show the status of CNFs: namespace, revision, workloads, pods, claims, and why any of them is not ready',
  parameters: [namesParameter('cnf-status', { required: false })],
});
