import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quote } from '../../../tasks/runtime/command.ts';
import { command } from '../command.ts';
import type { Ground } from './ground.ts';

/** What a person would type to bring a folder to a server, and a login that does nothing. */
export const rivals = (
  ground: Ground,
): Readonly<Record<'scp' | 'sftp' | 'tar' | 'login', () => Promise<unknown>>> => ({
  scp: () =>
    command(['scp', '-r', ...options(ground, '-P'), ground.folder, `127.0.0.1:${ground.freshFolder()}`]),
  sftp: () => command(['sftp', '-b', batch(ground), ...options(ground, '-P'), '127.0.0.1']),
  tar: () => command(['sh', '-c', tarLine(ground)]),
  login: () => command([...ssh(ground), 'true']),
});

const options = ({ sshd, proxy }: Ground, port: '-p' | '-P'): string[] => [
  ...['-F', 'none', port, `${proxy.port}`, '-i', sshd.privateKey],
  ...['-o', 'IdentitiesOnly=yes', '-o', 'StrictHostKeyChecking=yes'],
  ...['-o', `UserKnownHostsFile=${knownHosts(sshd.folder)}`, '-o', 'HostKeyAlias=server'],
];

const ssh = (ground: Ground): string[] => ['ssh', ...options(ground, '-p'), '127.0.0.1'];

const knownHosts = (folder: string): string => join(folder, 'known_hosts');

/** The proxy has a port of its own, so the key is pinned under a name. */
export const pin = ({ sshd }: Ground): void => {
  writeFileSync(knownHosts(sshd.folder), `server ${sshd.hostKey}\n`);
};

function tarLine(ground: Ground): string {
  const folder = quote(ground.freshFolder());
  const remote = quote(`mkdir -p ${folder} && tar -C ${folder} -x`);
  return `tar -C ${quote(ground.folder)} -c . | ${ssh(ground).map(quote).join(' ')} ${remote}`;
}

function batch(ground: Ground): string {
  const target = ground.freshFolder();
  const folders = new Set(ground.bundle.files.flatMap(({ path }) => parents(path)));
  const file = join(ground.sshd.folder, 'batch');
  const lines = [
    `mkdir ${target}`,
    ...[...folders].map((folder) => `mkdir ${join(target, folder)}`),
    ...ground.bundle.files.map(({ path }) => `put ${join(ground.folder, path)} ${join(target, path)}`),
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** The folders above a path, the outermost first. */
const parents = (path: string): string[] => {
  const folder = dirname(path);
  return folder === '.' ? [] : [...parents(folder), folder];
};
