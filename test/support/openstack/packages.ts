import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { cacheFolder } from '../../../tasks/runtime/folders.ts';

/** What a Tacker is run from: nothing of it is installed on this machine. */
export interface OpenStackPackages {
  /** A virtual environment with the services and their clients. */
  readonly python: string;
  /** Debian's MariaDB and RabbitMQ, unpacked. */
  readonly debian: string;
}

const requirements = join(import.meta.dirname, 'requirements.txt');
const python = 'python3.11';
const erlang = [
  ...['base', 'asn1', 'crypto', 'eldap', 'ftp', 'inets', 'mnesia', 'os-mon', 'parsetools', 'public-key'],
  ...['runtime-tools', 'snmp', 'ssl', 'syntax-tools', 'tftp', 'tools', 'xmerl'],
].map((name) => `erlang-${name}`);
const ofDebian = ['mariadb-server-core', 'libaio1', 'liburing2', 'rabbitmq-server', ...erlang];

/** Brings them from the package index, by their checksums, and from Debian, by its signatures; once. Else the reason why not. */
export function openStackPackages(): Result<OpenStackPackages, string> {
  const lock = readFileSync(requirements, 'utf8');
  const sum = createHash('sha256').update(`${lock}${ofDebian.join()}`).digest('hex').slice(0, 12);
  const folder = join(cacheFolder(), 'openstack', sum);
  const found = { python: join(folder, 'python'), debian: join(folder, 'debian') };
  if (existsSync(join(folder, 'whole'))) return ok(found);
  if (process.getuid?.() !== 0) return failed('it needs root, as the lab does');
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(found.debian, { recursive: true });
    bringPython(found.python);
    bringDebian(found.debian);
  } catch (error) {
    return failed(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
  writeFileSync(join(folder, 'whole'), '');
  return ok(found);
}

const types = 'etsi_nfv_sol001_common_types.yaml';

function bringPython(folder: string): void {
  run(python, '-m', 'venv', folder);
  run(
    join(folder, 'bin/pip'),
    ...['install', '--quiet', '--require-hashes', '--no-deps', '--only-binary=:all:'],
    ...['--requirement', requirements],
  );
  // Tacker's wheel lacks the types of SOL001 that its code opens here; its client brings them among its tests.
  const place = join(folder, 'lib', python, 'site-packages/etc/etsi-nfv/sol001/2.6.1');
  mkdirSync(place, { recursive: true });
  copyFileSync(join(typesOf({ python: folder }), types), join(place, types));
}

/** The folder with the types of SOL001, which every package of a VNF has to bring. */
export const typesOf = (packages: Pick<OpenStackPackages, 'python'>): string =>
  join(
    packages.python,
    ...['lib', python, 'site-packages/tackerclient/tests/unit/osc/v1/fixture_data'],
    'sample_vnf_package/Definitions',
  );

function bringDebian(folder: string): void {
  const files = join(folder, 'files');
  mkdirSync(files);
  execFileSync('apt-get', ['download', '--quiet', ...ofDebian], { cwd: files, stdio: 'ignore' });
  for (const file of readdirSync(files)) run('dpkg', '--extract', join(files, file), folder);
  rmSync(files, { recursive: true });
  // It believes that it lies in /usr.
  const erl = join(folder, 'usr/lib/erlang/bin/erl');
  const text = readFileSync(erl, 'utf8');
  writeFileSync(erl, text.replaceAll('ROOTDIR=/usr/lib/erlang', `ROOTDIR=${folder}/usr/lib/erlang`));
}

const run = (program: string, ...words: readonly string[]): void => {
  execFileSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'] });
};
