#!/bin/sh
# Makes a host the one of its lab that /lab says. Runs before systemd each time that the host starts with /lab there.
set -eu

[ ! -e /lab/probe.py ] || install -D -m 0755 /lab/probe.py /usr/local/lib/lab/probe.py
# Only once in the life of a host: what playbooks change later stays changed.
[ ! -e /etc/lab-host ] || exit 0

cp /lab/hosts /etc/hosts
cp /lab/machine-id /etc/machine-id
cp /lab/hostname /etc/hostname
chmod 0644 /etc/hosts /etc/hostname /etc/machine-id
install -m 0600 /lab/ssh_host_ed25519_key /etc/ssh/ssh_host_ed25519_key
install -m 0644 /lab/ssh_host_ed25519_key.pub /etc/ssh/ssh_host_ed25519_key.pub
install -d -o ops -g ops -m 0700 /home/ops/.ssh
install -o ops -g ops -m 0600 /lab/authorized_keys /home/ops/.ssh/authorized_keys
if [ -e /lab/id_ed25519 ]; then
  install -o ops -g ops -m 0600 /lab/id_ed25519 /home/ops/.ssh/id_ed25519
  install -o ops -g ops -m 0644 /lab/id_ed25519.pub /home/ops/.ssh/id_ed25519.pub
fi
# The default method takes 40 ms of a processor each time that sudo asks, and all hosts share the machine's.
chpasswd --crypt-method SHA512 </lab/passwords
if [ -e /lab/stand-in-api ]; then
  install -D -m 0755 /lab/stand-in-api.py /usr/local/lib/lab/stand-in-api.py
  install -m 0644 /lab/stand-in-api.service /etc/systemd/system/stand-in-api.service
  mkdir -p /etc/systemd/system/multi-user.target.wants
  ln -sf ../stand-in-api.service /etc/systemd/system/multi-user.target.wants/stand-in-api.service
fi
touch /etc/lab-host
