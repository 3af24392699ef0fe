#!/bin/sh
# Makes a Debian tree a lab host. mmdebstrap runs it on the machine with the tree as $1; $2 is where the offline
# packages go, the rest are the packages a playbook may install later.
set -eu
root=$1 repo=$2
shift 2

chroot "$root" useradd --create-home --shell /bin/bash --groups sudo ops
rm -f "$root"/etc/ssh/ssh_host_* "$root"/etc/hostname
: >"$root/etc/machine-id"
cat >"$root/etc/ssh/sshd_config.d/lab.conf" <<'CONF'
HostKey /etc/ssh/ssh_host_ed25519_key
PasswordAuthentication yes
PermitRootLogin no
UseDNS no
CONF

# Units that reach for hardware, a terminal or the internet, none of which a lab host has.
for unit in systemd-udevd.service systemd-udevd-control.socket systemd-udevd-kernel.socket systemd-udev-trigger.service \
  systemd-firstboot.service systemd-networkd.service systemd-networkd-wait-online.service systemd-modules-load.service \
  systemd-sysctl.service sshd-keygen.service getty.target console-getty.service apt-daily.timer apt-daily-upgrade.timer \
  dpkg-db-backup.timer e2scrub_all.timer fstrim.timer sys-kernel-config.mount sys-kernel-debug.mount \
  sys-kernel-tracing.mount run-rpc_pipefs.mount proc-fs-nfsd.mount dev-hugepages.mount dev-mqueue.mount sys-fs-fuse-connections.mount \
  proc-sys-fs-binfmt_misc.automount; do
  ln -sf /dev/null "$root/etc/systemd/system/$unit"
done

# Everything a playbook may ask for, with what it depends on, as a repository that needs no network.
chroot "$root" apt-get install --yes --no-install-recommends --download-only "$@"
mkdir -p "$root/srv/repo" "$repo"
find "$root/var/cache/apt/archives" -name '*.deb' -exec mv -t "$root/srv/repo" {} +
(cd "$root/srv/repo" && dpkg-scanpackages --multiversion . >Packages)
rm -rf "$root"/etc/apt/sources.list "$root"/etc/apt/sources.list.d/* "$root"/var/lib/apt/lists/*
echo 'deb [trusted=yes] file:/srv/repo ./' >"$root/etc/apt/sources.list.d/lab.list"
chroot "$root" apt-get update
find "$root/srv/repo" -type f -exec mv -t "$repo" {} +
