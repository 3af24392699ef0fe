#!/bin/sh
# Makes in the folder $1 the root of the image calico/node from its program $2, the folder $3 of its source, and Debian
# packages: the folder $4 has those that kube-proxy's image takes as well, $5 runit and busybox.
set -eu
root=$1 program=$2 source=$3 debs=$4 own=$5
sh "$(dirname "$0")/../kubernetes/proxy-root.sh" "$root" "$debs"
for name in runit busybox-static; do dpkg-deb -x "$own/$name"_*.deb "$root"; done
rm -rf "$root/usr/share" "$root/etc/runit" "$root/etc/service" "$root/lib/systemd"
cp -r "$source/node/filesystem/." "$root"
chmod -R u+w "$root/etc" "$root/sbin"
chmod 0755 "$root/sbin/start_runit" "$root/etc/rc.local" "$root"/etc/service/available/*/run "$root"/etc/service/available/*/log/run
for applet in sh cat cp env mkdir rm which; do ln -sf /bin/busybox "$root/bin/$applet"; done
ln -sf /bin/busybox "$root/usr/bin/which"
cp "$program" "$root/bin/calico-node"
