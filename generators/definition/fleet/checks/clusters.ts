import { problemAt, type Finding } from '../../../source/finding.ts';
import { nearest } from '../../../source/nearest.ts';
import type { FleetDraft } from '../schema/schema.ts';

/** Each cluster once, at a site that has an execution node. */
export function fleetClusterChecks({ clusters = [], nodes = [] }: FleetDraft): readonly Finding[] {
  const execution = nodes.flatMap((node) => (node?.role === 'execution' ? [node] : []));
  const sites = [...new Set(execution.flatMap(({ site }) => site ?? []))];
  const isWhole = nodes.every((node) => node?.role !== undefined && node.name !== undefined);
  const first = new Map<string, number>();
  return clusters.flatMap((cluster, index) => {
    if (!cluster) return [];
    const { name, definition, site, node } = cluster;
    const path = (key: string): (string | number)[] => ['clusters', index, key];
    const twice = (['name', 'definition'] as const).flatMap((key) => {
      const seen = `${key} ${cluster[key] ?? index}`;
      const known = first.get(seen);
      if (known === undefined) first.set(seen, index);
      return known === undefined
        ? []
        : [problemAt(path(key), `${cluster[key] ?? ''} stands at two clusters`, `another ${key}`)];
    });
    if (!isWhole || name === undefined || definition === undefined || site === undefined) return twice;
    if (!sites.includes(site))
      return [
        ...twice,
        problemAt(
          path('site'),
          `no execution node serves ${site}`,
          nearest(site, sites) ?? sites.join(' or '),
        ),
      ];
    const there = execution.filter((each) => each.site === site).flatMap((each) => each.name ?? []);
    return node === undefined || there.includes(node)
      ? twice
      : [...twice, problemAt(path('node'), `${node} is no execution node of ${site}`, there.join(' or '))];
  });
}
