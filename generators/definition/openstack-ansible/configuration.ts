import { readYaml11 } from '../../yaml.ts';
import { fileText, type Files } from '../files.ts';
import { parseBlock, type Block } from '../../source/networks.ts';
import { configurationShape, isMap, type ConfigurationValues } from './configuration-shape.ts';

/** What OpenStack-Ansible's own files say, as far as it matters here. Jinja in them is left as it is. */
export interface OsaConfiguration {
  /** True: the definition names files, and all of them could be read. */
  readonly known: boolean;
  readonly problems: readonly { readonly index: number; readonly wrong: string }[];
  /** Group as written → its hosts in their order. */
  readonly groups: ReadonlyMap<string, readonly ConfigurationHost[]>;
  readonly networks: readonly { readonly name: string; readonly block: Block }[];
  /** Empty: not said, or in Jinja. */
  readonly internalAddress: string;
  readonly externalAddress: string;
  readonly ovn: boolean;
}

export interface ConfigurationHost {
  readonly name: string;
  readonly address: string;
  readonly managementAddress: string;
  readonly group: string;
}

/** Reads the copies of `openstack_user_config.yml` and `conf.d` that a definition names, merged as OpenStack-Ansible does. */
export function osaConfiguration(paths: readonly (string | undefined)[], files: Files): OsaConfiguration {
  const read = paths.map((path, index) => ({ index, ...mapping(path, files) }));
  const problems = read.flatMap(({ index, wrong }) => wrong.map((each) => ({ index, wrong: each })));
  const all = read.map(({ values }) => values).reduce(mergeValues, {});
  const overrides = mapOf(all['global_overrides']);
  const groups = groupsIn(all);
  return {
    known: paths.length > 0 && !paths.includes(undefined) && problems.length === 0,
    problems,
    groups,
    networks: Object.entries(mapOf(all['cidr_networks'])).flatMap(([name, cidr]) => {
      const block = parseBlock(textOf(cidr));
      return block ? [{ name, block }] : [];
    }),
    internalAddress: plain(overrides['internal_lb_vip_address']),
    externalAddress: plain(overrides['external_lb_vip_address']),
    ovn:
      [...groups.keys()].some((group) => /^network[-_](?:gateway|northd)_hosts$/.test(group)) ||
      providerTypes(overrides).includes('geneve'),
  };
}

/** Hosts of the first of the groups that has any; `_` stands for both spellings of a group. */
export const hostsOfGroup = (
  { groups }: OsaConfiguration,
  ...names: readonly string[]
): readonly ConfigurationHost[] =>
  names
    .flatMap((name) => [...groups].filter(([group]) => group.replaceAll('-', '_') === name))
    .map(([, hosts]) => hosts)
    .find((hosts) => hosts.length > 0) ?? [];

function mapping(
  path: string | undefined,
  files: Files,
): { readonly values: ConfigurationValues; readonly wrong: readonly string[] } {
  if (path === undefined) return { values: {}, wrong: [] };
  const text = fileText(files, path);
  if (!text.ok) return { values: {}, wrong: [text.failure] };
  try {
    const read = readYaml11(text.value);
    return { values: mapOf(read), wrong: configurationShape(path, read) };
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    return { values: {}, wrong: [`the file ${path} is no YAML that can be read: ${reason}`] };
  }
}

/** An empty mapping takes the place of what an earlier file said, as it does there. */
function mergeValues(before: ConfigurationValues, after: ConfigurationValues): ConfigurationValues {
  const both = Object.entries(after).map(([key, value]) => {
    const old = before[key];
    const isMore = isMap(old) && isMap(value) && Object.keys(value).length > 0;
    return [key, isMore ? mergeValues(old, value) : value] as const;
  });
  return { ...before, ...Object.fromEntries(both) };
}

/** Every key that ends in `hosts` is a group there. */
const groupsIn = (all: ConfigurationValues): ReadonlyMap<string, readonly ConfigurationHost[]> =>
  new Map(
    Object.entries(all)
      .filter(([key]) => key.endsWith('hosts'))
      .map(([group, hosts]) => [
        group,
        Object.entries(mapOf(hosts)).map(([name, about]) => {
          const { ip, management_ip: management } = mapOf(about);
          return { name, group, address: plain(ip), managementAddress: plain(management) };
        }),
      ]),
  );

const providerTypes = (overrides: ConfigurationValues): readonly string[] => {
  const networks = overrides['provider_networks'];
  return Array.isArray(networks) ? networks.map((each) => textOf(mapOf(mapOf(each)['network'])['type'])) : [];
};

const mapOf = (value: unknown): ConfigurationValues => (isMap(value) ? value : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const plain = (value: unknown): string => (/\{[{%#]/.test(textOf(value)) ? '' : textOf(value));
