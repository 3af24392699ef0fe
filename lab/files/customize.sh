#!/bin/sh
# Makes a Debian tree a lab host: a virtual machine where it has a kernel, else a container. mmdebstrap runs it on the
# machine with the tree as $1; $2 is where the offline packages of containers go, the rest are the packages a playbook
# may install later.
set -eu
root=$1 repo=$2
shift 2
files=$(dirname "$0")
kind=container
for kernel in "$root"/boot/vmlinuz-*; do [ ! -e "$kernel" ] || kind=virtual; done

chroot "$root" useradd --create-home --shell /bin/bash --groups sudo ops
rm -f "$root"/etc/ssh/ssh_host_* "$root"/etc/hostname
: >"$root/etc/machine-id"
cat >"$root/etc/ssh/sshd_config.d/lab.conf" <<'CONF'
HostKey /etc/ssh/ssh_host_ed25519_key
PasswordAuthentication yes
PermitRootLogin no
UseDNS no
CONF

mask() {
  for unit in "$@"; do ln -sf /dev/null "$root/etc/systemd/system/$unit"; done
}

# Of no use where packages come from a folder and a host is thrown away.
mask apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer fstrim.timer \
  sshd-keygen.service systemd-firstboot.service

# Units that reach for hardware or a terminal, neither of which a container has.
container() {
  mask systemd-udevd.service systemd-udevd-control.socket systemd-udevd-kernel.socket systemd-udev-trigger.service \
    systemd-networkd.service systemd-networkd-wait-online.service systemd-modules-load.service systemd-sysctl.service \
    getty.target console-getty.service sys-kernel-config.mount sys-kernel-debug.mount sys-kernel-tracing.mount \
    run-rpc_pipefs.mount proc-fs-nfsd.mount dev-hugepages.mount dev-mqueue.mount sys-fs-fuse-connections.mount \
    proc-sys-fs-binfmt_misc.automount
  # Each is started at every daemon-reload, of which each package that brings a unit causes some.
  mkdir -p "$root/etc/systemd/system-generators"
  for name in cryptsetup debug getty gpt-auto hibernate-resume integritysetup rc-local run system-update \
    veritysetup; do
    ln -s /dev/null "$root/etc/systemd/system-generators/systemd-$name-generator"
  done
}

virtual() {
  install -D -m 0755 "$files/init-virtual.sh" "$root/usr/local/lib/lab/init.sh"
  install -m 0755 "$files/try-kvm.sh" "$root/usr/local/lib/lab/try-kvm.sh"
  echo '/dev/vda / ext4 errors=remount-ro 0 1' >"$root/etc/fstab"
  # By DHCP a server of OpenStack gets its address from a daemon of the machine; here it is known.
  chroot "$root" systemctl enable --quiet systemd-networkd.service
  # What a hypervisor does not have is not looked for: the first file system is read into memory in half the time.
  printf 'MODULES=list\n' >"$root/etc/initramfs-tools/conf.d/lab"
  printf 'virtio_pci\nvirtio_blk\next4\n' >>"$root/etc/initramfs-tools/modules"
  chroot "$root" update-initramfs -u
}

$kind

# Everything a playbook may ask for, with what it depends on, as a repository that needs no network.
chroot "$root" apt-get install --yes --no-install-recommends --download-only "$@"
mkdir -p "$root/srv/repo" "$repo"
find "$root/var/cache/apt/archives" -name '*.deb' -exec mv -t "$root/srv/repo" {} +
(cd "$root/srv/repo" && dpkg-scanpackages --multiversion . >Packages)
rm -rf "$root"/etc/apt/sources.list "$root"/etc/apt/sources.list.d/* "$root"/var/lib/apt/lists/*
echo 'deb [trusted=yes] file:/srv/repo ./' >"$root/etc/apt/sources.list.d/lab.list"
chroot "$root" apt-get update
# Containers share them.
[ $kind = virtual ] || find "$root/srv/repo" -type f -exec mv -t "$repo" {} +
