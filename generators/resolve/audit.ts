import type { Settings } from '../cluster/cluster.ts';

/** The rules of an audit policy behind one word; none without it. */
export const auditRules = (level: 'metadata' | 'request' | undefined): readonly Settings[] =>
  level === undefined
    ? []
    : level === 'metadata'
      ? [everything('Metadata')]
      : [secretsByName, everything('Request')];

/** One line a request is enough: that it was received is not noted by itself. */
const omitStages = ['RequestReceived'];

const everything = (level: 'Metadata' | 'Request'): Settings => ({ level, omitStages });

/** What is sent about these is secret itself. */
const secretsByName: Settings = {
  level: 'Metadata',
  omitStages,
  resources: [
    { group: '', resources: ['secrets', 'configmaps', 'serviceaccounts/token'] },
    { group: 'authentication.k8s.io', resources: ['tokenreviews'] },
  ],
};
