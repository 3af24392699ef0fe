import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { there } from '../there.ts';
import { portOf, type Sites } from './sites.ts';
import { listens, waitFor, type Programs } from './programs.ts';

/** MariaDB with empty databases. */
export async function startDatabase(
  debian: string,
  sites: Sites,
  { start }: Programs,
  databases: readonly string[],
): Promise<void> {
  const share = join(debian, 'usr/share/mysql');
  const data = join(sites.folder, 'database');
  mkdirSync(data);
  const env = { LD_LIBRARY_PATH: join(debian, 'usr/lib/x86_64-linux-gnu') };
  const argv = [
    join(debian, 'usr/sbin/mariadbd'),
    ...['--no-defaults', '--user=root', `--basedir=${debian}/usr`, `--datadir=${data}`],
    ...[`--lc-messages-dir=${share}`, `--character-sets-dir=${share}/charsets`],
    ...[`--plugin-dir=${debian}/usr/lib/mysql/plugin`, '--innodb-flush-log-at-trx-commit=0'],
  ];
  const tables = ['mysql_system_tables', 'mysql_performance_tables', 'mysql_system_tables_data'];
  const made = spawnSync(there(argv[0]), [...argv.slice(1), '--bootstrap'], {
    env: { ...process.env, ...env },
    input: [
      'create database mysql;\nuse mysql;\nset @auth_root_socket=NULL;',
      ...tables.map((name) => readFileSync(join(share, `${name}.sql`), 'utf8')),
    ].join('\n'),
  });
  if (made.status !== 0) throw new Error(`no database: ${made.stderr.toString().slice(-500)}`);
  const init = join(sites.folder, 'init.sql');
  writeFileSync(init, initial(sites.password, databases), { mode: 0o600 });
  const more = ['--bind-address=127.0.0.1', `--port=${portOf(sites, 'database')}`, '--skip-name-resolve'];
  start('database', [...argv, ...more, `--socket=${data}/socket`, `--init-file=${init}`], env);
  await waitFor('MariaDB', () => listens(portOf(sites, 'database')));
}

const initial = (password: string, databases: readonly string[]): string =>
  [
    ...databases.map((name) => `CREATE DATABASE ${name} CHARACTER SET utf8mb3;`),
    `CREATE USER openstack@127.0.0.1 IDENTIFIED BY '${password}';`,
    'GRANT ALL ON *.* TO openstack@127.0.0.1;\n',
  ].join('\n');

/** RabbitMQ, with the daemon that tells Erlang's nodes of each other. */
export async function startBroker(debian: string, sites: Sites, { start }: Programs): Promise<void> {
  const { password, folder } = sites;
  const epmd = portOf(sites, 'epmd');
  const home = join(folder, 'broker');
  mkdirSync(home);
  const file = join(home, 'rabbitmq.conf');
  writeFileSync(file, brokerConfiguration(portOf(sites, 'amqp'), password), { mode: 0o600 });
  writeFileSync(join(home, 'plugins'), '[].\n');
  const erlang = join(debian, 'usr/lib/erlang');
  const runtime = there(readdirSync(erlang).find((name) => name.startsWith('erts-')));
  start('epmd', [join(erlang, runtime, 'bin/epmd'), '-address', '127.0.0.1', '-port', `${epmd}`]);
  await waitFor('epmd', () => listens(epmd));
  const versions = join(debian, 'usr/lib/rabbitmq/lib');
  const server = join(versions, there(readdirSync(versions)[0]), 'sbin/rabbitmq-server');
  start('broker', [server], {
    PATH: `${erlang}/bin:${process.env['PATH'] ?? ''}`,
    HOME: home,
    ...{ RABBITMQ_CONFIG_FILE: file, RABBITMQ_MNESIA_BASE: join(home, 'data'), RABBITMQ_LOGS: '-' },
    ...{ RABBITMQ_ENABLED_PLUGINS_FILE: join(home, 'plugins'), RABBITMQ_CONF_ENV_FILE: '/dev/null' },
    ...{ RABBITMQ_LOG_BASE: home, RABBITMQ_NODENAME: 'playsmith@localhost' },
    ...{
      RABBITMQ_DIST_PORT: `${portOf(sites, 'distribution')}`,
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 1:1 +sbwt none',
    },
    ...{ ERL_EPMD_ADDRESS: '127.0.0.1', ERL_EPMD_PORT: `${epmd}` },
  });
  await waitFor('RabbitMQ', () => listens(portOf(sites, 'amqp')));
}

const brokerConfiguration = (port: number, password: string): string =>
  [
    `listeners.tcp.1 = 127.0.0.1:${port}`,
    'distribution.listener.interface = 127.0.0.1',
    'log.console = true',
    'default_user = openstack',
    `default_pass = ${password}`,
    'disk_free_limit.absolute = 50MB\n',
  ].join('\n');
