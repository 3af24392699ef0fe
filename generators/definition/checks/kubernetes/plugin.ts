import { problemAt, keyWarning, type Finding } from '../../../source/finding.ts';
import { cidr, contains } from '../../../source/networks.ts';
import { pluginManifestKey } from '../../network/plugin-manifest.ts';
import { hole, type Facts } from '../facts.ts';
import { pluginManifest } from './plugin-manifest.ts';

/** The network plugin fits the nodes, and what is fetched for it is pinned. */
export const plugin = (facts: Facts): readonly Finding[] => [
  ...staticRouteFindings(facts),
  ...unpinnedPlugins(facts),
  ...pluginManifest(facts),
  ...mtu(facts),
];

const at = (...keys: string[]): string[] => ['network', 'plugin', ...keys];

/** A route to a pod's node leads nowhere when a router stands between. */
function staticRouteFindings({ draft, nodes, nodeSubnets }: Facts): Finding[] {
  const way = routesOf(draft.network?.plugin);
  if (way === undefined) return [];
  const used = new Set(
    nodes.flatMap(({ address }) =>
      address ? (nodeSubnets.find((subnet) => contains(subnet, address)) ?? []) : [],
    ),
  );
  return used.size < 2
    ? []
    : [
        problemAt(
          at(),
          `the nodes are in ${[...used].map(cidr).join(' and ')}, and ${way} do not cross a router`,
          'nodes in one network; or flannel with `vxlan`, calico with `encapsulation: vxlan`, or cilium',
        ),
      ];
}

/** What leads from node to node without a tunnel, in words. */
function routesOf(written: NonNullable<Facts['draft']['network']>['plugin']): string | undefined {
  if (written === 'static-routes') return 'static routes';
  if (typeof written !== 'object') return undefined;
  if (written.flannel?.backend === 'host-gw') return 'the routes of `host-gw`';
  return written.calico?.encapsulation === 'none' ? "Calico's routes without encapsulation" : undefined;
}

/** Offline the artifacts have checksums of their own. */
function unpinnedPlugins({ draft }: Facts): Finding[] {
  const written = draft.network?.plugin;
  if (typeof written !== 'object' || draft.offline || hole(draft, 'offline')) return [];
  if (pluginManifestKey(draft) !== undefined) return [];
  const missing = (['calico', 'cilium'] as const).flatMap((name) => {
    const chosen = written[name];
    const helm = name === 'cilium' ? written.cilium?.helm : undefined;
    return [
      ...(chosen && chosen.sha256 === undefined && !hole(chosen, 'sha256') ? [at(name, 'sha256')] : []),
      ...(helm && helm.sha256 === undefined && !hole(helm, 'sha256') ? [at(name, 'helm', 'sha256')] : []),
    ];
  });
  return missing.map((path) =>
    problemAt(
      path,
      `\`sha256\` is missing in \`${path.at(-2) ?? ''}\`: nobody would notice if something else were fetched`,
      'the checksum that `sha256sum` prints for the file that was read',
    ),
  );
}

const mtu = ({ draft }: Facts): Finding[] =>
  draft.network?.mtu !== undefined && draft.network.plugin === 'none'
    ? [
        keyWarning(
          ['network', 'mtu'],
          '`mtu` has no effect: the plugin is installed by other means',
          'remove the key',
        ),
      ]
    : [];
