import { cnfPhase, namesParameter, word } from './cnf.ts';

const podName = '[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?';

/** Makes pods of a CNF anew. */
export const cnfHeal = cnfPhase({
  name: 'cnf-heal',
  what: 'Recreate named pods of a CNF, or all its workloads; claims and their data stay',
  parameters: [
    { ...namesParameter('cnf-heal', { required: true }), what: 'the CNF', pattern: word },
    {
      variable: 'cnf_heal_pods',
      what: 'names of pods, joined by commas; all workloads of the CNF without it',
      required: false,
      pattern: `${podName}(?:,${podName})*`,
      example: 'web-7d9c6d4b5c-x2x4q',
    },
  ],
});
