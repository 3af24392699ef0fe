/** Kinds of definitions, as `kind` names them. */
export const kindNames = ['Cluster', 'OpenStackAnsibleMagnum', 'Fleet'] as const;
