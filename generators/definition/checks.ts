import { access } from './checks/access.ts';
import { addresses } from './checks/addresses.ts';
import { cnfs } from './checks/cnfs.ts';
import { controlPlane } from './checks/control-plane.ts';
import { criSettingsKnown } from './checks/cri-settings.ts';
import { drills } from './checks/drills.ts';
import { dualStack } from './checks/dual-stack.ts';
import { endpoint } from './checks/endpoint.ts';
import { externalLoadBalancer } from './checks/external-load-balancer.ts';
import { factsOf, type Facts } from './checks/facts.ts';
import { hosts } from './checks/hosts.ts';
import { kubeadm } from './checks/kubeadm.ts';
import { kubespray } from './checks/kubespray.ts';
import { marks } from './checks/marks.ts';
import { names } from './checks/names.ts';
import { networks } from './checks/networks.ts';
import { offline } from './checks/offline.ts';
import { plugin } from './checks/plugin.ts';
import { ports } from './checks/ports.ts';
import { registries } from './checks/registries.ts';
import { removed } from './checks/removed.ts';
import { storage } from './checks/storage.ts';
import { versions } from './checks/versions.ts';
import { vrrp } from './checks/vrrp.ts';
import { noFiles, type Files } from './files.ts';
import type { Finding } from './finding.ts';
import type { Draft } from './schema.ts';

/** Whether sound values fit together. Works on a definition with gaps, so that one fault does not hide another. */
export const check = (draft: Draft, files: Files = noFiles): readonly Finding[] => {
  const facts = factsOf(draft, files);
  return checks.flatMap((each) => each(facts));
};

const checks: readonly ((facts: Facts) => readonly Finding[])[] = [
  names,
  addresses,
  networks,
  dualStack,
  endpoint,
  controlPlane,
  hosts,
  ports,
  vrrp,
  externalLoadBalancer,
  access,
  kubeadm,
  versions,
  removed,
  criSettingsKnown,
  kubespray,
  plugin,
  offline,
  registries,
  marks,
  storage,
  cnfs,
  drills,
];
