import type { Role } from './cluster.ts';

interface WithRoles {
  readonly roles: readonly Role[];
}

export const isControlPlane = ({ roles }: WithRoles): boolean => roles.includes('control-plane');

/** True for nodes that are workers and no control planes. */
export const isOnlyWorker = ({ roles }: WithRoles): boolean =>
  roles.includes('worker') && !roles.includes('control-plane');
