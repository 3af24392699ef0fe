import { stringify } from 'yaml';
import { down, type Lab } from '../../../../lab/index.ts';
import { project, type Ended, type Project } from '../../project.ts';
import { must, raiseLab } from '../lab.ts';
import { definition as osaDefinition } from './osa-lab.ts';
import type { OsaRepositories } from './osa-mirror.ts';
import { osaVersions } from './osa-modules.ts';
import { osaRoles } from './osa-needs.ts';
import { osaPrograms, type OsaPrograms } from './osa-programs.ts';
import { addressOf, asRoot, mirrored, published } from './osa-site.ts';
import { kubeletService, lent, mirrorsOf, small } from './osa-variables.ts';

/** A deploy host with OpenStack-Ansible itself, and two hosts that are all of its cloud: `infra1`, and `infra2` for more of the control plane. */
export interface RealOsaLab {
  readonly project: Project;
  readonly run: (...words: readonly string[]) => Promise<Ended>;
  /** On the deploy host, as root. */
  readonly sh: (command: string) => Promise<string>;
  /** On infra1, as root. */
  readonly infra: (command: string) => Promise<string>;
  /** On infra2, as root. */
  readonly second: (command: string) => Promise<string>;
  /** Writes the definition with these hosts of the control plane, and renders it. */
  readonly define: (hosts: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Of OpenStack on its management network; the external one is an address of the lab. */
export const addresses = { infra1: '172.29.236.11', infra2: '172.29.236.12', internal: '172.29.236.9' };

const [deployHost, infraHost, secondHost] = ['cp1', 'cp2', 'cp3'];

/** Bootstraps the deploy host and prepares the hosts of the cloud, by OpenStack-Ansible's own script and playbooks. */
export async function realOsaLab(name: string, source: OsaRepositories): Promise<RealOsaLab> {
  const programs = await osaPrograms();
  const lab = await raiseLab(name, { controlPlanes: 3, workers: 0, client: false, kubernetes: true });
  const sh = (command: string): Promise<string> => asRoot(lab, deployHost, command);
  const infra = (command: string): Promise<string> => asRoot(lab, infraHost, command);
  const second = (command: string): Promise<string> => asRoot(lab, secondHost, command);
  const here = await project('');
  const close = async (): Promise<void> => {
    await here.remove();
    must(await down(name));
  };
  try {
    await mirrored(lab, source, [deployHost, infraHost, secondHost]);
    await published(lab, deployHost, programs);
    await cabled(lab);
    await sh(bootstrap(addressOf(lab, 'ansible'), source.branch));
    await configured(lab, programs);
    for (const each of prepared)
      await sh(`cd /opt/openstack-ansible && ${logged(`openstack-ansible openstack.osa.${each}`)}`);
  } catch (error) {
    await close();
    throw error;
  }
  const define = async (hosts: string): Promise<void> => {
    await here.define(osaDefinition(lab, '2025.1', offline(hosts, addressOf(lab, 'ansible'))));
    await here.done('render');
  };
  return {
    ...{ project: here, sh, infra, second, define, close },
    run: (...words) => here.task('run', ...words, '--json'),
  };
}

/** Of OpenStack-Ansible, so that a deployment is there to which Magnum and its driver are added. */
const prepared = [
  ...['certificate_authority', 'certificate_ssh_authority', 'openstack_hosts_setup', 'haproxy'],
  ...['containers_lxc_host', 'containers_lxc_create --limit localhost,all,!octavia_all'],
  ...['repo', 'memcached', 'galera_server', 'rabbitmq_server', 'utility_host', 'keystone', 'glance'],
];

/** Everything from the site's mirrors. */
const offline = (hosts: string, server: string): string => `controlPlane: { hosts: [${hosts}] }
versions: ${JSON.stringify(osaVersions)}
offline: { registry: "${server}:5000/osa", files: "http://${server}:8080/files", git: "http://${server}:8080/git" }
functionalTest: { imageUrl: "http://${server}:8080/files/kube.qcow2" }`;

/**
 * The management network, which only the hosts of the cloud are on, and what a container of the lab lacks of a host: devices
 * of loops, networkd, a file system that is no overlay.
 */
async function cabled(lab: Lab): Promise<void> {
  for (const [host, address, other] of [
    [infraHost, addresses.infra1, secondHost],
    [secondHost, addresses.infra2, infraHost],
  ] as const)
    await asRoot(
      lab,
      host,
      `ip link add br-mgmt type bridge; ip link set br-mgmt up; ip address add ${address}/22 dev br-mgmt
ip link add between type vxlan id 42 dstport 4790 remote ${addressOf(lab, other)} local ${addressOf(lab, host)}
ip link set between master br-mgmt up; echo 1 > /proc/sys/net/ipv4/ip_forward
mkdir -p /var/lib/containerd/lxc /var/lib/lxc; mount --bind /var/lib/containerd/lxc /var/lib/lxc
systemctl unmask systemd-networkd.service systemd-networkd.socket
mknod /dev/loop-control c 10 237; for at in 0 1 2 3 4 5 6 7; do mknod /dev/loop$at b 7 $at; done
sed -i 's/^#\\?PermitRootLogin.*/PermitRootLogin prohibit-password/' /etc/ssh/sshd_config $(ls /etc/ssh/sshd_config.d/*.conf)
systemctl restart ssh`,
    );
  await asRoot(
    lab,
    infraHost,
    `ip address add ${addresses.internal}/32 dev br-mgmt; ip address add ${externalOf(lab)}/32 dev eth0`,
  );
}

const externalOf = (lab: Lab): string => addressOf(lab, infraHost).replace(/\d+$/, '200');

/** A long command, whose last words are told where it fails. */
const logged = (command: string): string =>
  `${command} > /root/last.log 2>&1 || { tail -n 30 /root/last.log >&2; exit 1; }`;

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
${logged('scripts/bootstrap-ansible.sh')}
`;

/** What an operator writes: the cloud, and for a site without the internet whose hosts share a kernel, some variables. */
async function configured(lab: Lab, { sums }: OsaPrograms): Promise<void> {
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
${['shared-infra', 'repo-infra', 'load_balancer', 'identity', 'image', 'octavia-infra'].map((each) => `${each}_hosts: { infra1: { ip: ${addresses.infra1} } }\n`).join('')}magnum-infra_hosts: { infra2: { ip: ${addresses.infra2} } }
END
cat > /etc/openstack_deploy/kubelet.conf <<'END'
${kubeletService}END
cat > /etc/openstack_deploy/user_variables.yml <<'END'
haproxy_hatop_install: false
openstack_host_kernel_modules: []
openstack_hosts_package_repos: []
lxc_container_cache_files_from_host: [/etc/pip.conf]
lxc_hosts_container_build_command: >-
  debootstrap --no-check-gpg --variant minbase --include ca-certificates bookworm
  /var/lib/machines/{{ lxc_container_base_name }} http://${addressOf(lab, 'ansible')}:8080/debian
${stringify({ ...sums, ...mirrorsOf(addressOf(lab, 'ansible')), ...lent, ...small })}END`,
  );
  const key = await asRoot(lab, deployHost, 'cat /root/.ssh/id_rsa.pub');
  for (const host of [infraHost, secondHost])
    await asRoot(lab, host, `mkdir -p -m 700 /root/.ssh; echo '${key}' > /root/.ssh/authorized_keys`);
}
