import {
  calicoOf,
  isTruthBroken,
  misnamedLabels,
  type DriverLabel,
} from '../../../catalog/openstack-ansible/labels.ts';
import { compareReleases } from '../../../catalog/openstack-ansible/releases.ts';
import { problemAt, keyProblemAt, type Finding, type Path } from '../../../source/finding.ts';
import { nearest } from '../../../source/nearest.ts';
import { cidr, networkOf, overlap, parseBlock, type Block } from '../../../source/networks.ts';
import { driverOf, podSubnetOf, versionsOf, type OsaFacts } from '../derived.ts';

type Labels = Readonly<Record<string, string | number | boolean | undefined>>;

/** Labels that the driver of this version reads, with values that it takes. It would say nothing about any other. */
export const osaLabels = (facts: OsaFacts): readonly Finding[] =>
  labelSets(facts).flatMap(({ at, given }) => [
    ...checkLabels(facts, at, given),
    ...networks(facts, at, given),
    ...octavia(at, given),
  ]);

/** Of templates, clusters and their groups. */
const labelSets = ({ draft }: OsaFacts): readonly { readonly at: Path; readonly given: Labels }[] => {
  const { templates = [], clusters = [] } = draft.workloadClusters ?? {};
  const root = 'workloadClusters';
  return [
    ...templates.map((each, index) => ({ at: [root, 'templates', index, 'labels'], given: each?.labels })),
    ...clusters.flatMap((each, index) => [
      { at: [root, 'clusters', index, 'labels'], given: each?.labels },
      ...(each?.nodeGroups ?? []).map((group, at) => ({
        at: [root, 'clusters', index, 'nodeGroups', at, 'labels'],
        given: group?.labels,
      })),
    ]),
  ].map(({ at, given }) => ({ at, given: given ?? {} }));
};

const checkLabels = (facts: OsaFacts, at: Path, given: Labels): Finding[] =>
  Object.entries(given).flatMap(([name, value]) => {
    const driver = versionsOf(facts)?.driver;
    if (driver === undefined || value === undefined) return [];
    const { labels } = driverOf(facts);
    const label = labels.get(name);
    const unread = unreadBecause(name, label, { driver, labels });
    if (unread !== undefined) return [keyProblemAt([...at, name], ...unread)];
    const right = label === undefined ? '' : rightOf(label, String(value), driver);
    return right === '' ? [] : [problemAt([...at, name], `${String(value)} is no value of ${name}`, right)];
  });

interface LabelContext {
  /** Its version. */
  readonly driver: string;
  readonly labels: ReadonlyMap<string, DriverLabel>;
}

/** Why a label does nothing, and what would be right; undefined: the driver reads it. */
function unreadBecause(
  name: string,
  label: DriverLabel | undefined,
  { driver, labels }: LabelContext,
): readonly [string, string] | undefined {
  const meant = [misnamedLabels[name] ?? '', nearest(name, [...labels.keys()]) ?? ''].find((each) =>
    labels.has(each),
  );
  if (label === undefined)
    return [`the driver reads no label ${name}: it has no effect`, meant ?? 'a label that it reads'];
  if (label.ours !== undefined) return [`${name} follows from ${label.ours}`, `${label.ours}, and no label`];
  if (label.since !== undefined && compareReleases(driver, label.since) < 0)
    return [
      `the driver ${driver} does not read ${name}`,
      `${driver.startsWith('v') ? 'v' : ''}${label.since} or newer, or nothing`,
    ];
  return isTruthBroken(name, driver)
    ? [`the driver ${driver} fails on ${name}: it takes no text, and a label is text`, 'nothing']
    : undefined;
}

/** What would be right; empty: the value is. */
function rightOf({ kind, values }: DriverLabel, value: string, driver: string): string {
  if (values !== undefined) return values.includes(value) ? '' : `one of ${values.join(', ')}`;
  if (kind === 'truth') return /^(?:true|false)$/.test(value) ? '' : 'true or false';
  if (kind === 'count') return /^\d{1,6}$/.test(value) ? '' : 'a whole number';
  if (kind === 'network') return parseBlock(value)?.family === 4 ? '' : 'an IPv4 network, like 10.100.0.0/16';
  if (kind === 'networks')
    return value.split(',').every((each) => parseBlock(each) !== undefined)
      ? ''
      : 'networks joined by commas, like 192.0.2.0/24,198.51.100.0/24';
  if (kind === 'version') return /^v\d+\.\d+\.\d+$/.test(value) ? '' : 'a tag, like v1.32.0';
  if (kind === 'calico')
    return calicoOf(driver).includes(value) ? '' : `one of ${calicoOf(driver).join(', ')}`;
  if (kind === 'policies')
    return value.split(',').every((each) => /^(?:soft-)?(?:anti-)?affinity$/.test(each))
      ? ''
      : 'soft-anti-affinity, or others of its kind joined by commas';
  return '';
}

/** Networks of a cluster overlap neither each other, nor pods of the control plane, nor what OpenStack uses. */
function networks(facts: OsaFacts, at: Path, given: Labels): Finding[] {
  const { draft, configuration } = facts;
  const { labels } = driverOf(facts);
  const own = Object.entries(given)
    .filter(([name]) => labels.get(name)?.kind === 'network')
    .flatMap(([name, value]) => blockOf(`the label ${name}`, String(value), name));
  const used = [
    ...blockOf('the pods of the control plane', podSubnetOf(draft)),
    ...configuration.networks.map(({ name, block }) => ({ what: `the network ${name}`, block })),
    ...(draft.openStackAnsible?.networks ?? []).flatMap((text) => blockOf('the network', text ?? '')),
  ];
  return own.flatMap(({ label, block }, index) =>
    [...used, ...own.slice(0, index)]
      .filter((other) => overlap(block, other.block))
      .map((other) =>
        problemAt(
          [...at, label],
          `${cidr(networkOf(block))} overlaps ${other.what} (${cidr(networkOf(other.block))})`,
          'a network that nothing else uses',
        ),
      ),
  );
}

function blockOf(
  what: string,
  text: string,
  label = '',
): { readonly what: string; readonly label: string; readonly block: Block }[] {
  const block = parseBlock(text);
  return block ? [{ what, label, block }] : [];
}

const octavia = (
  at: Path,
  { octavia_provider: provider, octavia_lb_algorithm: algorithm }: Labels,
): Finding[] =>
  provider === 'ovn' && algorithm !== undefined && algorithm !== 'SOURCE_IP_PORT'
    ? [
        problemAt(
          [...at, 'octavia_lb_algorithm'],
          `the driver refuses ${String(algorithm)} with the provider ovn`,
          'SOURCE_IP_PORT, or nothing',
        ),
      ]
    : [];
