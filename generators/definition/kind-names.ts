/** Kinds of definitions, as `kind` names them. */
export const kindNames = ['Cluster', 'OpenStackAnsibleMagnum'] as const;
