import { join } from 'node:path';
import type { Asker } from './identity.ts';
import { brokerOf, databaseOf, portOf, urlOf, type Sites } from './sites.ts';

export type Sections = Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>;

/** A service of OpenStack. Its name is also that of its user, its database and, with `.conf`, its configuration. */
export interface Service {
  readonly name: string;
  /** In the catalogue. */
  readonly type: string;
  /** Of its endpoint. */
  readonly path?: string;
  /** Besides the one of its name. */
  readonly databases?: readonly string[];
  readonly configuration: (sites: Sites) => Sections;
  /** What is run once before it starts, one after the other. */
  readonly prepare: (sites: Sites) => readonly (readonly string[])[];
  /** What it wants of Keystone besides its user. */
  readonly identity?: (ask: Asker, sites: Sites) => Promise<void>;
  /** Its programs by their names. */
  readonly programs: (sites: Sites) => Readonly<Record<string, readonly string[]>>;
  /** What it is started with. */
  readonly environment?: (sites: Sites) => Readonly<Record<string, string>>;
  /** What a program prints when it is ready, where it listens on nothing. */
  readonly ready?: Readonly<Record<string, string>>;
}

export const ini = (sections: Sections): string =>
  Object.entries(sections)
    .map(([section, entries]) =>
      [`[${section}]`, ...Object.entries(entries).map(([key, value]) => `${key} = ${value}`), ''].join('\n'),
    )
    .join('\n');

/** How a service asks Keystone about tokens, or another service for itself. */
export const asUser = (sites: Sites, username: string): Sections[string] => ({
  www_authenticate_uri: `${urlOf(sites, 'keystone')}/v3`,
  auth_url: `${urlOf(sites, 'keystone')}/v3`,
  auth_type: 'password',
  ...{ username, password: sites.password, project_name: 'service' },
  ...{ user_domain_name: 'Default', project_domain_name: 'Default' },
});

/** What nearly all of them have. */
export const common = (sites: Sites, name: string): Sections => ({
  DEFAULT: { use_stderr: true, transport_url: brokerOf(sites) },
  database: { connection: databaseOf(sites, name) },
  keystone_authtoken: asUser(sites, name),
  oslo_concurrency: { lock_path: join(sites.folder, name, 'locks') },
});

/** Several sections as one; later keys win. */
export const mergeSections = (...all: readonly Sections[]): Sections =>
  Object.fromEntries(
    all
      .flatMap((each) => Object.keys(each))
      .map((name) => [name, Object.fromEntries(all.flatMap((each) => Object.entries(each[name] ?? {})))]),
  );

/** An API that a WSGI server serves: a module with `application`, or a file of paste. */
export const api = (sites: Sites, name: string, source: string): readonly string[] => [
  join(sites.python, 'bin/python'),
  join(import.meta.dirname, 'wsgi.py'),
  source,
  `${sites.address}:${portOf(sites, name)}`,
];

/** A program of a service that is told where its configuration lies. */
export const withConfiguration = (
  { python, folder }: Sites,
  name: string,
  program: string,
  ...words: readonly string[]
): readonly string[] => [
  join(python, 'bin', program),
  ...['--config-file', join(folder, `${name}.conf`)],
  ...words,
];
