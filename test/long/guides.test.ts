import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe as describeLab, down, type Lab } from '../../lab/index.ts';
import type { Desk } from '../support/desk.ts';
import { root } from '../support/documents.ts';
import { standInForKubespray } from '../support/hosts/kubespray/kubespray-lab.ts';
import { must, on, raiseLab } from '../support/hosts/lab.ts';
import { followed, labSteps } from '../support/hosts/lab-guides.ts';
import { putFiles } from '../support/hosts/openstack/osa-lab.ts';
import { standIn } from '../support/server/osa-stand-in.ts';

const quietly = async (name: string): Promise<void> => {
  must(await down(name));
};

/** Somebody whose key opens the Ansible server of a lab; with `isKnown` they have been there before. */
async function settle(lab: Lab, { home }: Desk, isKnown: boolean): Promise<void> {
  const { keyPath, knownHostsPath } = describeLab(lab);
  const own = join(home, '.ssh');
  await mkdir(own, { mode: 0o700 });
  await copyFile(keyPath, join(own, 'id_ed25519'));
  await chmod(join(own, 'id_ed25519'), 0o600);
  if (isKnown) await copyFile(knownHostsPath, join(own, 'known_hosts'));
}

{
  const page = 'docs/guides/around-kubespray.md';
  const name = 'guide-kubespray';
  let lab: Lab;
  followed(page, labSteps(page), {
    before: async () => {
      lab = await raiseLab(name, { workers: 2, client: false }, { subnet: '10.10.0.0/24' });
      await standInForKubespray(lab, 'v2.28.1');
      return { env: { SUDO_PASSWORD: describeLab(lab).passwords.become } };
    },
    settle: (at) => settle(lab, at, false),
    after: () => quietly(name),
  });
}

{
  const page = 'docs/guides/osa-deploy-host.md';
  const name = 'guide-osa';
  const steps = labSteps(page);
  const configuration = 'openstack_deploy/openstack_user_config.yml';
  const deployment = steps.find((step) => 'path' in step && step.path === configuration);
  let lab: Lab;
  followed(page, steps, {
    before: async () => {
      lab = await raiseLab(
        name,
        { controlPlanes: 0, client: false, standInApi: false },
        { subnet: '172.29.236.0/24' },
      );
      const text = deployment !== undefined && 'text' in deployment ? deployment.text : '';
      const foreign = { '/etc/openstack_deploy/user-collection-requirements.yml': 'collections: []\n' };
      const rights = { '/etc/sudoers.d/ops': 'ops ALL=(ALL) NOPASSWD: ALL\n' };
      await putFiles(lab, 'ansible', { ...standIn, [`/etc/${configuration}`]: text, ...foreign, ...rights });
      await on(lab, 'ansible', 'ln', '-s', 'openstack-ansible', '/usr/local/bin/ansible');
      return {};
    },
    settle: async (at) => {
      await settle(lab, at, true);
      await knownAs('deploy01', at);
    },
    after: () => quietly(name),
  });

  /** OpenSSH looks for its files in the home of the machine's user, whatever HOME says. */
  const knownAs = async (alias: string, { home }: Desk): Promise<void> => {
    const { hosts, user } = describeLab(lab);
    const own = join(home, '.ssh');
    const settings = {
      HostName: hosts.find((host) => host.name === 'ansible')?.address ?? '',
      User: user,
      IdentityFile: join(own, 'id_ed25519'),
      UserKnownHostsFile: join(own, 'known_hosts'),
    };
    const lines = Object.entries(settings).map(([key, value]) => `  ${key} ${value}\n`);
    await writeFile(join(own, 'config'), `Host ${alias}\n${lines.join('')}`);
    const scp = join(home, 'bin/scp');
    await writeFile(scp, `#!/bin/sh\nexec /usr/bin/scp -F '${own}/config' "$@"\n`);
    await chmod(scp, 0o755);
  };
}

{
  const page = 'docs/guides/security.md';
  followed(page, labSteps(page), { after: () => quietly('look') });
}

{
  const page = 'docs/guides/adding-a-phase.md';
  followed(page, labSteps(page), {
    settle: ({ folder }) => {
      checkout(folder);
      return Promise.resolve();
    },
    after: () => quietly('trial'),
  });
}

/** Everything of this checkout that is, or would be, in git, as one commit; with its libraries. */
function checkout(folder: string): void {
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8' });
  const files = git('ls-files', '-z', '--cached', '--others', '--exclude-standard');
  for (const path of files.split('\0').filter((each) => each !== '' && existsSync(join(root, each))))
    cpSync(join(root, path), join(folder, path));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const own = (...words: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=Guide', '-c', 'user.email=guide@example.org', ...words], {
      cwd: folder,
    });
  own('init', '--quiet');
  own('add', '.');
  own('commit', '--quiet', '--message', 'What there is');
}
