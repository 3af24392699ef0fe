import type { Finding } from '../finding.ts';
import { fleetClusterChecks } from './checks/clusters.ts';
import { fleetNodeChecks } from './checks/nodes.ts';
import { fleetPeers } from './checks/peers.ts';
import type { FleetDraft } from './schema.ts';

/** Whether sound values of a fleet fit together. */
export const checkFleet = (draft: FleetDraft): readonly Finding[] =>
  [fleetNodeChecks, fleetPeers, fleetClusterChecks].flatMap((each) => each(draft));
