import { load } from 'js-yaml';
import type { Cluster, Kubespray, Registry } from '../../../generators/cluster/cluster.ts';
import {
  hasCrioLogin,
  hasDualStack,
  hasMirrorHeaders,
  hasMirrors,
  hasMirrorUrls,
  hasRegistryLogin,
  hasRenewalCalendar,
} from '../../../generators/catalog/kubespray/features.ts';
import { minorOf, type KubesprayRelease } from '../../../generators/catalog/kubespray/releases.ts';
import { kubesprayVariables } from '../../../generators/phases/kubespray/variables.ts';
import { kubesprayExample } from './kubespray.ts';

type Values = ReadonlyMap<string, readonly unknown[]>;

/** Every variable that a definition without variables of its own leads to at a tag, with the values that it gets. */
export function variablesAt(release: KubesprayRelease): Values {
  const found = new Map<string, readonly unknown[]>();
  for (const cluster of clustersAt(release))
    for (const { text } of kubesprayVariables(cluster))
      for (const [name, value] of Object.entries(load(text) as object) as [string, unknown][])
        found.set(name, [...(found.get(name) ?? []), value]);
  return found;
}

/** Definitions that use as much of a tag as it has. */
function clustersAt({ tag, usual }: KubesprayRelease): readonly Cluster[] {
  const minor = minorOf(tag);
  const { kubespray: example, network } = kubesprayExample;
  const kubespray: Kubespray = {
    ...example,
    version: tag,
    variables: {},
    renewal: { automatic: true, calendar: hasRenewalCalendar(minor) ? 'Mon *-*-1,2,3,4,5,6,7 03:00:00' : '' },
    offline: hasMirrorUrls(minor)
      ? { registry: 'registry.example.org', files: 'https://files.example.org' }
      : { registry: '', files: '' },
  };
  const base: Cluster = {
    ...kubesprayExample,
    kubespray,
    kubernetes: { ...kubesprayExample.kubernetes, version: usual },
    containerd: { ...kubesprayExample.containerd, registries: hasMirrors(minor) ? [mirrored] : [] },
    network: hasDualStack(minor)
      ? {
          ...network,
          podSubnets: ['10.233.64.0/18', 'fd00:10::/56'],
          serviceSubnets: ['10.233.0.0/18', 'fd00:20::/112'],
        }
      : network,
  };
  const managed = (
    containerManager: Kubespray['containerManager'],
    registries: readonly Registry[],
  ): Cluster => ({
    ...base,
    kubespray: { ...kubespray, containerManager, networkPlugin: 'calico' },
    containerd: { ...base.containerd, registries },
  });
  const hasLogin = hasRegistryLogin(minor) || hasMirrorHeaders(minor);
  return [
    base,
    managed('containerd', [...base.containerd.registries, ...(hasLogin ? [guarded] : [])]),
    managed('crio', [mirrored, ...(hasCrioLogin(minor) ? [guarded] : [])]),
    managed('docker', [mirrored]),
    { ...base, endpoint: { ...base.endpoint, placement: 'local' } },
    { ...base, endpoint: { ...base.endpoint, placement: 'none' } },
  ];
}

const mirrored: Registry = {
  ...{ host: 'docker.io', mirrors: ['https://mirror.example.org'], ca: '', user: '', passwordVariable: '' },
};
const guarded: Registry = {
  ...{ host: 'registry.example.org', mirrors: [], ca: '', user: 'ops', passwordVariable: 'vault_registry' },
};
