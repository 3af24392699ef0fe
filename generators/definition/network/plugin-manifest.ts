import type { Settings } from '../../cluster/cluster.ts';
import { cidr } from '../../source/networks.ts';
import { chartKey, versionOf } from '../cnf/sources.ts';
import { podSubnetsOf } from '../derived.ts';
import type { Draft } from '../schema/schema.ts';
import { ciliumValues } from './cilium.ts';

/** By which name the manifest of the plugin is found among the files of a definition; undefined: hosts fetch it. */
export function pluginManifestKey(draft: Draft): string | undefined {
  const plugin = draft.network?.plugin;
  return typeof plugin === 'object' ? (plugin.calico?.manifest ?? ciliumManifestKey(draft)) : undefined;
}

/** The same of what helm makes of the chart of Cilium. */
function ciliumManifestKey(draft: Draft): string | undefined {
  const { plugin, mtu = 0 } = draft.network ?? {};
  const written = typeof plugin === 'object' ? plugin.cilium : undefined;
  if (written?.chart === undefined) return undefined;
  const facts = {
    podSubnets: podSubnetsOf(draft).map(cidr),
    nodes: (draft.nodes ?? []).length,
    mtu,
    values: (written.values ?? {}) as Settings,
  };
  return chartKey({
    chart: written.chart,
    release: 'cilium',
    namespace: 'kube-system',
    version: versionOf(draft),
    values: ciliumValues(facts),
    set: [],
  });
}
