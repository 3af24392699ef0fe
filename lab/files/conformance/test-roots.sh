#!/bin/bash
# Makes in the folder $1 the roots of the images that conformance tests run, `agnhost` and `busybox`, from Debian packages in the
# folder $2, the program agnhost $3 and the folder $4 of its source. What their publishers take from Alpine is Debian's here.
set -euo pipefail
root=$1 debs=$2 agnhost=$3 source=$4

mkdir -p "$root/agnhost" "$root/busybox"
for deb in "$debs"/*.deb; do dpkg-deb -x "$deb" "$root/agnhost"; done
rm -rf "$root"/agnhost/usr/share/{doc,man,locale,info,bash-completion,perl} "$root"/agnhost/usr/lib/systemd

users() {
  mkdir -p "$1/etc" "$1/tmp" "$1/root" "$1/home"
  printf '%s\n' root:x:0:0:root:/root:/bin/sh nobody:x:65534:65534:nobody:/:/bin/false \
    user-defined-in-image:x:1000:1000::/home/user-defined-in-image:/bin/sh > "$1/etc/passwd"
  printf '%s\n' root:x:0: nogroup:x:65534: user-defined-in-image:x:1000: \
    group-defined-in-image:x:50000:user-defined-in-image > "$1/etc/group"
}
users "$root/agnhost"
users "$root/busybox"

# Debian chooses it when it is installed.
ln -s nc.openbsd "$root/agnhost/bin/nc"

# Where a program of its own is not there, that of busybox is.
busybox=$root/agnhost/bin/busybox
mkdir -p "$root/busybox/bin"
cp "$busybox" "$root/busybox/bin/busybox"
# Variables whose names no shell can read have to reach what it starts: Debian's busybox and dash drop them.
cp "$root/agnhost/bin/bash-static" "$root/busybox/bin/sh"
for applet in $("$busybox" --list); do
  [ -e "$root/busybox/bin/$applet" ] || ln -s busybox "$root/busybox/bin/$applet"
  for folder in bin sbin usr/bin usr/sbin; do
    [ ! -e "$root/agnhost/$folder/$applet" ] && [ ! -L "$root/agnhost/$folder/$applet" ] || continue 2
  done
  ln -s busybox "$root/agnhost/bin/$applet"
done

mkdir -p "$root/agnhost/uploads"
cp "$agnhost" "$root/agnhost/agnhost"
ln -s agnhost "$root/agnhost/agnhost-2"
cp "$source/porter/localhost.crt" "$source/porter/localhost.key" "$root/agnhost/"
