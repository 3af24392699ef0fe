#!/bin/sh
# Makes in the folder $1 the root of the image cilium/cilium from the folder $2 of its programs, the folder $3 of its source,
# and Debian packages: the folder $4 has those that kube-proxy's image takes as well, $5 what its agent calls, with clang.
set -eu
root=$1 programs=$2 source=$3 debs=$4 own=$5
sh "$(dirname "$0")/../kubernetes/proxy-root.sh" "$root" "$debs"
for deb in "$own"/*.deb; do dpkg-deb -x "$deb" "$root"; done
rm -rf "$root"/usr/share "$root"/usr/include "$root"/usr/lib/gcc "$root"/usr/lib/systemd "$root"/usr/lib/llvm-19/include \
  "$root"/usr/lib/llvm-19/share "$root"/usr/lib/x86_64-linux-gnu/*.a
ln -sf bash "$root/bin/sh"
mkdir -p "$root/usr/local/bin" "$root/opt/cni/bin" "$root/cni" "$root/etc" "$root/home/cilium" "$root/var/lib/cilium"
ln -sf ../../lib/llvm-19/bin/clang "$root/usr/local/bin/clang"

for name in agent dbg mount sysctlfix; do cp "$programs/cilium-$name" "$root/usr/bin/"; done
cp "$programs/cilium-health-responder" "$root/usr/bin/"
ln -sf cilium-dbg "$root/usr/bin/cilium"
cp "$programs/cilium-cni" "$root/opt/cni/bin/"
cp "$programs/../cni-plugins/loopback" "$root/cni/"

cp -r "$source/bpf" "$root/var/lib/cilium/bpf"
chmod -R u+w "$root/var/lib/cilium/bpf"
rm -rf "$root/var/lib/cilium/bpf/tests" "$root/var/lib/cilium/bpf/complexity-tests"
for script in images/cilium/init-container.sh plugins/cilium-cni/install-plugin.sh plugins/cilium-cni/cni-uninstall.sh; do
  install -m 0755 "$source/$script" "$root/"
done
