interface WithRoles {
  readonly roles: readonly string[];
}

export const isControlPlane = ({ roles }: WithRoles): boolean => roles.includes('control-plane');

/** True for nodes that are workers and no control planes. */
export const isOnlyWorker = ({ roles }: WithRoles): boolean =>
  roles.includes('worker') && !roles.includes('control-plane');
