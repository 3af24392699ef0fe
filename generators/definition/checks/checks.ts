import { access } from './node/access.ts';
import { addresses } from './node/addresses.ts';
import { backup } from './kubernetes/backup.ts';
import { cloudProvider } from './kubernetes/cloud-provider.ts';
import { cnfs } from './cnf/cnfs.ts';
import { controlPlane } from './kubernetes/control-plane.ts';
import { criSettingsKnown } from './kubernetes/cri-settings.ts';
import { extraPlaybooks } from './kubernetes/extra-playbooks.ts';
import { drills } from './kubernetes/drills.ts';
import { dualStack } from './kubernetes/dual-stack.ts';
import { endpoint } from './load-balancer/endpoint.ts';
import { endpointName } from './load-balancer/endpoint-name.ts';
import { externalLoadBalancer } from './load-balancer/external-load-balancer.ts';
import { factsOf, type Facts } from './facts.ts';
import { hosts } from './node/hosts.ts';
import { kubeadm } from './kubernetes/kubeadm.ts';
import { kubespray } from './kubespray/kubespray.ts';
import { marks } from './node/marks.ts';
import { names } from './node/names.ts';
import { messages } from './kubernetes/messages.ts';
import { networks } from './kubernetes/networks.ts';
import { nodePorts } from './load-balancer/node-ports.ts';
import { offline } from './kubernetes/offline.ts';
import { overlaps } from './kubernetes/overlaps.ts';
import { patch } from './node/patch.ts';
import { plugin } from './kubernetes/plugin.ts';
import { ports } from './load-balancer/ports.ts';
import { proxy } from './kubernetes/proxy.ts';
import { registries } from './kubernetes/registries.ts';
import { removedSettings } from './kubernetes/removed.ts';
import { schedule } from './kubernetes/schedule.ts';
import { settingsValues } from './kubernetes/settings-values.ts';
import { storage } from './storage/storage.ts';
import { versions } from './kubernetes/versions.ts';
import { vrrp } from './load-balancer/vrrp.ts';
import { noFiles, type Files } from '../files.ts';
import type { Finding } from '../../source/finding.ts';
import type { Draft } from '../schema/schema.ts';

/** Whether sound values fit together. Works on a definition with gaps, so that one fault does not hide another. */
export const check = (draft: Draft, files: Files = noFiles): readonly Finding[] => {
  const facts = factsOf(draft, files);
  return checks.flatMap((each) => each(facts));
};

const checks: readonly ((facts: Facts) => readonly Finding[])[] = [
  names,
  addresses,
  networks,
  overlaps,
  dualStack,
  endpoint,
  endpointName,
  controlPlane,
  hosts,
  ports,
  nodePorts,
  vrrp,
  externalLoadBalancer,
  access,
  kubeadm,
  cloudProvider,
  versions,
  removedSettings,
  settingsValues,
  criSettingsKnown,
  kubespray,
  plugin,
  offline,
  registries,
  proxy,
  marks,
  storage,
  cnfs,
  backup,
  drills,
  extraPlaybooks,
  patch,
  messages,
  schedule,
];
