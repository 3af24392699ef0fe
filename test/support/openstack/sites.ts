import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../server/git-server.ts';
import { there } from '../there.ts';

/** Where the services of one OpenStack lie and listen. */
export interface Sites {
  readonly folder: string;
  /** The virtual environment. */
  readonly python: string;
  readonly password: string;
  /** What the APIs listen on: loopback, or this machine's address in a lab. Whatever is behind them listens on loopback. */
  readonly address: string;
  readonly ports: Readonly<Record<string, number>>;
}

/** Of the database, the broker and the daemon that tells Erlang's nodes of each other. */
const behind = ['amqp', 'database', 'distribution', 'epmd'];

/** A folder of its own, and a free port for each service. */
export async function newSites(
  { python, address }: Pick<Sites, 'python' | 'address'>,
  services: readonly string[],
): Promise<Sites> {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-openstack-'));
  const ports: Record<string, number> = {};
  for (const name of [...behind, ...services]) ports[name] = await freePort();
  for (const name of services) mkdirSync(join(folder, name));
  return { folder, python, address, password: randomBytes(12).toString('hex'), ports };
}

export const portOf = ({ ports }: Sites, service: string): number => there(ports[service]);

export const urlOf = (sites: Sites, service: string): string =>
  `http://${sites.address}:${portOf(sites, service)}`;

export const databaseOf = (sites: Sites, name: string): string =>
  `mysql+pymysql://openstack:${sites.password}@127.0.0.1:${portOf(sites, 'database')}/${name}?charset=utf8mb3`;

export const brokerOf = (sites: Sites): string =>
  `rabbit://openstack:${sites.password}@127.0.0.1:${portOf(sites, 'amqp')}/`;
