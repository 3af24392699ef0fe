import { cnfPhase, namesParameter, word } from './cnf.ts';

/** Changes how many replicas an aspect of a CNF has. */
export const cnfScale = cnfPhase({
  name: 'cnf-scale',
  what: 'Scale an aspect of a CNF out or in by steps, or to a level, and wait until it is ready',
  parameters: [
    { ...namesParameter('cnf-scale', { required: true }), what: 'the CNF', pattern: word },
    {
      variable: 'cnf_scale_aspect',
      what: 'the aspect, from `scaling` of the definition',
      required: true,
      pattern: '[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?',
      example: 'web',
    },
    {
      variable: 'cnf_scale_out',
      what: 'that many steps more',
      required: false,
      pattern: '[1-9][0-9]{0,3}',
      example: '1',
    },
    {
      variable: 'cnf_scale_in',
      what: 'that many steps fewer',
      required: false,
      pattern: '[1-9][0-9]{0,3}',
      example: '1',
    },
    {
      variable: 'cnf_scale_level',
      what: 'the level: so many steps above the minimum',
      required: false,
      pattern: '0|[1-9][0-9]{0,3}',
      example: '2',
    },
  ],
});
