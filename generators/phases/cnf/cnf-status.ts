import { cnfPhase, namesParameter } from './cnf.ts';

/** Looks at CNFs and changes nothing. */
export const cnfStatus = cnfPhase({
  name: 'cnf-status',
  what: 'Tell how CNFs are: namespace, revision, workloads, pods, claims; why what is not ready is not',
  parameters: [namesParameter('cnf-status', { required: false })],
});
