import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBroker, startDatabase } from './backing.ts';
import { adminToken, asker, register } from './identity.ts';
import type { OpenStackPackages } from './packages.ts';
import { listens, programs, waitFor, type Programs } from './programs.ts';
import { ini, type Service } from './service.ts';
import { keystone } from './services/keystone.ts';
import { newSites, portOf, urlOf, type Sites } from './sites.ts';

/** Keystone and some other services of OpenStack on this machine, with an administrator. */
export interface ControlPlane {
  readonly sites: Sites;
  /** Good for an hour. */
  readonly token: string;
  /** What a client is told about the cloud: the administrator's way in. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs the client; what it prints. */
  readonly openstack: (...words: readonly string[]) => Promise<string>;
  /** What a service printed. */
  readonly logOf: Programs['logOf'];
  readonly end: () => void;
}

export interface ControlPlaneOptions {
  readonly packages: OpenStackPackages;
  readonly services: readonly Service[];
  /** What the APIs listen on; loopback when left out. */
  readonly address?: string;
  /** What every service is started with. */
  readonly environment?: Readonly<Record<string, string>>;
}

export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const services = [keystone, ...options.services];
  const { packages, address = '127.0.0.1' } = options;
  const sites = await newSites(
    { python: packages.python, address },
    services.map(({ name }) => name),
  );
  const started = programs(sites.folder);
  const end = (): void => {
    started.end();
    rmSync(sites.folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await bringUp({ ...options, sites, services, started });
  } catch (error) {
    end();
    throw error;
  }
  const environment = administrator(sites);
  const client = join(sites.python, 'bin/openstack');
  return {
    sites,
    environment,
    token: await adminToken(urlOf(sites, 'keystone'), sites.password),
    openstack: (...words) => started.run([client, ...words], environment),
    logOf: started.logOf,
    end,
  };
}

interface Ground extends ControlPlaneOptions {
  readonly sites: Sites;
  readonly started: Programs;
}

async function bringUp(ground: Ground): Promise<void> {
  const { sites, services, started, packages } = ground;
  for (const { name, configuration } of services)
    writeFileSync(join(sites.folder, `${name}.conf`), ini(configuration(sites)), { mode: 0o600 });
  const databases = services.flatMap(({ name, databases: more = [] }) => [name, ...more]);
  await startDatabase(packages.debian, sites, started, databases);
  await Promise.all([startBroker(packages.debian, sites, started), prepare(ground)]);
  const [first, ...others] = services;
  if (first === undefined) return;
  await start(ground, first);
  const ask = await asker(urlOf(sites, 'keystone'), sites.password);
  await register(
    ask,
    sites.password,
    others.map(({ name, type, path = '' }) => ({ name, type, url: `${urlOf(sites, name)}${path}` })),
  );
  for (const { identity } of others) await identity?.(ask, sites);
  await Promise.all(others.map((service) => start(ground, service)));
}

async function prepare(ground: Ground): Promise<void> {
  for (const service of ground.services)
    for (const argv of service.prepare(ground.sites))
      await ground.started.run(argv, environmentOf(ground, service));
}

async function start(ground: Ground, service: Service): Promise<void> {
  const { sites, started } = ground;
  for (const [name, argv] of Object.entries(service.programs(sites)))
    started.start(name, argv, environmentOf(ground, service));
  await waitFor(service.name, () => listens(portOf(sites, service.name), sites.address));
  for (const [name, words] of Object.entries(service.ready ?? {}))
    await waitFor(name, () => Promise.resolve(started.logOf(name).includes(words)));
}

/** A service looks for its configuration, named after it, in its home. */
const environmentOf = (
  { sites, environment }: Ground,
  service: Service,
): Readonly<Record<string, string>> => ({
  HOME: sites.folder,
  ...environment,
  ...service.environment?.(sites),
});

const administrator = (sites: Sites): Readonly<Record<string, string>> => ({
  OS_AUTH_URL: `${urlOf(sites, 'keystone')}/v3`,
  ...{ OS_USERNAME: 'admin', OS_PASSWORD: sites.password, OS_PROJECT_NAME: 'admin' },
  ...{ OS_USER_DOMAIN_NAME: 'Default', OS_PROJECT_DOMAIN_NAME: 'Default' },
  ...{ OS_REGION_NAME: 'RegionOne', OS_IDENTITY_API_VERSION: '3' },
});
