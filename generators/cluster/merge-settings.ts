import type { Setting, Settings } from './cluster.ts';

/** Two mappings as one, mappings inside them as well. The second comes first and holds where both say something. */
export function mergeSettings(given: Settings, ours: Settings): Settings {
  const both = Object.entries(given).map(([key, value]): [string, Setting] => {
    const own = ours[key];
    if (own === undefined) return [key, value];
    return [key, isMapping(own) && isMapping(value) ? mergeSettings(value, own) : own];
  });
  return { ...ours, ...Object.fromEntries(both) };
}

const isMapping = (value: Setting): value is Settings => typeof value === 'object' && !Array.isArray(value);
