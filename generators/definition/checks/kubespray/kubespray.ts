import {
  hasDualStack,
  hasMirrorUrls,
  hasMtu,
  hasRenewalCalendar,
  hasStacks,
  networkPlugins,
  wantsRoot,
  wantsWorker,
} from '../../../catalog/kubespray/features.ts';
import { datedVariables } from '../../../catalog/kubespray/owned.ts';
import { releaseOf } from '../../../catalog/kubespray/releases.ts';
import { defaults } from '../../defaults.ts';
import { podSubnetsOf, rolesOf, type DraftNode } from '../../derived.ts';
import { problemAt, keyProblemAt, type Finding, type Path } from '../../../source/finding.ts';
import { hasGap } from '../../gaps.ts';
import { hole, type Facts } from '../facts.ts';
import { files, packages } from './kubespray-files.ts';
import {
  at,
  notSaid,
  unknownVariables,
  type KubesprayFacts,
  type KubesprayDraft,
} from './kubespray-knows.ts';
import { registries } from './kubespray-registries.ts';

/** What the version of kubespray knows, and what somebody else than kubespray would have to do. */
export function kubespray(facts: Facts): readonly Finding[] {
  const written = facts.draft.installer?.kubespray;
  if (!written || hole(facts.draft.installer, 'kubespray')) return [];
  const release = releaseOf(written.version ?? '');
  return [
    ...ofOthers(facts),
    ...members(facts, written),
    ...scopes(facts, written),
    ...(release ? checks.flatMap((check) => check({ facts, written, release })) : []),
  ];
}

const kubernetes = ({ written, release }: KubesprayFacts): Finding[] => {
  const version = written.kubernetes;
  if (version === undefined) return [];
  const same = release.newest.find((each) => minor(each) === minor(version));
  const isKnown =
    same !== undefined &&
    (!release.isRead || Number(version.split('.')[2]) <= Number(same.split('.')[2])) &&
    !release.lacking.includes(version);
  return isKnown
    ? []
    : [
        problemAt(
          at('kubernetes'),
          `kubespray ${release.tag} has no checksums of Kubernetes ${version}`,
          same === undefined
            ? `a version of ${release.newest.map(minor).join(', ')}; of the newest of them ${release.newest.at(-1) ?? ''}`
            : `${same}, or another earlier patch`,
        ),
      ];
};

const minor = (version: string): string => version.split('.').slice(0, 2).join('.');

const plugin = (told: KubesprayFacts): Finding[] => {
  const name = told.written.networkPlugin ?? defaults.kubespray.networkPlugin;
  return unknownVariables(
    told,
    at('networkPlugin'),
    networkPlugins[name] ?? ((): boolean => true),
    `the network plugin ${name}`,
  );
};

const variablesOfOtherReleases = (told: KubesprayFacts): Finding[] => {
  const { variables = {}, groupVariables = {}, hostVariables = {} } = told.written;
  const named = (path: Path, values: unknown): Finding[] =>
    Object.keys(values ?? {}).flatMap((name) => {
      const span = Object.hasOwn(datedVariables, name) ? datedVariables[name] : undefined;
      return span
        ? unknownVariables(told, [...path, name], (tag) => tag >= span[0] && tag <= span[1], `\`${name}\``)
        : [];
    });
  const within = (key: string, scopes: Readonly<Record<string, unknown>>): Finding[] =>
    Object.entries(scopes).flatMap(([scope, values]) => named(at(key, scope), values));
  return [
    ...named(at('variables'), variables),
    ...within('groupVariables', groupVariables),
    ...within('hostVariables', hostVariables),
  ];
};

const settings = (told: KubesprayFacts): Finding[] => [
  ...(told.written.offline
    ? unknownVariables(told, at('offline'), hasMirrorUrls, 'mirrors of whole hosts')
    : []),
  ...(told.written.renewal?.calendar === undefined
    ? []
    : unknownVariables(told, at('renewal', 'calendar'), hasRenewalCalendar, 'when certificates are renewed')),
];

const families = (told: KubesprayFacts): Finding[] => {
  const found = new Set(podSubnetsOf(told.facts.draft).map(({ family }) => family));
  const path = ['network', 'podSubnet'];
  if (found.size === 2) return unknownVariables(told, path, hasDualStack, 'two families of addresses');
  return found.has(6) ? unknownVariables(told, path, hasStacks, 'clusters without IPv4') : [];
};

const workers = ({ facts: { draft, nodes }, release }: KubesprayFacts): Finding[] =>
  wantsWorker(release.minor) &&
  !hasGap(draft, 'nodes.*.roles.*') &&
  nodes.length > 0 &&
  !nodes.some(({ written }) => rolesOf(written).includes('worker'))
    ? [
        problemAt(
          ['nodes'],
          `kubespray ${release.tag} refuses a cluster without a worker`,
          'a node with the role worker',
        ),
      ]
    : [];

const mtu = ({ facts: { draft }, written }: KubesprayFacts): Finding[] => {
  const name = written.networkPlugin ?? defaults.kubespray.networkPlugin;
  return draft.network?.mtu !== undefined && !hasMtu(name)
    ? [
        keyProblemAt(
          ['network', 'mtu'],
          `kubespray has no setting of the MTU for ${name}`,
          'remove the key, or use calico or cilium',
        ),
      ]
    : [];
};

const owner = ({ facts, written, release }: KubesprayFacts): Finding[] => {
  const name = written.networkPlugin ?? defaults.kubespray.networkPlugin;
  const said = written.variables?.['kube_owner'];
  return said !== undefined &&
    said !== 'root' &&
    wantsRoot(name, release.minor) &&
    !hole(facts.draft.installer, 'kubespray')
    ? [
        problemAt(
          at('variables', 'kube_owner'),
          `cilium of kubespray ${release.tag} cannot write into folders of another user than root`,
          'root, or remove the key',
        ),
      ]
    : [];
};

const checks: readonly ((told: KubesprayFacts) => Finding[])[] = [
  files,
  packages,
  kubernetes,
  plugin,
  variablesOfOtherReleases,
  settings,
  families,
  registries,
  workers,
  mtu,
  owner,
];

/** Keys of our own installer. */
function ofOthers({ draft, nodes }: Facts): Finding[] {
  const { network, containerd, offline } = draft;
  return [
    ...(network?.plugin === undefined
      ? []
      : [notSaid(['network', 'plugin'], 'the plugin', 'installer.kubespray.networkPlugin')]),
    ...(offline === undefined
      ? []
      : [notSaid(['offline'], 'where everything comes from', 'installer.kubespray.offline')]),
    ...(['archive', 'pauseImage', 'cri'] as const)
      .filter((key) => containerd?.[key] !== undefined)
      .map((key) =>
        notSaid(['containerd', key], 'how containerd is installed', 'installer.kubespray.variables'),
      ),
    ...nodes
      .filter(({ written }) => (written as DraftNode).kubelet !== undefined)
      .map(({ path }) =>
        notSaid([...path, 'kubelet'], 'settings of a kubelet', 'installer.kubespray.hostVariables'),
      ),
  ];
}

/** Variables of a machine belong to one that kubespray knows. */
const scopes = ({ draft, nodes }: Facts, { hostVariables = {} }: KubesprayDraft): Finding[] =>
  Object.keys(hostVariables)
    .filter((name) => !hasGap(draft, 'nodes.*.name') && !nodes.some((node) => node.name === name))
    .map((name) => problemAt(at('hostVariables', name), `no node is named ${name}`, 'the name of a node'));

/** Names of members belong to machines that have etcd, each to one. */
function members({ draft, etcd }: Facts, { etcdMembers = {} }: KubesprayDraft): Finding[] {
  if (!etcd || hasGap(draft, 'nodes.*.name')) return [];
  const known = etcd.map(({ name }) => name);
  const taken = known.map((name) => etcdMembers[name] ?? `etcd-${name}`);
  return Object.entries(etcdMembers).flatMap(([name, member]) => [
    ...(known.includes(name)
      ? []
      : [problemAt(at('etcdMembers', name), `${name} has no etcd`, 'a machine with etcd')]),
    ...(known.includes(name) && taken.filter((each) => each === member).length > 1
      ? [
          problemAt(
            at('etcdMembers', name),
            `two members of etcd are named ${String(member)}`,
            'a name of its own',
          ),
        ]
      : []),
  ]);
}
