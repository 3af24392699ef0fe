import type { OsaLayout } from '../../../cluster/openstack-ansible.ts';

/** Magnum itself; OpenStack-Ansible pins its commit. */
export const magnumSource = 'https://opendev.org/openstack/magnum';

/** Where the constraints of a commit of openstack/requirements are offered. */
export const constraintsSource = 'https://releases.openstack.org/constraints/upper';

/** Where OpenStack-Ansible's bootstrap puts roles. */
export const rolesFolder = '/etc/ansible/roles';

/** What modules of the collections import on the deploy host, and in containers of the control plane. */
export const deployHostPackages = ['docker-image-py', 'kubernetes'];

/** What virtual environments are made with, and what the collections for the control plane install by their tasks. */
export const pythonTools = ['pip', 'setuptools', 'wheel', 'pbr'];
export const controlPlanePackages = ['cryptography', 'kubernetes', 'packaging', 'pbr', 'pyyaml'];

/** Of the system, what no list of a role names: its own bootstrap, tasks, and what a container is made of. */
export const systemPackages = [
  ...['?essential', '?priority(required)', '?priority(important)', 'usr-is-merged'],
  ...['python3', 'python3-dev', 'python3-minimal', 'python3-apt', 'python3-venv', 'python3-pip'],
  ...['git', 'curl', 'wget', 'sudo', 'gcc', 'libssl-dev', 'libffi-dev', 'libsystemd-dev', 'pkg-config'],
  ...['apparmor', 'apparmor-utils', 'ca-certificates', 'dbus', 'debootstrap', 'locales', 'openssh-server'],
  ...['eatmydata', 'gnupg', 'iputils-ping', 'netbase', 'procps', 'systemd-sysv', 'tzdata', 'udev'],
  // The role of the repository server removes `nginx-*`, of which apt has to know one.
  'nginx-common',
];

/** What the role of the driver takes from the backports of Debian. */
export const backportsOf = (layout: OsaLayout): readonly string[] =>
  layout === 'ops' ? [] : ['cargo', 'rustc'];
