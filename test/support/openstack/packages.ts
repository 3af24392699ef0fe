import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
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

/** What an OpenStack is run from: nothing of it is installed on this machine. */
export interface OpenStackPackages {
  /** A virtual environment with the services and their clients. */
  readonly python: string;
  /** Debian's MariaDB and RabbitMQ, unpacked. */
  readonly debian: string;
}

/** Each has a list of packages, by `scripts/lock-python.py`. */
export type PackageSet = 'magnum' | 'tacker';

const python = 'python3.11';
const erlang = [
  ...['base', 'asn1', 'crypto', 'eldap', 'ftp', 'inets', 'mnesia', 'os-mon', 'parsetools', 'public-key'],
  ...['runtime-tools', 'snmp', 'ssl', 'syntax-tools', 'tftp', 'tools', 'xmerl'],
].map((name) => `erlang-${name}`);
const ofDebian = [
  ...['mariadb-server-core', 'libaio1', 'liburing2', 'rabbitmq-server', ...erlang],
  ...['python3-openvswitch', 'python3-simplegeneric'],
];

/** Brings them from the package index, by their checksums, and from Debian, by its signatures; once. Else the reason why not. */
export function openStackPackages(set: PackageSet): Result<OpenStackPackages, string> {
  const lock = lockOf(set);
  const found = {
    python: cacheOf('python', readFileSync(lock, 'utf8')),
    debian: cacheOf('debian', ofDebian.join()),
  };
  const isWhole = Object.values(found).every((folder) => existsSync(join(folder, whole)));
  if (isWhole) return ok(found);
  if (process.getuid?.() !== 0) return failed('it needs root, as the lab does');
  try {
    bring(found.debian, bringDebian);
    bring(found.python, (folder) => {
      bringPython(folder, lock);
      complete[set](folder, found.debian);
    });
  } catch (error) {
    return failed(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
  return ok(found);
}

/** The clients alone, as a folder for PYTHONPATH on hosts of the lab, whose Python is of the same version. */
export function openStackClient(): string {
  const lock = join(import.meta.dirname, 'requirements-client.txt');
  const folder = cacheOf('client', readFileSync(lock, 'utf8'));
  bring(folder, (target) => {
    run(python, '-m', 'pip', 'install', ...quietly, '--target', target, '--requirement', lock);
  });
  return folder;
}

const lockOf = (set: PackageSet): string => join(import.meta.dirname, `requirements-${set}.txt`);

/** Ends what is there as a whole. */
const whole = '.whole';

const cacheOf = (kind: string, content: string): string =>
  join(
    cacheFolder(),
    'openstack',
    `${kind}-${createHash('sha256').update(content).digest('hex').slice(0, 12)}`,
  );

function bring(folder: string, make: (folder: string) => void): void {
  if (existsSync(join(folder, whole))) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  make(folder);
  writeFileSync(join(folder, whole), '');
}

const quietly = ['--quiet', '--require-hashes', '--no-deps', '--only-binary=:all:'];

function bringPython(folder: string, lock: string): void {
  run(python, '-m', 'venv', folder);
  run(join(folder, 'bin/pip'), 'install', ...quietly, '--requirement', lock);
}

/** What lacks in the packages of the index. */
const complete: Readonly<Record<PackageSet, (folder: string, debian: string) => void>> = {
  // Tacker's wheel lacks the types of SOL001 that its code opens here; its client brings them among its tests.
  tacker: (folder) => {
    const place = join(packagesOf(folder), 'etc/etsi-nfv/sol001/2.6.1');
    mkdirSync(place, { recursive: true });
    copyFileSync(join(typesOf({ python: folder }), types), join(place, types));
  },
  // The index has these as source alone.
  magnum: (folder, debian) => {
    for (const name of ['ovs', 'simplegeneric.py'])
      cpSync(join(debian, 'usr/lib/python3/dist-packages', name), join(packagesOf(folder), name), {
        recursive: true,
      });
  },
};

const packagesOf = (folder: string): string => join(folder, 'lib', python, 'site-packages');

const types = 'etsi_nfv_sol001_common_types.yaml';

/** The folder with the types of SOL001, which every package of a VNF has to bring. */
export const typesOf = (packages: Pick<OpenStackPackages, 'python'>): string =>
  join(
    packagesOf(packages.python),
    ...['tackerclient/tests/unit/osc/v1/fixture_data', 'sample_vnf_package/Definitions'],
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
