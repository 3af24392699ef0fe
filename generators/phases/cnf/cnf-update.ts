import { cnfPhase, namesParameter } from './cnf.ts';

/** Brings what the definition says now to CNFs that are there. */
export const cnfUpdate = cnfPhase({
  name: 'cnf-update',
  what: 'Apply changed manifests of CNFs; what is no longer in them is shown first, and deleted once confirmed',
  parameters: [
    namesParameter('cnf-update', { required: false }),
    {
      variable: 'cnf_update_prune',
      what: '`yes`: objects that are no longer in the manifests are deleted; without it the playbook says which, and changes nothing',
      required: false,
      pattern: 'yes',
      example: 'yes',
    },
    {
      variable: 'cnf_update_rollback',
      what: '`yes` or `no`, in place of what the definition says: an update that does not get ready goes back to the revision before',
      required: false,
      pattern: 'yes|no',
      example: 'yes',
    },
  ],
});
