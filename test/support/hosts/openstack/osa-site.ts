import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, exec, type Lab } from '../../../../lab/index.ts';
import { there } from '../../there.ts';
import { brought } from '../kubespray/kubespray-mirror.ts';
import { must, on } from '../lab.ts';
import { osaMirror, type OsaRepositories } from './osa-mirror.ts';
import { labCilium } from './osa-modules.ts';
import type { OsaPrograms } from './osa-programs.ts';

/** The address of a host of the lab. */
export const addressOf = (lab: Lab, host: string): string =>
  there(describe(lab).hosts.find(({ name }) => name === host)).address;

/** What a command prints that root runs on a host; throws with its last words where it fails. */
export async function asRoot(lab: Lab, host: string, command: string): Promise<string> {
  const argv = ['bash', '-euo', 'pipefail', '-c', command];
  return must(await exec(lab, host, argv, { timeout: 1500 })).stdout.trim();
}

/** The Ansible server is the site's mirrors: of packages and of our collections by HTTP, of OpenStack-Ansible's repositories by git's own protocol. */
export async function mirrored(lab: Lab, source: OsaRepositories, hosts: readonly string[]): Promise<void> {
  const site = await osaMirror(source);
  try {
    await brought(lab, 'ansible', join(site, 'site'), '/srv/site');
  } finally {
    rmSync(site, { recursive: true });
  }
  const address = addressOf(lab, 'ansible');
  const unit = (name: string, words: string): string => `systemd-run --quiet --unit=${name} ${words}\n`;
  await on(lab, 'ansible', 'sh', '-ec', unit('files', 'python3 -m http.server 8080 --directory /srv/site'));
  for (const host of ['ansible', ...hosts]) await asRoot(lab, host, fetching(`http://${address}:8080`));
  const daemon = 'git -c safe.directory=* daemon --export-all --base-path=/srv/site/git';
  await asRoot(lab, 'ansible', `apt-get install --yes --quiet git\n${unit('repositories', daemon)}`);
}

/** Programs and images of the control plane: files beside the rest, images in a registry; of Cilium the lab's own, and its chart on the deploy host. */
export async function published(lab: Lab, host: string, { folder, cilium }: OsaPrograms): Promise<void> {
  for (const name of ['files', 'images.tar', 'images.list'])
    await brought(lab, 'ansible', join(folder, name), `/srv/site/${name}`);
  await brought(lab, 'ansible', join(cilium, 'images/node.tar'), '/srv/site/cilium.tar');
  await asRoot(lab, 'ansible', registry(addressOf(lab, 'ansible')));
  await brought(lab, host, join(cilium, 'charts/cilium.tgz'), '/root/cilium.tgz');
  await asRoot(lab, host, 'mkdir /opt/charts; tar -xzf /root/cilium.tgz -C /opt/charts');
}

const registry = (server: string): string => `
apt-get install --yes --quiet --no-install-recommends docker-registry skopeo
printf 'version: 0.1\\nstorage: { filesystem: { rootdirectory: /var/lib/docker-registry } }\\nhttp: { addr: ":5000" }\\n' > /etc/docker/registry/config.yml
systemctl restart docker-registry
give() { skopeo --insecure-policy copy --quiet --dest-tls-verify=false "docker-archive:/srv/site/$1" "docker://${server}:5000/osa/$2"; }
while read image; do give "images.tar:$image" "$image"; done < /srv/site/images.list
${Object.entries(labCilium)
  .map(([own, asked]) => `give "cilium.tar:${own}" "${asked}"`)
  .join('\n')}
rm /srv/site/images.tar /srv/site/cilium.tar
`;

const fetching = (site: string): string => `
rm -f /etc/apt/sources.list.d/*
echo 'deb [trusted=yes] ${site}/debian bookworm main' > /etc/apt/sources.list
for try in 1 2 3 4 5; do apt-get update --quiet && break || sleep 1; done
printf '[global]\\nno-index = true\\nfind-links = ${site}/wheels\\ntrusted-host = ${new URL(site).hostname}\\n' > /etc/pip.conf
`;
