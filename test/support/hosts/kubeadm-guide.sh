#!/bin/bash
# What a person types who follows the guides: "Installing kubeadm" (without a package manager), "Container Runtimes" and
# "Creating a cluster with kubeadm" of Kubernetes, and "Getting started" of containerd. One control plane, no endpoint, nothing
# of Playsmith. What the hosts of a lab want besides (no AppArmor, cgroup v1, little disk) is in the settings.
# Arguments: artifacts folder, version, user, "name=address" of the control plane, "name=address …" of the workers, a manifest of
# the pods' network. Standard input: the sudo password. It is typed on the Ansible server.
set -euo pipefail
artifacts=$1 version=$2 user=$3 first=$4 workers=$5 network=$6
read -r password
ssh_options=(-o UserKnownHostsFile=/tmp/guide-hosts -o StrictHostKeyChecking=accept-new -o BatchMode=yes)

# Standard input of the command is what follows the password.
root() { { echo "$password"; cat; } | ssh "${ssh_options[@]}" "$user@${1#*=}" "sudo -k -S -p '' -- bash -c $(printf %q "$2")"; }

node() {
  root "$1" 'mkdir -p /srv/plain && tar -C /srv/plain -xf -' < "$artifacts/packages/debian-12.tar"
  root "$1" '
    echo "deb [trusted=yes] file:/srv/plain ./" > /etc/apt/sources.list.d/plain.list
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq conntrack socat ethtool iptables > /dev/null
    swapoff -a
    printf "overlay\nbr_netfilter\n" > /etc/modules-load.d/k8s.conf
    modprobe -a overlay br_netfilter 2> /dev/null
    echo "net.ipv4.ip_forward = 1" > /etc/sysctl.d/k8s.conf
    sysctl --quiet --load /etc/sysctl.d/k8s.conf
    mkdir -p /opt/cni/bin /usr/local/lib/systemd/system /usr/lib/systemd/system/kubelet.service.d' < /dev/null
  root "$1" 'tar --no-same-owner -C /usr/local -xzf -' < "$artifacts/archives/containerd.tar.gz"
  root "$1" 'tar --no-same-owner -C /opt/cni/bin -xzf -' < "$artifacts/archives/cni-plugins.tgz"
  root "$1" 'cat > /usr/local/sbin/runc && chmod 0755 /usr/local/sbin/runc' < "$artifacts/binaries/runc"
  for program in kubeadm kubelet kubectl crictl; do
    root "$1" "cat > /usr/bin/$program && chmod 0755 /usr/bin/$program" < "$artifacts/binaries/$program"
  done
  root "$1" 'cat > /usr/local/lib/systemd/system/containerd.service' << 'UNIT'
[Unit]
Description=containerd container runtime
Documentation=https://containerd.io
After=network.target dbus.service

[Service]
ExecStartPre=-/sbin/modprobe overlay
ExecStart=/usr/local/bin/containerd

Type=notify
Delegate=yes
KillMode=process
Restart=always
RestartSec=5
LimitNPROC=infinity
LimitCORE=infinity
TasksMax=infinity
OOMScoreAdjust=-999

[Install]
WantedBy=multi-user.target
UNIT
  root "$1" 'cat > /usr/lib/systemd/system/kubelet.service' << 'UNIT'
[Unit]
Description=kubelet: The Kubernetes Node Agent
Documentation=https://kubernetes.io/docs/
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=/usr/bin/kubelet
Restart=always
StartLimitInterval=0
RestartSec=10

[Install]
WantedBy=multi-user.target
UNIT
  root "$1" 'cat > /usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf' << 'UNIT'
# Note: This dropin only works with kubeadm and kubelet v1.11+
[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
# This is a file that "kubeadm init" and "kubeadm join" generates at runtime, populating the KUBELET_KUBEADM_ARGS variable dynamically
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
# This is a file that the user can use for overrides of the kubelet args as a last resort.
EnvironmentFile=-/etc/default/kubelet
ExecStart=
ExecStart=/usr/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
UNIT
  root "$1" '
    pause=$(kubeadm config images list --kubernetes-version '"$version"' 2> /dev/null | grep pause)
    mkdir -p /etc/containerd
    containerd config default | sed -e "s/SystemdCgroup = false/SystemdCgroup = true/" \
      -e "s/restrict_oom_score_adj = false/restrict_oom_score_adj = true/" -e "s/disable_apparmor = false/disable_apparmor = true/" \
      -e "s|registry.k8s.io/pause:[0-9.]*|$pause|" > /etc/containerd/config.toml
    systemctl daemon-reload && systemctl enable --now --quiet containerd kubelet' < /dev/null
  for set in node ${2-}; do
    root "$1" 'ctr --namespace k8s.io images import - > /dev/null' < "$artifacts/images/$set.tar"
  done
}

node "$first" control-plane &
for worker in $workers; do node "$worker" & done
wait

# Where the kernel has cgroup v1, kubeadm looks for itself.
ignored=--ignore-preflight-errors=SystemVerification
root "$first" 'cat > /root/kubeadm.yaml' << YAML
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v$version
networking:
  podSubnet: 10.244.0.0/16
---
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
failCgroupV1: false
imageGCHighThresholdPercent: 100
evictionHard: { nodefs.available: 1%, imagefs.available: 1%, memory.available: 50Mi }
---
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
conntrack: { maxPerCore: 0, min: 0 }
YAML
root "$first" "kubeadm init --config /root/kubeadm.yaml $ignored" < /dev/null > /tmp/init.log
admin='kubectl --kubeconfig /etc/kubernetes/admin.conf'
root "$first" "$admin apply -f - > /dev/null" < "$network"
for worker in $workers; do
  root "$worker" "$(root "$first" 'kubeadm token create --print-join-command' < /dev/null) $ignored" < /dev/null > /dev/null
done
root "$first" "$admin wait --for=condition=Ready node --all --timeout=240s > /dev/null && $admin -n kube-system rollout status deployment/coredns --timeout=240s > /dev/null" < /dev/null
