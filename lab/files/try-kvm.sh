#!/bin/sh
# The first process of the machine that finds out whether KVM works here: says that it runs, and turns itself off.
echo 'a kernel of Debian runs here' >/dev/ttyS0
[ -e /proc/sysrq-trigger ] || mount -t proc proc /proc
echo o >/proc/sysrq-trigger
exec sleep 60
