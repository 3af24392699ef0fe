import { label, policyPort } from './cnf-judges.ts';
import { subnet } from '../judges.ts';
import { choice, list, map, oneOf, text } from '../key.ts';

const exception = oneOf(
  {
    direction: choice(['ingress', 'egress'], { description: 'The direction, seen from the pods', examples: ['ingress'] }),
    namespace: text(label, { description: 'All pods of this namespace', examples: ['monitoring'] }).optional(),
    cidr: text(subnet, { description: 'Addresses', examples: ['192.0.2.0/24'] }).optional(),
    ports: list(text(policyPort, { description: 'A port, TCP unless it says otherwise', examples: ['53/UDP'] }), {
      description: 'Only these ports',
      examples: [['53/UDP', '53/TCP']],
      absent: 'all ports',
    }).optional(),
  },
  {
    description: 'Exceptions: what is allowed',
    examples: [{ direction: 'egress', namespace: 'kube-system', ports: ['53/UDP'] }],
  },
  ['namespace', 'cidr'],
);

/** What pods of a namespace may reach, and be reached by. */
export const networkPolicy = map(
  {
    deny: list(choice(['ingress', 'egress'], { description: 'A direction', examples: ['ingress'] }), {
      description: 'Traffic that is denied to every pod of the namespace, unless `allow` permits it',
      examples: [['ingress', 'egress']],
    }),
    allow: list(exception, {
      description: 'Exceptions',
      examples: [[{ direction: 'ingress', namespace: 'monitoring' }]],
      absent: 'none',
    }).optional(),
  },
  {
    description: 'What pods of the namespace may reach, and be reached by. Only some pod networks enforce it',
    examples: [{ deny: ['ingress'] }],
    absent: 'everything',
  },
);
