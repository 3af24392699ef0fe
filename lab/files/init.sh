#!/bin/sh
# The first process of a lab host: gives systemd what a container runtime withholds, then becomes systemd.
# /lab holds what the lab knows about this host and is gone before systemd starts.
set -eu

mount_cgroup_v1() {
  lines=$(cat /proc/self/cgroup)
  umount -R /sys/fs/cgroup
  mount -t tmpfs -o mode=755 tmpfs /sys/fs/cgroup
  echo "$lines" | while IFS=: read -r _ controllers _; do
    case $controllers in
      '') mkdir /sys/fs/cgroup/unified && mount -t cgroup2 cgroup2 /sys/fs/cgroup/unified ;;
      name=*) mkdir "/sys/fs/cgroup/${controllers#name=}" && mount -t cgroup -o "none,$controllers" cgroup "/sys/fs/cgroup/${controllers#name=}" ;;
      *) mkdir "/sys/fs/cgroup/$controllers" && mount -t cgroup -o "$controllers" cgroup "/sys/fs/cgroup/$controllers" ;;
    esac
  done
}

# A playbook, or a kubelet, may set what belongs to this host's network; the rest of /proc/sys is the machine's own.
protect_machine() {
  mkdir -p /run/lab/sysctl /run/lab/net
  mount --bind /proc/sys/net /run/lab/net
  mount --bind /proc/sys /proc/sys
  mount -o remount,bind,ro,nosuid,nodev,noexec /proc/sys
  mount --bind /run/lab/net /proc/sys/net
  umount /run/lab/net
  for pair in vm/overcommit_memory=1 kernel/panic=10 kernel/panic_on_oops=1; do
    file=/run/lab/sysctl/$(basename "${pair%=*}")
    echo "${pair#*=}" >"$file"
    mount --bind "$file" "/proc/sys/${pair%=*}"
  done
  if [ -e /proc/sysrq-trigger ]; then mount --bind /dev/null /proc/sysrq-trigger; fi
}

# What udev does elsewhere: a file system is found by its UUID when the host starts.
name_file_systems() {
  mkdir -p /dev/disk/by-uuid
  for disk in /dev/vd?; do
    [ -b "$disk" ] || continue
    uuid=$(blkid -p -s UUID -o value "$disk" || true)
    [ -z "$uuid" ] || ln -sf "$disk" "/dev/disk/by-uuid/$uuid"
  done
}

if [ ! -e /sys/fs/cgroup/cgroup.controllers ]; then mount_cgroup_v1; fi
# A kubelet wants to read the kernel's messages. Those are the machine's own, so it finds none.
rm -f /dev/kmsg && mknod -m 0600 /dev/kmsg c 1 3
protect_machine
name_file_systems
sh /lab/seed.sh
# Nobody answers as a cloud: a kubelet that asks one for credentials learns it at once.
ip route replace unreachable 169.254.169.254
[ -e /lab/gateway ] && ip route replace default via "$(cat /lab/gateway)"
umount -l /lab
mount --make-rshared /
exec /lib/systemd/systemd
