#!/bin/sh
# Unpacks into the folder $1 what kube-proxy calls, from Debian packages in the folder $2: iptables (over nftables, as
# on the hosts), nft, conntrack, ipset, with their libraries.
set -eu
root=$1 debs=$2
for name in iptables libxtables12 libip4tc2 libip6tc2 libnftnl11 libmnl0 libnfnetlink0 libnetfilter-conntrack3 \
  conntrack ipset libipset13 nftables libnftables1 libjansson4 libgmp10 libedit2 libbsd0 libmd0 libtinfo6 libc6; do
  dpkg-deb -x "$debs/$name"_*.deb "$root"
done
rm -rf "$root"/usr/share "$root"/usr/lib/x86_64-linux-gnu/gconv "$root"/etc/ld.so.conf.d
for name in iptables iptables-save iptables-restore ip6tables ip6tables-save ip6tables-restore; do
  ln -sf xtables-nft-multi "$root/usr/sbin/$name"
done
mkdir -p "$root/run" "$root/tmp" "$root/var/lib"
