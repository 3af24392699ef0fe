import { everything, isOurs, named, type Operation } from './operation.ts';

/** Renews the certificates of the control plane that are due. */
export const rotateCertificates: Operation = {
  name: 'rotate-certificates',
  what: 'Renew the certificates of the control plane that soon expire, and check the cluster',
  applies: isOurs,
  parts: (phases) => named(phases, ['certificates', 'verify']),
  targets: everything,
  danger: 'none',
};
