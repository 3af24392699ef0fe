import { networkPlugins, usualManager } from '../../catalog/kubespray/features.ts';
import { releases, type KubesprayRelease } from '../../catalog/kubespray/releases.ts';
import { joinParts, part, type ImportPart, type Piece } from '../part.ts';
import { isTrue } from '../../source/foreign/look.ts';
import { doubtAt, type TextPlace } from '../../source/foreign/node.ts';
import { plainText, type VariablesOfHost } from './ssh.ts';

/** Machine → the name of its member of etcd, where it is not the one that a definition gives it. */
export type MemberNames = Readonly<Record<string, string>>;

/** kubespray as the installer: its inventory names no tag and no path, so these are assumed. */
export function installerPart(variables: VariablesOfHost, members: MemberNames): ImportPart {
  const { version, plugin } = versionAndPlugin(variables);
  const release = releaseOf(variables);
  const say = (key: string, value: unknown, place?: TextPlace): Piece => ({
    path: ['installer', 'kubespray', key],
    value,
    ...(place && { place }),
  });
  return joinParts([
    part({
      pieces: [
        say('version', release.tag),
        say('path', path),
        ...(version === '' ? [] : [say('kubernetes', version, variables.get('kube_version')?.value.place)]),
        ...(Object.keys(members).length === 0 ? [] : [say('etcdMembers', members)]),
      ],
      assumptions: [
        version === ''
          ? `kubespray is ${release.tag}, the newest tag whose files are known${knowing(plugin)}; the inventory names neither its tag nor Kubernetes`
          : `kubespray is ${release.tag}, which installs Kubernetes ${version}; the inventory names no tag`,
        `kubespray is checked out to ${path} on the Ansible server`,
      ],
    }),
    choices(variables, say),
    managerPart(variables, release, say),
    renewal(variables),
  ]);
}

/** The release of kubespray that an inventory is taken to be for. */
export function releaseOf(variables: VariablesOfHost): KubesprayRelease {
  const { version, plugin } = versionAndPlugin(variables);
  return releaseFor(version, plugin);
}

const versionAndPlugin = (variables: VariablesOfHost) => ({
  version: textOf(variables, 'kube_version').replace(/^v/, ''),
  plugin: textOf(variables, 'kube_network_plugin'),
});

const path = '/opt/kubespray';

const textOf = (variables: VariablesOfHost, name: string): string =>
  plainText(variables.get(name)?.value) ?? '';

/** What not every tag knows is a reason for one. */
const knowing = (plugin: string): string =>
  networkPlugins[plugin] === undefined || releases.every((release) => hasPlugin(release, plugin))
    ? ''
    : ` and that knows the network plugin ${plugin}`;

const hasPlugin = ({ tag }: KubesprayRelease, plugin: string): boolean =>
  networkPlugins[plugin]?.(Number(tag.split('.')[1])) ?? true;

/**
 * Of the tags that know the network plugin: the newest whose own minor version of Kubernetes it is and that has its patch,
 * else the newest that has it at all; one whose files are known here, where there is one.
 */
function releaseFor(version: string, plugin: string): KubesprayRelease {
  const known = releases.filter((release) => hasPlugin(release, plugin));
  const newest = known.findLast(({ isRead }) => isRead) ?? known.at(-1);
  if (newest === undefined) throw new TypeError('no release of kubespray is known');
  const all = known.filter(({ newest: each }) => each.some((patch) => covers(patch, version)));
  const having = all.some(({ isRead }) => isRead) ? all.filter(({ isRead }) => isRead) : all;
  return having.findLast(({ usual }) => minorOf(usual) === minorOf(version)) ?? having.at(-1) ?? newest;
}

const minorOf = (version: string): string => version.split('.').slice(0, 2).join('.');

const covers = (newest: string, version: string): boolean =>
  minorOf(newest) === minorOf(version) && Number(newest.split('.')[2]) >= Number(version.split('.')[2]);

function choices(
  variables: VariablesOfHost,
  say: (key: string, value: unknown, place?: TextPlace) => Piece,
): ImportPart {
  const found = variables.get('kube_network_plugin');
  const plugin = textOf(variables, 'kube_network_plugin');
  return part({
    pieces: [
      ...(Object.hasOwn(networkPlugins, plugin) ? [say('networkPlugin', plugin, found?.value.place)] : []),
    ],
    problems:
      found !== undefined && !Object.hasOwn(networkPlugins, plugin)
        ? [
            doubtAt(
              found.value.place,
              "no network plugin that kubespray knows is named here, so it would be kubespray's own choice: calico",
              Object.keys(networkPlugins).join(', '),
            ),
          ]
        : [],
    assumptions:
      plugin === '' && found === undefined ? ["the network plugin is calico, kubespray's default"] : [],
  });
}

/** Docker where nothing is said and the tag has it, since the default of a definition is another. */
function managerPart(
  variables: VariablesOfHost,
  { tag, minor }: KubesprayRelease,
  say: (key: string, value: unknown, place?: TextPlace) => Piece,
): ImportPart {
  const found = variables.get('container_manager');
  const manager = textOf(variables, 'container_manager');
  const isKnown = ['containerd', 'crio', 'docker'].includes(manager);
  if (isKnown) return part({ pieces: [say('containerManager', manager, found?.value.place)] });
  if (found !== undefined || usualManager(minor) === 'containerd') return part({});
  return part({
    pieces: [say('containerManager', 'docker')],
    assumptions: [`containers run in Docker, as kubespray ${tag} has it where nothing says otherwise`],
  });
}

function renewal(variables: VariablesOfHost): ImportPart {
  const node = variables.get('auto_renew_certificates')?.value;
  const name = 'auto_renew_certificates_systemd_calendar';
  const calendar = textOf(variables, name);
  if (node === undefined && calendar === '') return part({});
  const at = ['installer', 'kubespray', 'renewal'];
  return part({
    pieces: [
      { path: [...at, 'automatic'], value: isTrue(node), place: node?.place },
      ...(calendar === ''
        ? []
        : [{ path: [...at, 'calendar'], value: calendar, place: variables.get(name)?.value.place }]),
    ],
  });
}
