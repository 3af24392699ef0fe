import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../server/git-server.ts';
import { startBroker, startDatabase } from './backing.ts';
import {
  barbicanConfiguration,
  databaseOf,
  keystoneConfiguration,
  tackerConfiguration,
  urlOf,
  type Sites,
} from './configuration.ts';
import type { OpenStackPackages } from './packages.ts';
import { listens, programs, waitFor, type Programs } from './programs.ts';
import { adminToken, register } from './identity.ts';

/** Keystone, Barbican and Tacker on loopback, with an administrator. */
export interface OpenStack {
  /** Of Tacker. */
  readonly url: string;
  /** Good for an hour. */
  readonly token: string;
  /** Runs the client; what it prints. */
  readonly openstack: (...words: readonly string[]) => Promise<string>;
  /** What a service printed. */
  readonly logOf: Programs['logOf'];
  readonly end: () => void;
}

export async function startOpenStack(packages: OpenStackPackages): Promise<OpenStack> {
  const sites = await newSites(packages);
  const started = programs(sites.folder);
  const end = (): void => {
    started.end();
    rmSync(sites.folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await startDatabase(packages.debian, sites, started);
    await Promise.all([
      startBroker(packages.debian, sites, started),
      prepareKeystone(sites, started),
      prepareOthers(sites, started),
    ]);
    await startServices(sites, started);
    const token = await adminToken(urlOf(sites, 'keystone'), sites.password);
    const env = clientEnvironment(sites);
    const client = join(sites.python, 'bin/openstack');
    const openstack = (...words: readonly string[]): Promise<string> => started.run([client, ...words], env);
    return { url: urlOf(sites, 'tacker'), token, openstack, logOf: started.logOf, end };
  } catch (error) {
    end();
    throw error;
  }
}

async function newSites({ python }: OpenStackPackages): Promise<Sites> {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-openstack-'));
  mkdirSync(join(folder, 'tacker/store'), { recursive: true });
  mkdirSync(join(folder, 'tacker/packages'));
  const ports = {
    ...{ amqp: await freePort(), barbican: await freePort(), database: await freePort() },
    ...{ distribution: await freePort(), epmd: await freePort(), keystone: await freePort() },
    tacker: await freePort(),
  };
  const sites = { folder, python, password: randomBytes(12).toString('hex'), ports };
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  };
  write('keystone.conf', keystoneConfiguration(sites));
  write('barbican.conf', barbicanConfiguration(sites));
  write('tacker.conf', tackerConfiguration(sites));
  return sites;
}

async function prepareKeystone(sites: Sites, { run }: Programs): Promise<void> {
  const url = `${urlOf(sites, 'keystone')}/v3`;
  const manage = (...words: readonly string[]): Promise<string> =>
    run([
      join(sites.python, 'bin/keystone-manage'),
      ...['--config-file', join(sites.folder, 'keystone.conf'), ...words],
    ]);
  await manage('db_sync');
  for (const kind of ['fernet_setup', 'credential_setup'])
    await manage(kind, '--keystone-user', 'root', '--keystone-group', 'root');
  await manage(
    ...['bootstrap', '--bootstrap-password', sites.password, '--bootstrap-region-id', 'RegionOne'],
    ...['admin', 'internal', 'public'].flatMap((each) => [`--bootstrap-${each}-url`, url]),
  );
}

async function prepareOthers(sites: Sites, { run }: Programs): Promise<void> {
  await run(
    [join(sites.python, 'bin/barbican-db-manage'), '--dburl', databaseOf(sites, 'barbican'), 'upgrade'],
    { HOME: sites.folder },
  );
  await run([
    join(sites.python, 'bin/tacker-db-manage'),
    ...['--config-file', join(sites.folder, 'tacker.conf'), 'upgrade', 'head'],
  ]);
}

async function startServices(sites: Sites, { start, logOf }: Programs): Promise<void> {
  const { folder, python, ports, password } = sites;
  const api = (name: 'barbican' | 'keystone', source: string): void => {
    start(
      name,
      [join(python, 'bin/python'), join(import.meta.dirname, 'wsgi.py'), source, `${ports[name]}`],
      {
        HOME: folder,
        OS_KEYSTONE_CONFIG_FILES: join(folder, 'keystone.conf'),
      },
    );
  };
  api('keystone', 'keystone.wsgi.api');
  await waitFor('Keystone', () => listens(ports.keystone));
  await register(urlOf(sites, 'keystone'), password, [
    { name: 'barbican', type: 'key-manager', url: urlOf(sites, 'barbican') },
    { name: 'tacker', type: 'nfv-orchestration', url: urlOf(sites, 'tacker') },
  ]);
  api('barbican', join(python, 'etc/barbican/barbican-api-paste.ini'));
  for (const program of ['tacker-server', 'tacker-conductor'])
    start(program, [join(python, 'bin', program), '--config-file', join(folder, 'tacker.conf')], {
      HOME: folder,
    });
  await waitFor('Barbican', () => listens(ports.barbican));
  await waitFor('Tacker', () => listens(ports.tacker));
  await waitFor("Tacker's conductor", () =>
    Promise.resolve(logOf('tacker-conductor').includes('start method: fork')),
  );
}

const clientEnvironment = (sites: Sites): Readonly<Record<string, string>> => ({
  OS_AUTH_URL: `${urlOf(sites, 'keystone')}/v3`,
  ...{ OS_USERNAME: 'admin', OS_PASSWORD: sites.password, OS_PROJECT_NAME: 'admin' },
  ...{ OS_USER_DOMAIN_NAME: 'Default', OS_PROJECT_DOMAIN_NAME: 'Default' },
  ...{ OS_REGION_NAME: 'RegionOne', OS_IDENTITY_API_VERSION: '3' },
});
