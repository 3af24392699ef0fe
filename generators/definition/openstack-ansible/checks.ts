import type { Files } from '../files.ts';
import type { Finding } from '../../source/finding.ts';
import { osaFacts, type OsaFacts } from './derived.ts';
import type { OsaDraft } from './schema.ts';
import { osaAddresses } from './checks/addresses.ts';
import { osaHosts } from './checks/hosts.ts';
import { osaLabels } from './checks/labels.ts';
import { osaOffline } from './checks/offline.ts';
import { osaPrerequisites } from './checks/prerequisites.ts';
import { osaSettings } from './checks/settings.ts';
import { osaTls } from './checks/tls.ts';
import { osaVersions } from './checks/versions.ts';
import { osaWorkload } from './checks/workload.ts';

/** Whether sound values fit together, and fit the files of OpenStack-Ansible that the definition names. */
export const checkOsa = (draft: OsaDraft, files: Files): readonly Finding[] => {
  const facts = osaFacts(draft, files);
  return checks.flatMap((each) => each(facts));
};

const checks: readonly ((facts: OsaFacts) => readonly Finding[])[] = [
  osaHosts,
  osaAddresses,
  osaPrerequisites,
  osaVersions,
  osaTls,
  osaSettings,
  osaWorkload,
  osaLabels,
  osaOffline,
];
