import type { OsaStep } from './steps.ts';

const there = 'osa_here | length > 0';

/** The steps of `osa-remove-host`; which containers they are about is known on the deploy host alone. */
export const removal: readonly (Pick<OsaStep, 'name' | 'what'> & { readonly more: string })[] = [
  { name: 'drain', what: 'move pods of Cluster API to other members', more: `${there} and not osa_dead` },
  { name: 'reset', what: 'leave etcd and the control plane', more: `${there} and not osa_dead` },
  { name: 'remove-member', what: 'take a dead member out of etcd', more: `${there} and osa_dead` },
  { name: 'forget-node', what: 'forget the node', more: there },
  { name: 'destroy', what: 'destroy the containers', more: `${there} and not osa_dead` },
  { name: 'inventory', what: 'take them out of the inventory', more: there },
];
