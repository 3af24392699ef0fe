import { cnfPhase, namesParameter } from './cnf.ts';

/** Takes CNFs away, also those that the definition no longer has. */
export const cnfTerminate = cnfPhase({
  name: 'cnf-terminate',
  what: 'Delete CNFs in reverse order of creation; a namespace only if it was created for them and is empty',
  parameters: [
    namesParameter('cnf-terminate', { required: true }),
    {
      variable: 'cnf_terminate_confirm',
      what: 'the names of the CNFs, since their claims are deleted too',
      required: true,
      pattern: '[a-z0-9](?:[a-z0-9,-]*[a-z0-9])?',
      example: 'web',
    },
  ],
});
