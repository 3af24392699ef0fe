import { access } from './checks/access.ts';
import { addresses } from './checks/addresses.ts';
import { controlPlane } from './checks/control-plane.ts';
import { endpoint } from './checks/endpoint.ts';
import { factsOf, type Facts } from './checks/facts.ts';
import { hosts } from './checks/hosts.ts';
import { names } from './checks/names.ts';
import { networks } from './checks/networks.ts';
import { ports } from './checks/ports.ts';
import { vrrp } from './checks/vrrp.ts';
import type { Finding } from './finding.ts';
import type { Draft } from './schema.ts';

/** Whether sound values fit together. Works on a definition with gaps, so that one fault does not hide another. */
export const check = (draft: Draft): readonly Finding[] => {
  const facts = factsOf(draft);
  return checks.flatMap((each) => each(facts));
};

const checks: readonly ((facts: Facts) => readonly Finding[])[] = [
  names,
  addresses,
  networks,
  endpoint,
  controlPlane,
  hosts,
  ports,
  vrrp,
  access,
];
