import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type Lab } from '../../../lab/index.ts';
import { containerName } from '../../../lab/hosts/host-argv.ts';
import { certify, s3Program } from '../server/s3-server.ts';
import { on, until } from './lab.ts';

/** What lies off the Ansible server: the lab's client host as an SFTP server, and as an S3 server over TLS. */
export interface Receivers {
  /** As a definition says them, but for the keys of S3. */
  readonly sftp: Readonly<Record<string, unknown>>;
  readonly s3: Readonly<Record<string, unknown>>;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Names of the snapshots in each, sorted. */
  readonly atSftp: () => Promise<readonly string[]>;
  readonly atS3: () => Promise<readonly string[]>;
  /** What can be read of the latest there without a key. */
  readonly about: () => Promise<string>;
  readonly stopS3: () => Promise<void>;
  readonly startS3: () => Promise<void>;
  /** The Ansible server has no snapshot any more. */
  readonly loseKept: () => Promise<void>;
}

interface Brought {
  readonly from: string;
  readonly to: string;
}

/** A file of this machine on a host that is a container. */
export async function bring(lab: Lab, host: string, { from, to }: Brought): Promise<void> {
  const copied = await lab.engine.podman(['cp', from, `${containerName(lab.state.name, host)}:${to}`]);
  if (!copied.ok) throw new Error(copied.failure.message);
}

const kept = '/home/ops/playsmith/kept';
const listed = async (lab: Lab, host: string, folder: string): Promise<readonly string[]> =>
  (await on(lab, host, 'sh', '-c', `ls ${folder} 2>/dev/null | grep -E '[.]db([.]age)?$' || true`))
    .split('\n')
    .filter((name) => name !== '');

/** Names of the snapshots that the Ansible server keeps. */
export const keptOf = (lab: Lab): Promise<readonly string[]> => listed(lab, 'ansible', `${kept}/*/etcd`);

/** Those of them that are not encrypted. */
export const plainIn = async (lab: Lab): Promise<readonly string[]> =>
  (await keptOf(lab)).filter((name) => name.endsWith('.db'));

export async function receivers(lab: Lab): Promise<Receivers> {
  const client = describe(lab).hosts.find(({ name }) => name === 'client');
  if (client === undefined) throw new Error('the lab has no client');
  const keys = { accessKeyId: 'AKIALAB', secretAccessKey: 'sesame/open+the/cave=' };
  await startSftp(lab);
  await bringS3(lab, client.address);
  const far = (folder: string) => (): Promise<readonly string[]> => listed(lab, 'client', folder);
  const startS3 = async (): Promise<void> => {
    const words = `--port ${client.address}:9000 --quiet --cert /srv/s3/cert.pem --key /srv/s3/key.pem posix --sidecar /srv/s3/about /srv/s3/objects`;
    const unit = `systemd-run --quiet --collect --unit s3 --setenv=ROOT_ACCESS_KEY=${keys.accessKeyId} --setenv=ROOT_SECRET_KEY=${keys.secretAccessKey}`;
    await on(lab, 'client', 'sh', '-c', `${unit} /usr/local/bin/versitygw ${words}`);
    const ask = `echo | openssl s_client -connect ${client.address}:9000 >/dev/null 2>&1 && echo yes || true`;
    await until('S3 answers', async () => (await on(lab, 'client', 'sh', '-c', ask)) === 'yes');
  };
  await startS3();
  return {
    ...keys,
    sftp: {
      ...{ host: client.address, user: 'keeper', privateKey: '~/.ssh/backup' },
      ...{ hostKey: client.hostKey, directory: 'snapshots' },
    },
    s3: {
      ...{ endpoint: `https://${client.address}:9000`, bucket: 'etcd' },
      ...{ prefix: 'clusters/', ca: '/etc/s3-ca.pem' },
    },
    atSftp: far('/home/keeper/snapshots/*'),
    atS3: far('/srv/s3/objects/etcd/clusters/*'),
    about: () => on(lab, 'client', 'sh', '-c', 'cat "$(ls /home/keeper/snapshots/*/*.json | tail -n 1)"'),
    startS3,
    stopS3: async () => {
      await on(lab, 'client', 'systemctl', 'stop', 's3');
    },
    loseKept: async () => {
      await on(lab, 'ansible', 'rm', '-rf', kept);
    },
  };
}

/** A user who may write there, with a key of the Ansible server's own. */
async function startSftp(lab: Lab): Promise<void> {
  const make =
    'su ops -c "ssh-keygen -q -t ed25519 -N \'\' -f ~/.ssh/backup" && cat /home/ops/.ssh/backup.pub';
  const key = await on(lab, 'ansible', 'sh', '-c', make);
  const user =
    'useradd --create-home --shell /bin/sh keeper && install -d -o keeper -m 0700 /home/keeper/.ssh';
  const file = '/home/keeper/.ssh/authorized_keys';
  await on(lab, 'client', 'sh', '-c', `${user} && echo '${key}' >${file} && chown keeper ${file}`);
}

async function bringS3(lab: Lab, address: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-s3-'));
  try {
    certify(folder, address);
    await on(lab, 'client', 'sh', '-c', 'mkdir -p /srv/s3/about /srv/s3/objects/etcd');
    await bring(lab, 'client', { from: s3Program(), to: '/usr/local/bin/versitygw' });
    for (const file of ['cert.pem', 'key.pem'])
      await bring(lab, 'client', { from: join(folder, file), to: `/srv/s3/${file}` });
    await bring(lab, 'ansible', { from: join(folder, 'cert.pem'), to: '/etc/s3-ca.pem' });
    await on(lab, 'ansible', 'chmod', '0644', '/etc/s3-ca.pem');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
