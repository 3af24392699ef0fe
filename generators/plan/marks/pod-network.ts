import type { Cluster } from '../../cluster/cluster.ts';

interface PluginState {
  readonly whole?: { readonly cluster: Cluster } | undefined;
  readonly plugin?: string;
}

/** The plugin that goes on to run although the definition that is now applied names none; undefined: there is none such. */
export function pluginLeft(
  { whole, plugin }: PluginState,
  { podNetwork }: Pick<Cluster, 'podNetwork'>,
): string | undefined {
  if (podNetwork.plugin !== 'none') return undefined;
  const before = pluginOf(whole?.cluster);
  return before === 'none' ? plugin : before;
}

/** What an older Playsmith applied may have none. */
const pluginOf = (cluster: Partial<Cluster> | undefined): string => cluster?.podNetwork?.plugin ?? 'none';

/** Another plugin than the one that stayed would take pods their network. */
export const pluginsBeside = (
  { plugin }: Pick<PluginState, 'plugin'>,
  { cluster: { podNetwork } }: { readonly cluster: Pick<Cluster, 'podNetwork'> },
): readonly string[] =>
  plugin === undefined || podNetwork.plugin === 'none' || podNetwork.plugin === plugin
    ? []
    : [
        `podNetwork.plugin: pods still have the network of ${plugin}, which stayed when the definition no longer named it: name that again, or recreate the cluster`,
      ];
