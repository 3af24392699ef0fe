/**
 * What the roles of OpenStack-Ansible 2025.1 that are run here need, for whoever makes a mirror for them: a list for each
 * part, as the roles' own variables have it for Debian 12.
 */

/** Of the sixty that OpenStack-Ansible has. */
export const osaRoles = [
  ...['pki', 'systemd_mount', 'systemd_networkd', 'systemd_service', 'apt_package_pinning'],
  ...['haproxy_server', 'keepalived', 'lxc_container_create', 'lxc_hosts', 'openstack_hosts'],
  // What Magnum rests on.
  ...['python_venv_build', 'uwsgi', 'httpd', 'repo_server', 'memcached_server', 'galera_server'],
  ...['rabbitmq_server', 'openstack_openrc', 'os_keystone', 'os_glance', 'os_magnum'],
];

/** A virtual environment that `python_venv_build` makes: wheels of it are built on the repository server. */
export interface OsaVenv {
  /** A repository of OpenStack that is installed from git, with what it requires: of `osa-sources.ts`. */
  readonly service?: string;
  /** Beside it, by the release's upper constraints. */
  readonly packages: readonly string[];
}

export const osaVenvs: Readonly<Record<string, OsaVenv>> = {
  uwsgi: { packages: ['uwsgi'] },
  keystone: {
    service: 'openstack/keystone',
    packages: [
      ...['ldappool', 'osprofiler', 'PyMySQL', 'oslo.cache[dogpile]', 'python-openstackclient'],
      // The last: redis wants it before Python 3.11.3, which Debian 12 has, and whoever fetches this may not.
      ...['systemd-python', 'pyngus', 'async-timeout'],
    ],
  },
  // Magnum asks it for the image of a template.
  glance: {
    service: 'openstack/glance',
    packages: [
      ...['cryptography', 'keystonemiddleware', 'os-brick', 'oslo.rootwrap', 'osprofiler', 'PyMySQL'],
      ...['pymemcache', 'python-cinderclient', 'python-glanceclient', 'python-keystoneclient'],
      ...['python-memcached', 'python-swiftclient', 'systemd-python', 'warlock'],
    ],
  },
  magnum: {
    service: 'openstack/magnum',
    packages: [
      ...['osprofiler', 'PyMySQL', 'pymemcache', 'python-memcached', 'systemd-python', 'kubernetes'],
      // What the driver v0.24.2 requires, which comes from git as well, by what our definition says.
      ...[
        'oslo.privsep',
        'python-manilaclient',
        'certifi',
        'click',
        'diskcache',
        'haproxyadmin',
        'platformdirs',
      ],
      ...['pykube-ng', 'pyroute2', 'requests', 'semver<3', 'sherlock<0.5', 'shortuuid'],
    ],
  },
  // And every client that the upper constraints name: `clientsOf` below.
  utility: {
    packages: [
      ...['cryptography', 'pip', 'PyMySQL', 'python-memcached', 'selinux', 'setuptools', 'wheel'],
      'openstacksdk',
    ],
  },
};

/** What the playbook of the utility hosts installs of the upper constraints. */
export const clientsOf = (constraints: string): readonly string[] =>
  constraints
    .split('\n')
    .map((line) => /^(python-\S*client|(?:aodh|gnocchi)client|osc-placement)==/.exec(line)?.[1] ?? '')
    .filter(Boolean);

/** With what pip builds those of them that come as source. */
export const buildTools = ['pip', 'setuptools', 'wheel', 'pbr', 'cffi', 'poetry-core'];

/** What the roles install on hosts and in containers, and a host's own Debian that debootstrap makes of them. */
export const osaPackages: Readonly<Record<string, readonly string[]>> = {
  hosts: [
    ...['apparmor', 'apparmor-profiles', 'apparmor-utils', 'bridge-utils', 'btrfs-progs', 'debootstrap'],
    ...['dnsmasq-base', 'irqbalance', 'liblxc1', 'lxc', 'lxc-dev', 'lxc-templates', 'python3-lxc'],
    ...['python3-dev', 'systemd-container', 'xz-utils', 'haproxy', 'keepalived', 'netcat-openbsd', 'psmisc'],
    ...['vim-haproxy', 'acl', 'python3-packaging', 'apt-transport-https', 'curl', 'dmeventd', 'dstat'],
    ...['ebtables', 'htop', 'libkmod2', 'lvm2', 'rsync', 'software-properties-common', 'sysstat', 'sudo'],
    ...['time', 'vlan', 'wget', 'python3-debian', 'python3-apt', 'python3-venv', 'python3-setuptools'],
    ...['git-core', 'gcc', 'libssl-dev', 'libffi-dev', 'libsystemd-dev', 'pkg-config', 'cron', 'logrotate'],
    ...['rsyslog', 'gnupg', 'eatmydata', 'systemd-resolved', 'systemd-sysv', 'udev', 'tzdata', 'locales'],
    ...['netbase', 'iputils-ping', 'procps', 'libxml2', 'libpython3.11', 'openssh-server'],
    ...['ca-certificates', 'iptables', 'dbus', 'e2fsprogs'],
    ...['usr-is-merged', '?essential', '?priority(required)'],
  ],
  // Containerd, kubeadm and the site's own registry.
  controlPlane: ['conntrack', 'ethtool', 'socat', 'kmod', 'iptables'],
  mirror: ['docker-registry', 'skopeo', 'python3-pip'],
  // The role removes `nginx-*`, and apt has to know one.
  repository: ['git', 'python3-dev', 'sudo', 'apache2', 'nginx-common'],
  // On the repository server, of `python_venv_build`, `uwsgi`, `os_keystone` and `os_magnum`.
  wheels: [
    ...['cmake', 'g++', 'python3-pkgconfig', 'python3-dev', 'python3-venv', 'python3-setuptools', 'gcc'],
    ...['libssl-dev', 'libpcre3-dev', 'docutils-common', 'libffi-dev', 'libjs-sphinxdoc', 'libjs-underscore'],
    ...['libldap2-dev', 'libsasl2-dev', 'libsystemd-dev', 'libxslt1.1', 'libxslt1-dev', 'libxml2-dev'],
    ...['pkg-config', 'libpq-dev', 'git', 'gettext', 'build-essential'],
  ],
  uwsgi: ['libssl3', 'libpcre3', 'gcc'],
  memcached: ['memcached', 'netcat-openbsd'],
  galera: [
    ...['debconf-utils', 'libc6', 'libgcc-s1', 'libgcrypt20', 'libstdc++6', 'python3-pymysql', 'findutils'],
    ...['libmariadb-dev', 'mariadb-client', 'mariadb-backup', 'mariadb-server', 'procps', 'rsync', 'socat'],
  ],
  rabbitmq: [
    ...['erlang-base', 'erlang-diameter', 'erlang-eldap', 'erlang-nox', 'socat', 'util-linux'],
    'rabbitmq-server',
  ],
  utility: ['bash-completion', 'debianutils', 'mariadb-client'],
  keystone: ['git', 'libldap-common', 'openssh-server', 'rsync', 'cron', 'libpython3-dev', 'apache2'],
  glance: ['git', 'libxml2', 'nfs-common', 'rpcbind', 'cron'],
  magnum: ['libxml2'],
};
