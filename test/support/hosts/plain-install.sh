#!/bin/bash
# What a person would do without Playsmith: the same cluster by a plain script over SSH, typed on the Ansible server.
# Same programs, packages, images and configuration files (those of the bundle, the working directory), same kubeadm
# commands; side by side where the tools allow. It checks nothing, repeats nothing and tells nothing.
# Arguments: artifacts folder, "name=address …" of the control planes, the same of the workers, and a manifest of the pods'
# network, without which there are routes. Standard input: the sudo password.
set -euo pipefail
artifacts=$1 control_planes=$2 workers=$3 network=${4-}
read -r password
bundle=$PWD
ssh_options=(-o UserKnownHostsFile="$bundle/known_hosts" -o BatchMode=yes -o ControlMaster=auto -o ControlPersist=60 -o ControlPath=/tmp/plain-%C)

# Standard input of the command is what follows the password.
root() { { echo "$password"; cat; } | ssh "${ssh_options[@]}" "ops@${1#*=}" "sudo -k -S -p '' -- bash -c $(printf %q "$2")"; }
address() { echo "${1#*=}"; }
name() { echo "${1%%=*}"; }

prepare() {
  local node=$1 role=$2 set
  tar -C "$bundle/files" -cf - . | root "$node" 'mkdir -p /tmp/bundle && tar -C /tmp/bundle -xf -'
  root "$node" 'mkdir -p /srv/plain && tar -C /srv/plain -xf -' < "$artifacts/packages/debian-12.tar"
  root "$node" '
    echo "deb [trusted=yes] file:/srv/plain ./" > /etc/apt/sources.list.d/plain.list
    apt-get update -qq
    swapoff -a; modprobe -a overlay br_netfilter 2> /dev/null
    cp -r /tmp/bundle/node-prerequisites/etc/. /etc/ && sysctl --quiet --load /etc/sysctl.d/90-kubernetes.conf
    cp -r /tmp/bundle/kubernetes-packages/etc/. /etc/
    cp -r /tmp/bundle/containerd/etc/. /etc/
    mkdir -p /opt/cni/bin
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq conntrack socat ethtool iptables > /dev/null' < /dev/null
  root "$node" 'tar --no-same-owner -C /usr/local -xzf -' < "$artifacts/archives/containerd.tar.gz"
  root "$node" 'tar --no-same-owner -C /opt/cni/bin -xzf -' < "$artifacts/archives/cni-plugins.tgz"
  root "$node" 'cat > /usr/local/sbin/runc && chmod 0755 /usr/local/sbin/runc' < "$artifacts/binaries/runc"
  for program in kubeadm kubelet kubectl crictl; do
    root "$node" "cat > /usr/bin/$program && chmod 0755 /usr/bin/$program" < "$artifacts/binaries/$program"
  done
  root "$node" 'systemctl daemon-reload && systemctl enable --now --quiet containerd && systemctl enable --quiet kubelet' < /dev/null
  for set in node ${role:+control-plane}; do
    root "$node" 'ctr --namespace k8s.io images import - > /dev/null' < "$artifacts/images/$set.tar"
  done
}

balance() {
  root "$1" "
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq haproxy keepalived psmisc > /dev/null
    cp /tmp/bundle/haproxy/haproxy.cfg /etc/haproxy/haproxy.cfg
    sed 's/{{ keepalived_interface }}/eth0/' /tmp/bundle/keepalived/$(name "$1")/keepalived.conf.j2 > /etc/keepalived/keepalived.conf
    systemctl restart haproxy keepalived" < /dev/null
}

for node in $control_planes; do { prepare "$node" control-plane && balance "$node"; } & done
for node in $workers; do prepare "$node" '' & done
wait

first=${control_planes%% *}
# Where the kernel has cgroup v1, which kubelets of the bundle are told to take, kubeadm looks for itself.
ignored=--ignore-preflight-errors=SystemVerification
# The bundle's own token is for a minute, since it makes another one for each node that joins.
filled="s/{{ inventory_hostname }}/$(name "$first")/; s/{{ ip }}/$(address "$first")/"
root "$first" "sed 's/ttl: .*/ttl: 1h0m0s/; $filled' > /tmp/init.yaml" < "$bundle/files/kubernetes-settings/kubeadm.yaml.j2"
root "$first" "kubeadm init --upload-certs --config /tmp/init.yaml $ignored" < /dev/null > /tmp/init.log
line=$(grep -A 2 -m 1 'kubeadm join' /tmp/init.log | tr -d '\\\n')
token=$(grep -o -- '--token [^ ]*' <<< "$line") hash=$(grep -o 'sha256:[0-9a-f]*' <<< "$line") server=$(awk '{print $3}' <<< "$line")
key=$(grep -o -m 1 -- '--certificate-key [0-9a-f]*' /tmp/init.log)
join="kubeadm join $server $token --discovery-token-ca-cert-hash $hash --cri-socket unix:///run/containerd/containerd.sock $ignored"

for node in $workers; do root "$node" "$join --node-name $(name "$node")" < /dev/null > /dev/null & done
for node in ${control_planes#"$first"}; do
  root "$node" "$join --node-name $(name "$node") --control-plane $key --apiserver-advertise-address $(address "$node")" < /dev/null > /dev/null
done
wait

admin='kubectl --kubeconfig /etc/kubernetes/admin.conf'
if [ -n "$network" ]; then
  root "$first" "$admin apply -f - > /dev/null" < "$network"
else
  cidrs=$(root "$first" "$admin get nodes -o jsonpath='{range .items[*]}{.metadata.name}={.spec.podCIDR} {end}'" < /dev/null)
  for node in $control_planes $workers; do
    own= routes=
    for pair in $cidrs; do
      if [ "${pair%%=*}" = "$(name "$node")" ]; then own=${pair#*=}; else
        for other in $control_planes $workers; do
          [ "$(name "$other")" != "${pair%%=*}" ] || routes="$routes ip route replace ${pair#*=} via $(address "$other");"
        done
      fi
    done
    root "$node" "mkdir -p /etc/cni/net.d; cat > /etc/cni/net.d/10-plain.conflist; $routes" << JSON &
{"cniVersion":"0.3.1","name":"plain","plugins":[
 {"type":"bridge","bridge":"cni0","isGateway":true,"ipMasq":true,"hairpinMode":true,"ipam":{"type":"host-local","ranges":[[{"subnet":"$own"}]],"routes":[{"dst":"0.0.0.0/0"}]}},
 {"type":"portmap","capabilities":{"portMappings":true}}]}
JSON
  done
  wait
fi
root "$first" "$admin wait --for=condition=Ready node --all --timeout=240s > /dev/null && $admin -n kube-system rollout status deployment/coredns --timeout=240s > /dev/null" < /dev/null
