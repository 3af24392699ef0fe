import type { Settings } from '../../cluster/cluster.ts';
import { defaults } from '../../definition/defaults.ts';
import type { Definition } from '../../definition/schema/schema.ts';
import { policiesOf } from './policies.ts';

export type SoundCnf = NonNullable<Definition['cnfs']>[number];

/** Who a CNF is applied as. */
export const accountOf = ({ name, tenant }: Pick<SoundCnf, 'name' | 'tenant'>): string =>
  tenant?.serviceAccount ?? name;

/** Names of the objects that the definition makes; by them two CNFs in one namespace do not meet. */
export const ownName = (name: string): string => `cnf-${name}`;

/**
 * What the administrator of the cluster makes for a CNF: the namespace (with `labels`), the tenant and its rights in that
 * namespace alone, and what bounds it. The tenant of ClusterRole `admin` can change neither quota nor limits.
 */
export const frameOf = (
  cnf: SoundCnf,
  namespace: string,
  labels: Readonly<Record<string, string>>,
): readonly Settings[] => [
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace, ...(Object.keys(labels).length > 0 ? { labels } : {}) },
  },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: accountOf(cnf), namespace } },
  ...rightsOf(cnf, namespace),
  ...quotaOf(cnf, namespace),
  ...limitsOf(cnf, namespace),
  ...policiesOf(cnf.networkPolicy, { name: ownName(cnf.name), namespace }),
];

const rbac = 'rbac.authorization.k8s.io';

function rightsOf(cnf: SoundCnf, namespace: string): readonly Settings[] {
  const name = ownName(cnf.name);
  const { clusterRole = defaults.cnf.clusterRole, rules } = cnf.tenant ?? {};
  const role =
    rules === undefined
      ? []
      : [
          {
            apiVersion: `${rbac}/v1`,
            kind: 'Role',
            metadata: { name, namespace },
            rules: rules.map(({ apiGroups, resources, verbs }) => ({ apiGroups, resources, verbs })),
          },
        ];
  return [
    ...role,
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      // What a binding leads to can never be changed, so another role has another binding.
      metadata: { name: rules === undefined ? `${name}-${clusterRole}` : name, namespace },
      roleRef: {
        apiGroup: rbac,
        kind: rules === undefined ? 'ClusterRole' : 'Role',
        name: rules === undefined ? clusterRole : name,
      },
      subjects: [{ kind: 'ServiceAccount', name: accountOf(cnf), namespace }],
    },
  ];
}

const quotaOf = ({ name, quota }: SoundCnf, namespace: string): readonly Settings[] =>
  quota === undefined
    ? []
    : [
        {
          apiVersion: 'v1',
          kind: 'ResourceQuota',
          metadata: { name: ownName(name), namespace },
          spec: { hard: quota },
        },
      ];

const limitsOf = ({ name, limits }: SoundCnf, namespace: string): readonly Settings[] =>
  limits === undefined
    ? []
    : [
        {
          apiVersion: 'v1',
          kind: 'LimitRange',
          metadata: { name: ownName(name), namespace },
          spec: { limits: [{ type: 'Container', ...amountsOf(limits) }] },
        },
      ];

/** Only what is written. */
const amountsOf = (limits: NonNullable<SoundCnf['limits']>): Settings =>
  Object.fromEntries(Object.entries(limits).filter(([, amounts]) => amounts !== undefined)) as Settings;
