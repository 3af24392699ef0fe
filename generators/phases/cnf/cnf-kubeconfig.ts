import { cnfPhase, namesParameter, word } from './cnf.ts';

/** A kubeconfig for the tenant of a CNF, fetched to where only the Ansible server's user reads it. */
export const cnfKubeconfig = cnfPhase({
  name: 'cnf-kubeconfig',
  what: 'Create a kubeconfig of the tenant of a CNF, with a token that expires, on the Ansible server, readable by its user alone',
  parameters: [
    { ...namesParameter('cnf-kubeconfig', { required: true }), what: 'the CNF', pattern: word },
    {
      variable: 'cnf_kubeconfig_hours',
      what: 'how long the token is good for, 8 when not given; the API server may allow less',
      required: false,
      pattern: '[1-9][0-9]{0,3}',
      example: '24',
    },
  ],
});
