import { dump, load, loadAll, YAML11_SCHEMA } from 'js-yaml';

/** Reads YAML 1.2; throws on what cannot be read, duplicate keys included. */
export const readYaml = (text: string): unknown => load(text);

/** Reads YAML 1.1 as PyYAML does, with merge keys, and nothing as null; throws like {@link readYaml}. */
export function readYaml11(text: string): unknown {
  const options = { schema: YAML11_SCHEMA };
  return loadAll(text, options).length === 0 ? null : load(text, options);
}

/** Writes plain data as a person would, maps of the third level on a line. */
export const writeYamlToRead = (data: unknown): string => dump(data, { flowLevel: 3, lineWidth: 118 });

/** Writes plain data with every text quoted, so that YAML 1.1 (PyYAML) reads the very same values. */
export const writeYaml = (data: unknown): string =>
  dump(data, { noRefs: true, lineWidth: -1, forceQuotes: true, quoteStyle: 'double' });
