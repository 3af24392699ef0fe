import { posix } from 'node:path';
import { problemAt, type Finding } from '../../../source/finding.ts';
import { nearest } from '../../../source/nearest.ts';
import { hasGap } from '../../gaps.ts';
import type { FleetDraft } from '../schema/schema.ts';

/** Each cluster once, at a site that has an execution node. */
export function fleetClusterChecks(draft: FleetDraft): readonly Finding[] {
  const { clusters = [], nodes = [] } = draft;
  const execution = nodes.flatMap((node) => (node?.role === 'execution' ? [node] : []));
  const sites = [...new Set(execution.flatMap(({ site }) => site ?? []))];
  const isWhole = !hasGap(draft, 'nodes.*.name', 'nodes.*.role', 'nodes.*.site');
  const first = new Map<string, number>();
  return clusters.flatMap((cluster, index) => {
    if (!cluster) return [];
    const { name, definition, site, node } = cluster;
    const path = (key: string): (string | number)[] => ['clusters', index, key];
    const twice = (['name', 'definition'] as const).flatMap((key) => {
      const said = cluster[key];
      const seen = `${key} ${said === undefined ? index : key === 'definition' ? posix.normalize(said) : said}`;
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
          nearest(site, sites) ?? (sites.join(' or ') || `site: ${site} at a node with role: execution`),
        ),
      ];
    const there = execution.filter((each) => each.site === site).flatMap((each) => each.name ?? []);
    return node === undefined || there.includes(node)
      ? twice
      : [...twice, problemAt(path('node'), `${node} is no execution node of ${site}`, there.join(' or '))];
  });
}
