import type { Files } from '../../files.ts';
import type { Finding } from '../../../source/finding.ts';
import { hasGap } from '../../gaps.ts';
import { osaFacts, type OsaFacts } from '../derived.ts';
import type { OsaDraft } from '../schema/schema.ts';
import { osaAddresses } from './addresses.ts';
import { osaAzimuth } from './azimuth.ts';
import { osaHosts } from './hosts.ts';
import { osaLabels } from './labels.ts';
import { osaOffline } from './offline.ts';
import { osaPrerequisites } from './prerequisites.ts';
import { osaSettings } from './settings.ts';
import { osaTls } from './tls.ts';
import { osaVersions } from './versions.ts';
import { osaWorkload } from './workload.ts';

/** Whether sound values fit together, and fit the files of OpenStack-Ansible that the definition names. */
export const checkOsa = (draft: OsaDraft, files: Files): readonly Finding[] => {
  const facts = osaFacts(draft, files);
  const known = hasGap(draft, 'magnum.driver', 'versions.driver') ? checks : [...checks, ...ofDriver];
  return known.flatMap((each) => each(facts));
};

type OsaCheck = (facts: OsaFacts) => readonly Finding[];

const checks: readonly OsaCheck[] = [osaHosts, osaAddresses, osaPrerequisites, osaSettings];

/** What goes by the driver and its version. */
const ofDriver: readonly OsaCheck[] = [osaVersions, osaTls, osaWorkload, osaLabels, osaAzimuth, osaOffline];
