import { defaults } from '../../defaults.ts';
import { apiGroup, resourceWord, verbWord } from './cnf-judges.ts';
import { list, map, text } from '../key.ts';
import { objectName } from '../storage/storage-judges.ts';

const rule = map(
  {
    apiGroups: list(text(apiGroup, { description: 'An API group; an empty string is the core group', examples: ['apps'] }), {
      description: 'Groups of the API',
      examples: [['', 'apps']],
    }),
    resources: list(text(resourceWord, { description: 'A resource', examples: ['deployments'] }), {
      description: 'Resources in them',
      examples: [['deployments']],
    }),
    verbs: list(text(verbWord, { description: 'A verb', examples: ['get'] }), {
      description: 'The allowed verbs. Objects are applied with get, create and patch, and removed with delete',
      examples: [['get', 'list', 'create', 'patch', 'delete']],
    }),
  },
  {
    description: 'A rule',
    examples: [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list'] }],
  },
);

/** Who a CNF is applied as. */
export const tenant = map(
  {
    serviceAccount: text(objectName, {
      description: 'The ServiceAccount in the namespace, made when it is not there',
      examples: ['web'],
      absent: 'the name of the CNF',
    }).optional(),
    clusterRole: text(objectName, {
      description: 'An administrator of the namespace: a ClusterRole, bound in this namespace only',
      examples: ['admin'],
      default: defaults.cnf.clusterRole,
    }).optional(),
    rules: list(rule, {
      description: 'Instead of the ClusterRole: a Role in the namespace with these rules',
      examples: [[{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'create', 'patch', 'delete'] }]],
      absent: '`clusterRole`',
    }).optional(),
  },
  {
    description: 'The identity that everything of the CNF is applied as',
    examples: [{ serviceAccount: 'web', clusterRole: 'admin' }],
  },
);
