import type { Kubespray, KubespraySource, Settings } from '../cluster/cluster.ts';
import { filesOfTag } from '../catalog/kubespray/commits.ts';
import { defaults } from '../definition/defaults.ts';
import { rolesOf } from '../definition/derived.ts';
import type { Definition } from '../definition/schema/schema.ts';
import { certificateSans } from './certificate-sans.ts';
import { resolveServer } from './server.ts';

type KubesprayDefinition = NonNullable<NonNullable<Definition['installer']>['kubespray']>;

const { kubespray: own } = defaults;

/** What kubespray is told, and where it lies; with another installer nothing. */
export function resolveKubespray(definition: Definition): Kubespray {
  const written = definition.installer?.kubespray;
  if (!written) return noKubespray;
  const { directory } = resolveServer(definition.ansibleServer);
  const folder = `${directory}/kubespray/${written.version}`;
  return {
    version: written.version,
    source: source(written),
    tree: written.path ?? `${folder}/tree`,
    venv: `${folder}/venv`,
    python: written.python ?? own.python,
    wheels: written.wheels ?? '',
    networkPlugin: written.networkPlugin ?? own.networkPlugin,
    containerManager: written.containerManager ?? own.containerManager,
    certificateSans: certificateSans(definition, written.certificateSans ?? []),
    renewal: {
      automatic: written.renewal?.automatic ?? false,
      calendar: written.renewal?.calendar ?? '',
    },
    offline: written.offline
      ? { files: written.offline.files.replace(/\/+$/, ''), registry: written.offline.registry }
      : noKubespray.offline,
    etcdMembers: etcdMembers(definition, written),
    variables: (written.variables ?? {}) as Settings,
    groupVariables: (written.groupVariables ?? {}) as Readonly<Record<string, Settings>>,
    hostVariables: (written.hostVariables ?? {}) as Readonly<Record<string, Settings>>,
  };
}

/** What the definition names is somebody's own; else the tag means what it is in kubespray's repository. */
function source({ version, git, archive, commit = '', tree = '' }: KubesprayDefinition): KubespraySource {
  if (archive) return { kind: 'archive', ...archive };
  const named = commit + tree === '' ? (filesOfTag(version) ?? { commit, tree }) : { commit, tree };
  return git === undefined ? { kind: 'path', ...named } : { kind: 'git', url: git, ...named };
}

/** By machine, never by position: kubespray itself would count, and rename running members when one goes. */
function etcdMembers({ nodes }: Definition, written: KubesprayDefinition): Kubespray['etcdMembers'] {
  const withRole = (role: string): Definition['nodes'] =>
    nodes.filter((node) => rolesOf(node).includes(role));
  const apart = withRole('etcd');
  const members = apart.length > 0 ? apart : withRole('control-plane');
  return Object.fromEntries(members.map(({ name }) => [name, written.etcdMembers?.[name] ?? `etcd-${name}`]));
}

/** What is said to kubespray where it does not install the cluster. */
export const noKubespray: Kubespray = {
  version: '',
  source: { kind: 'path', commit: '', tree: '' },
  tree: '',
  venv: '',
  python: '',
  wheels: '',
  networkPlugin: '',
  containerManager: 'containerd',
  certificateSans: [],
  renewal: { automatic: false, calendar: '' },
  offline: { files: '', registry: '' },
  etcdMembers: {},
  variables: {},
  groupVariables: {},
  hostVariables: {},
};
