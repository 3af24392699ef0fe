import type { Registry } from '../../cluster/cluster.ts';

/** What containerd is told about one registry, in `hosts.toml` of its folder. */
export interface RegistryHosts {
  /** Below `/etc/containerd/certs.d/`. */
  readonly folder: string;
  /** The registry itself, asked last. */
  readonly server: string;
  readonly hosts: readonly RegistryHost[];
  readonly ca: string;
}

/** A mirror, or the registry itself where there is something to say about it. */
export interface RegistryHost {
  readonly url: string;
  /** True when the URL names the place within a registry, so that containerd adds nothing to it. */
  readonly wholePath: boolean;
  /** Path of a certificate authority on the node, or empty. */
  readonly ca: string;
  readonly login: LoginVariable | null;
}

export interface LoginVariable {
  readonly user: string;
  readonly passwordVariable: string;
}

/**
 * One for each registry. Its CA also holds for its mirrors, its password goes nowhere else; a mirror that is a
 * registry of the list itself is reached with its own of both.
 */
export const registryHosts = (registries: readonly Registry[]): readonly RegistryHosts[] =>
  registries.map((registry) => {
    const server = serverOf(registry.host);
    const mirrors = registry.mirrors.map((url) => mirrorOf(url, registry, registries));
    const itself = hostOf(server, registry, registry);
    const isPlain = itself.ca === '' && itself.login === null;
    return {
      folder: folderOf(registry.host),
      server,
      ca: registry.ca,
      hosts: [...mirrors.filter(({ url }) => isPlain || url !== server), ...(isPlain ? [] : [itself])],
    };
  });

/** Every login that a registry's file holds. */
export const loginsOf = ({ hosts }: RegistryHosts): readonly LoginVariable[] =>
  hosts.flatMap(({ login }) => (login === null ? [] : [login]));

function mirrorOf(url: string, of: Registry, registries: readonly Registry[]): RegistryHost {
  const own = registries.find(({ host }) => host === new URL(url).host);
  return hostOf(url.replace(/\/+$/, ''), own?.ca ? own : of, own);
}

const hostOf = (url: string, trusted: Registry, known: Registry | undefined): RegistryHost => ({
  url,
  wholePath: /\/v2(\/|$)/.test(new URL(url).pathname),
  ca: trusted.ca === '' ? '' : `/etc/containerd/certs.d/${folderOf(trusted.host)}/ca.crt`,
  login:
    known === undefined || known.passwordVariable === ''
      ? null
      : { user: known.user, passwordVariable: known.passwordVariable },
});

/** As containerd looks for it: a colon could not stand in the name of a folder everywhere. */
const folderOf = (host: string): string => host.replace(/:(\d+)$/, '_$1_');

/** Where a registry answers: Docker's is called otherwise in the names of images. */
export const serverOf = (host: string): string =>
  host === 'docker.io' ? 'https://registry-1.docker.io' : `https://${host}`;
