import type { Finding } from '../../../source/finding.ts';
import { fleetClusterChecks } from './clusters.ts';
import { fleetNodeChecks } from './nodes.ts';
import { fleetPeers } from './peers.ts';
import type { FleetDraft } from '../schema/schema.ts';

/** Whether sound values of a fleet fit together. */
export const checkFleet = (draft: FleetDraft): readonly Finding[] =>
  [fleetNodeChecks, fleetPeers, fleetClusterChecks].flatMap((each) => each(draft));
