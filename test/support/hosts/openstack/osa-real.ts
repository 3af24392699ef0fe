import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, down, exec, type Lab } from '../../../../lab/index.ts';
import { project, type Ended, type Project } from '../../project.ts';
import { there } from '../../there.ts';
import { brought } from '../kubespray/kubespray-mirror.ts';
import { must, on, raiseLab } from '../lab.ts';
import { definition as osaDefinition } from './osa-lab.ts';
import { osaMirror, osaRoles, type OsaRepositories } from './osa-mirror.ts';

/** A deploy host with OpenStack-Ansible itself, and one host, `infra1`, that is all of its cloud. */
export interface RealOsaLab {
  readonly project: Project;
  readonly run: (...words: readonly string[]) => Promise<Ended>;
  /** On the deploy host, as root. */
  readonly sh: (command: string) => Promise<string>;
  /** On infra1, as root. */
  readonly infra: (command: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Of OpenStack on its management network; the external one is an address of the lab. */
export const addresses = { infra1: '172.29.236.11', internal: '172.29.236.9' };

const [deployHost, infraHost] = ['cp1', 'cp2'];

/** Bootstraps the deploy host and prepares infra1, by OpenStack-Ansible's own script and playbooks. */
export async function realOsaLab(name: string, source: OsaRepositories): Promise<RealOsaLab> {
  const lab = await raiseLab(name, { controlPlanes: 2, client: false, standInApi: false });
  const sh = (command: string): Promise<string> => asRoot(lab, deployHost, command);
  const infra = (command: string): Promise<string> => asRoot(lab, infraHost, command);
  const here = await project('');
  const close = async (): Promise<void> => {
    await here.remove();
    must(await down(name));
  };
  try {
    await mirrored(lab, source);
    await cabled(lab);
    await sh(bootstrap(addressOf(lab, 'ansible'), source.branch));
    await configured(lab);
    for (const each of ['certificate_authority', 'openstack_hosts_setup', 'haproxy', 'containers_lxc_host'])
      await sh(`cd /opt/openstack-ansible && ${logged(`openstack-ansible openstack.osa.${each}`, each)}`);
    await here.define(osaDefinition(lab, '2025.1', offline(addressOf(lab, 'ansible'))));
    await here.done('render');
  } catch (error) {
    await close();
    throw error;
  }
  return { project: here, sh, infra, close, run: (...words) => here.task('run', ...words, '--json') };
}

/** Everything from the site's mirrors. */
const offline = (
  server: string,
): string => `controlPlane: { hosts: [{ name: infra1, address: ${addresses.infra1} }] }
offline: { registry: "${server}:5000/osa", files: "http://${server}:8080/files", git: "http://${server}:8080/git" }
functionalTest: { imageUrl: "http://${server}:8080/files/kube.qcow2" }`;

const addressOf = (lab: Lab, host: string): string =>
  there(describe(lab).hosts.find(({ name }) => name === host)).address;

async function asRoot(lab: Lab, host: string, command: string): Promise<string> {
  const argv = ['bash', '-euo', 'pipefail', '-c', command];
  return must(await exec(lab, host, argv, { timeout: 1500 })).stdout.trim();
}

/** The Ansible server is the site's mirrors: of packages and of our collections by HTTP, of OpenStack-Ansible's repositories by git's own protocol. */
async function mirrored(lab: Lab, source: OsaRepositories): Promise<void> {
  const site = await osaMirror(source);
  try {
    await brought(lab, 'ansible', join(site, 'site'), '/srv/site');
  } finally {
    rmSync(site, { recursive: true });
  }
  const address = addressOf(lab, 'ansible');
  const unit = (name: string, words: string): string => `systemd-run --quiet --unit=${name} ${words}\n`;
  await on(lab, 'ansible', 'sh', '-ec', unit('files', 'python3 -m http.server 8080 --directory /srv/site'));
  for (const host of ['ansible', deployHost, infraHost])
    await asRoot(lab, host, fetching(`http://${address}:8080`));
  const daemon = 'git -c safe.directory=* daemon --export-all --base-path=/srv/site/git';
  await asRoot(lab, 'ansible', `apt-get install --yes --quiet git\n${unit('repositories', daemon)}`);
}

const fetching = (site: string): string => `
rm -f /etc/apt/sources.list.d/*
echo 'deb [trusted=yes] ${site}/debian bookworm main' > /etc/apt/sources.list
for try in 1 2 3 4 5; do apt-get update --quiet && break || sleep 1; done
printf '[global]\\nno-index = true\\nfind-links = ${site}/wheels\\ntrusted-host = ${new URL(site).hostname}\\n' > /etc/pip.conf
`;

/** The management network, which only infra1 is on, and what a container of the lab lacks of a host: devices of loops, and networkd. */
async function cabled(lab: Lab): Promise<void> {
  await asRoot(
    lab,
    infraHost,
    `ip link add br-mgmt type bridge; ip link set br-mgmt up
ip address add ${addresses.infra1}/22 dev br-mgmt; ip address add ${addresses.internal}/32 dev br-mgmt
ip address add ${externalOf(lab)}/32 dev eth0; echo 1 > /proc/sys/net/ipv4/ip_forward
systemctl unmask systemd-networkd.service systemd-networkd.socket
mknod /dev/loop-control c 10 237; for at in 0 1 2 3 4 5 6 7; do mknod /dev/loop$at b 7 $at; done
sed -i 's/^#\\?PermitRootLogin.*/PermitRootLogin prohibit-password/' /etc/ssh/sshd_config $(ls /etc/ssh/sshd_config.d/*.conf)
systemctl restart ssh`,
  );
}

const externalOf = (lab: Lab): string => addressOf(lab, infraHost).replace(/\d+$/, '200');

/** A long command, whose last words are told where it fails. */
const logged = (command: string, name: string): string =>
  `${command} > /root/${name}.log 2>&1 || { tail -n 30 /root/${name}.log >&2; exit 1; }`;

/** OpenStack-Ansible's own bootstrap, which installs an Ansible, collections and roles. */
const bootstrap = (server: string, branch: string): string => `
printf '[url "git://${server}/"]\\n insteadOf = https://opendev.org/\\n insteadOf = https://github.com/\\n' > /etc/gitconfig
apt-get install --yes --quiet git wget
git clone --quiet --branch ${branch} https://opendev.org/openstack/openstack-ansible /opt/openstack-ansible
cd /opt/openstack-ansible
python3 - <<'END'
import re
blocks = re.split(r'(?m)^(?=- name: )', open('ansible-role-requirements.yml').read())
named = [(re.match(r'- name: (\\S+)', each), each) for each in blocks]
open('/root/roles.yml', 'w').write(''.join(each for name, each in named if not name or name[1] in '${osaRoles.join(' ')}'.split()))
END
export ANSIBLE_ROLE_FILE=/root/roles.yml TOX_CONSTRAINTS_FILE=http://${server}:8080/upper-constraints.txt
export PIP_OPTS='--no-index --find-links http://${server}:8080/wheels --trusted-host ${server}'
${logged('scripts/bootstrap-ansible.sh', 'bootstrap')}
`;

/** What an operator writes: the cloud, and for a site without the internet whose hosts share a kernel, some variables. */
async function configured(lab: Lab): Promise<void> {
  await asRoot(
    lab,
    deployHost,
    `ip route add 172.29.236.0/22 via ${addressOf(lab, infraHost)}
mkdir -p /etc/openstack_deploy/conf.d; cd /opt/openstack-ansible
cp etc/openstack_deploy/user_secrets.yml /etc/openstack_deploy
/opt/ansible-runtime/bin/python scripts/pw-token-gen.py --file /etc/openstack_deploy/user_secrets.yml
cat > /etc/openstack_deploy/openstack_user_config.yml <<'END'
cidr_networks: { management: 172.29.236.0/22 }
used_ips: ["172.29.236.1,172.29.236.50"]
global_overrides:
  internal_lb_vip_address: ${addresses.internal}
  external_lb_vip_address: ${externalOf(lab)}
  management_bridge: br-mgmt
  provider_networks:
    - network:
        container_bridge: br-mgmt
        container_type: veth
        container_interface: eth1
        ip_from_q: management
        type: raw
        group_binds: [all_containers, hosts]
        is_management_address: true
${['shared-infra', 'load_balancer', 'identity', 'magnum-infra', 'octavia-infra'].map((each) => `${each}_hosts: { infra1: { ip: ${addresses.infra1} } }\n`).join('')}END
cat > /etc/openstack_deploy/user_variables.yml <<'END'
haproxy_hatop_install: false
openstack_host_kernel_modules: []
openstack_hosts_package_repos: []
lxc_container_cache_files_from_host: [/etc/pip.conf]
lxc_hosts_container_build_command: >-
  debootstrap --no-check-gpg --variant minbase --include ca-certificates bookworm
  /var/lib/machines/{{ lxc_container_base_name }} http://${addressOf(lab, 'ansible')}:8080/debian
END`,
  );
  const key = await asRoot(lab, deployHost, 'cat /root/.ssh/id_rsa.pub');
  await asRoot(lab, infraHost, `mkdir -p -m 700 /root/.ssh; echo '${key}' > /root/.ssh/authorized_keys`);
}
