import { hasCrioRegistries, hasMirrorList, usualManager } from '../../../catalog/kubespray/features.ts';
import type { KubesprayRelease } from '../../../catalog/kubespray/releases.ts';
import { serverOf } from '../../../phases/node/registry-hosts.ts';
import { entry, field, isTrue, itemsOf, textOf } from '../../../source/foreign/look.ts';
import { doubtAt, type ForeignNode, type MapEntry, type TextPlace } from '../../../source/foreign/node.ts';
import type { Problem, Problems } from '../../../source/problem.ts';
import { plainText, type VariablesOfHost } from '../ssh.ts';

/** A registry with its mirrors, as a container manager was told. */
export interface RegistryRow {
  readonly host: string;
  /** Undefined: the registry itself is asked, as without the row. */
  readonly mirrors: readonly string[] | undefined;
  readonly place: TextPlace;
  readonly taken: readonly TextPlace[];
  readonly problems: Problems;
}

/**
 * Mirrors by the variable that the container manager of the tag reads.
 * @param release undefined: kubespray installs nothing from now on
 */
export function mirrorRows(
  variables: VariablesOfHost,
  release: KubesprayRelease | undefined,
): readonly RegistryRow[] {
  const minor = release?.minor ?? 99;
  const rows = (name: string): readonly ForeignNode[] => itemsOf(variables.get(name)?.value);
  switch (textOf(variables.get('container_manager')?.value) ?? usualManager(minor)) {
    case 'crio':
      return rows(hasCrioRegistries(minor) ? 'crio_registries' : 'crio_registries_mirrors').flatMap(ofCrio);
    case 'docker':
      return ofDocker(variables.get('docker_registry_mirrors')?.value);
    default:
      return hasMirrorList(minor)
        ? rows('containerd_registries_mirrors').map(ofContainerd)
        : endpointsOf(variables.get('containerd_registries')?.value).flatMap(ofOldContainerd);
  }
}

function ofContainerd(node: ForeignNode): RegistryRow {
  const mirrors = itemsOf(field(node, 'mirrors'));
  return {
    host: textOf(field(node, 'prefix')) ?? '',
    mirrors: mirrors.flatMap((each) => textOf(field(each, 'host')) ?? []),
    place: node.place,
    taken: [
      ...placeOf(entry(node, 'prefix')),
      ...mirrors.flatMap((each) => [
        ...placeOf(entry(each, 'host')),
        ...placeOf(asOurs(entry(each, 'capabilities'), 'pull,resolve')),
        ...placeOf(asOurs(entry(each, 'skip_verify'), 'false')),
      ]),
    ],
    problems: mirrors.flatMap(insecureMirror),
  };
}

/** The entry, where it says what every mirror of a definition has. */
function asOurs(found: MapEntry | undefined, wanted: string): MapEntry | undefined {
  const nodes = found?.value.kind === 'scalar' ? [found.value] : itemsOf(found?.value);
  const said = nodes.flatMap((each) => textOf(each) ?? []).toSorted();
  return said.join().toLowerCase() === wanted ? found : undefined;
}

/** A mirror whose certificate nobody checks until now; without TLS it has none. */
function insecureMirror(mirror: ForeignNode): Problems {
  const skip = entry(mirror, 'skip_verify');
  const host = textOf(field(mirror, 'host')) ?? '';
  return skip && isTrue(skip.value) && !host.startsWith('http://')
    ? [checkedFromNow(skip, `the mirror ${host}`)]
    : [];
}

const checkedFromNow = ({ keyPlace }: MapEntry, whose: string): Problem =>
  doubtAt(
    keyPlace,
    `the certificate of ${whose} is checked from now on`,
    'its authority among those that the machines trust, before the first run',
  );

/** A registry as images name it; anything else, like a path or `*.`, no definition can say. */
const registryHost = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i;

/** A registry and a path in it; no login, and nothing that a URL could not hold. */
const registryPlace = /^[\w.:[\]-]+(?:\/[\w./~%+-]*)?$/;

const crioKeys = ['prefix', 'location', 'insecure', 'blocked', 'unqualified'];

/** `prefix`, where it is in truth (`location`), and its mirrors; one that is blocked stays as it is. */
function ofCrio(node: ForeignNode): readonly RegistryRow[] {
  const [prefix, location, insecure, blocked, unqualified] = crioKeys.map((name) => entry(node, name));
  const host = plainText((prefix ?? location)?.value) ?? '';
  if (!registryHost.test(host) || isTrue(blocked?.value)) return [];
  const lies = plainText(location?.value) ?? host;
  if (!registryPlace.test(lies)) return [];
  const isElsewhere = ![host, new URL(serverOf(host)).host].includes(lies);
  const mirrors = itemsOf(field(node, 'mirrors')).map(mirrorOfCrio);
  const all = [...mirrors.flatMap(({ url }) => url), ...(isElsewhere ? [urlOf(lies, insecure)] : [])];
  const isUnchecked = !isElsewhere && isTrue(insecure?.value);
  return [
    {
      host,
      mirrors: all.length === 0 ? undefined : all,
      place: node.place,
      taken: [
        ...[prefix, location, blocked, ...(isUnchecked ? [] : [insecure])].flatMap(placeOf),
        ...(isTrue(unqualified?.value) ? [] : placeOf(unqualified)),
        ...mirrors.flatMap(({ taken }) => taken),
      ],
      problems: [
        ...(isUnchecked && insecure ? [checkedFromNow(insecure, `the registry ${host}`)] : []),
        ...(isElsewhere && location ? [askedItself(location, host, lies)] : []),
      ],
    },
  ];
}

const placeOf = (found: MapEntry | undefined): readonly TextPlace[] => (found ? [found.keyPlace] : []);

const askedItself = ({ keyPlace }: MapEntry, host: string, lies: string): Problem =>
  doubtAt(
    keyPlace,
    `${host} is asked at ${lies} first, and from now on at ${host} itself where that does not answer`,
    'a network in which only the mirror is reached, where that must not be',
  );

const urlOf = (location: string, insecure: MapEntry | undefined): string =>
  `${isTrue(insecure?.value) ? 'http' : 'https'}://${location}`;

function mirrorOfCrio(node: ForeignNode): {
  readonly url: readonly string[];
  readonly taken: readonly TextPlace[];
} {
  const location = entry(node, 'location');
  const said = plainText(location?.value);
  if (!location || said === undefined || !registryPlace.test(said)) return { url: [], taken: [] };
  const insecure = entry(node, 'insecure');
  return { url: [urlOf(said, insecure)], taken: [location, insecure].flatMap(placeOf) };
}

/** Docker has mirrors for its own registry alone. */
function ofDocker(node: ForeignNode | undefined): readonly RegistryRow[] {
  const urls = itemsOf(node).filter((each) => isUrl(plainText(each)));
  return node === undefined || urls.length === 0
    ? []
    : [
        {
          ...{ host: 'docker.io', mirrors: urls.flatMap((each) => textOf(each) ?? []), place: node.place },
          taken: urls.map(({ place }) => place),
          problems: [],
        },
      ];
}

const isUrl = (text: string | undefined): boolean =>
  /^https?:\/\//.test(text ?? '') && registryPlace.test((text ?? '').replace(/^https?:\/\//, ''));

const endpointsOf = (node: ForeignNode | undefined): readonly MapEntry[] =>
  node?.kind === 'map' ? node.entries : [];

/** A URL or several, the registry's own often the last. */
function ofOldContainerd({ key, keyPlace, value }: MapEntry): readonly RegistryRow[] {
  const urls = value.kind === 'scalar' ? [value] : itemsOf(value);
  if (!registryHost.test(key) || urls.length === 0 || !urls.every((each) => isUrl(plainText(each))))
    return [];
  const mirrors = urls
    .flatMap((each) => textOf(each) ?? [])
    .filter((url, index, all) => index < all.length - 1 || url !== serverOf(key));
  return [
    {
      ...{ host: key, mirrors: mirrors.length === 0 ? undefined : mirrors, place: keyPlace },
      taken: value.kind === 'scalar' ? [keyPlace] : urls.map(({ place }) => place),
      problems: [],
    },
  ];
}
