import { hasCrioLogin, hasMirrorList, hasRegistryLogin } from '../../../catalog/kubespray/features.ts';
import type { KubesprayRelease } from '../../../catalog/kubespray/releases.ts';
import { entry, itemsOf, textOf } from '../../../source/foreign/look.ts';
import { doubtAt, type ForeignNode, type TextPlace } from '../../../source/foreign/node.ts';
import type { Problems } from '../../../source/problem.ts';
import { part, type ImportPart, type SecretNeed } from '../../part.ts';
import { mirrorRows } from './mirrors.ts';
import { plainText, type VariablesOfHost } from '../ssh.ts';

/**
 * Registries with their mirrors and logins.
 * @param release whose logins these are; undefined: kubespray installs nothing from now on
 */
export function registriesPart(
  variables: VariablesOfHost,
  release: KubesprayRelease | undefined,
): ImportPart {
  const rows = mirrorRows(variables, release);
  const mirrored = rows.filter(({ mirrors }) => mirrors !== undefined);
  const logins = loginsOf(variables, release);
  const known = mirrored.map(({ host }) => host);
  const all = [
    ...mirrored.map((row) => ({ ...row, login: logins.find(({ host }) => host === row.host) })),
    ...logins
      .filter(({ host }) => !known.includes(host))
      .map((login) => ({ host: login.host, mirrors: undefined, place: login.place, login })),
  ];
  return part({
    pieces: all.map(({ host, mirrors, place, login }, index) => ({
      path: ['containerd', 'registries', index],
      value: {
        host,
        ...(mirrors === undefined ? {} : { mirrors }),
        ...(login ? { user: login.user, password: { env: login.secret.variable } } : {}),
      },
      place,
    })),
    taken: [...rows, ...logins].flatMap(({ taken }) => taken),
    secrets: logins.map(({ secret }) => secret),
    problems: [...rows.flatMap(({ problems }) => problems), ...unreadList(variables, release)],
  });
}

/** Which tag an inventory is for follows from its Kubernetes; mirrors that only a later one knows say something else. */
function unreadList(variables: VariablesOfHost, release: KubesprayRelease | undefined): Problems {
  const list = variables.get('containerd_registries_mirrors');
  const manager = textOf(variables.get('container_manager')?.value) ?? 'containerd';
  return !list || !release || hasMirrorList(release.minor) || manager !== 'containerd'
    ? []
    : [
        doubtAt(
          list.keyPlace,
          `kubespray ${release.tag}, which is assumed, does not know these mirrors, so they are not taken over`,
          '`version`, the tag that is in use, and `containerd.registries` with them',
        ),
      ];
}

interface RegistryLogin {
  readonly host: string;
  readonly user: string;
  readonly secret: SecretNeed;
  readonly place: TextPlace;
  readonly taken: readonly TextPlace[];
}

/** Logins as far as the container manager of the tag takes them. */
function loginsOf(
  variables: VariablesOfHost,
  release: KubesprayRelease | undefined,
): readonly RegistryLogin[] {
  const isCrio = textOf(variables.get('container_manager')?.value) === 'crio';
  const knows = isCrio ? hasCrioLogin : hasRegistryLogin;
  if (release !== undefined && !knows(release.minor)) return [];
  return itemsOf(variables.get(isCrio ? 'crio_registry_auth' : 'containerd_registry_auth')?.value).flatMap(
    loginOf,
  );
}

function loginOf(node: ForeignNode): readonly RegistryLogin[] {
  const [registry, user, password] = ['registry', 'username', 'password'].map((name) => entry(node, name));
  const said = plainText(registry?.value)?.replace(/^https?:\/\//, '');
  const name = plainText(user?.value);
  const text = textOf(password?.value);
  if (!registry || !user || !password || said === undefined || name === undefined || text === undefined)
    return [];
  const host = said === 'registry-1.docker.io' ? 'docker.io' : said;
  const [, vault] = /^\{\{\s*(?:vault_)?(\w+)\s*\}\}$/.exec(text) ?? [];
  const variable = vault?.toUpperCase() ?? `REGISTRY_PASSWORD_${host.toUpperCase().replaceAll(/\W/g, '_')}`;
  return [
    {
      ...{ host, user: name, place: node.place },
      secret: { variable, what: `the password of ${name} at ${host}` },
      taken: [registry.keyPlace, user.keyPlace, password.keyPlace],
    },
  ];
}
