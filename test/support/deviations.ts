/** What somebody did by hand on a host of a cluster, and how `drift` tells it. */
export interface Deviation {
  readonly host: string;
  /** Run by a shell as root. */
  readonly by: string;
  /** In a row of that host. */
  readonly told: RegExp;
  /** What takes it back where neither the advice of a row nor the phases do. */
  readonly undo?: string;
}

const kubectl = 'kubectl --kubeconfig /etc/kubernetes/admin.conf';
const system = `${kubectl} --namespace kube-system`;

const mode = (host: string, path: string, wrong: string, right: string): Deviation => ({
  host,
  by: `chmod ${wrong} ${path}`,
  told: new RegExp(`${path} has the mode 0${wrong}, not 0${right}`),
});

const argument = (component: string, added: string): Deviation => ({
  host: 'cp1',
  by: String.raw`sed -i 's/^    - ${component}$/&\n    - ${added}/' /etc/kubernetes/manifests/${component}.yaml`,
  told: new RegExp(`${component}.*${added.replaceAll('-', '.')}`, 's'),
});

const appended = (host: string, path: string, told: RegExp): Deviation => ({
  host,
  by: `echo '# by hand' >> ${path}`,
  told,
});

const configMap = (name: string, change: string): Deviation => ({
  host: 'cp1',
  by: `${system} get configmap ${name} --output yaml > /run/${name} && sed -i '${change}' /run/${name} && ${system} replace --filename /run/${name}`,
  told: new RegExp(name),
});

const oldNode = JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'old7' } });

export const ofFiles: readonly Deviation[] = [
  mode('cp1', '/etc/kubernetes/admin.conf', '644', '600'),
  mode('cp1', '/etc/kubernetes/pki/sa.key', '640', '600'),
  mode('cp1', '/etc/kubernetes/manifests', '777', '755'),
  mode('cp1', '/var/lib/etcd/member', '755', '700'),
  mode('worker1', '/etc/kubernetes/kubelet.conf', '666', '600'),
  mode('worker1', '/var/lib/kubelet/pki/kubelet.key', '644', '600'),
  {
    host: 'cp1',
    by: 'chown 1000 /etc/kubernetes/pki/ca.crt',
    told: /ca\.crt belongs to the user 1000, not to root/,
  },
  {
    host: 'worker1',
    by: 'mkdir -p /etc/kubernetes/manifests && echo > /etc/kubernetes/manifests/debug.yaml',
    told: /runs a pod of \/etc\/kubernetes\/manifests\/debug\.yaml/,
    undo: 'rm /etc/kubernetes/manifests/debug.yaml',
  },
  {
    host: 'cp1',
    by: `cd /etc/kubernetes/pki && echo extendedKeyUsage=clientAuth > /run/client.ext &&
      openssl req -new -key front-proxy-client.key -subj /CN=front-proxy-client 2>&1 |
      openssl x509 -req -CA front-proxy-ca.crt -CAkey front-proxy-ca.key -days 5 -extfile /run/client.ext -out front-proxy-client.crt`,
    told: /front-proxy-client\.crt ends in 4 days/,
  },
  { host: 'worker1', by: "sed -i '/cp1/d' /etc/hosts", told: /etc-hosts/ },
  appended('cp1', '/etc/haproxy/haproxy.cfg', /haproxy/),
  appended('cp1', '/etc/keepalived/keepalived.conf', /keepalived/),
  appended('worker1', '/etc/containerd/config.toml', /containerd/),
  appended('worker1', '/etc/crictl.yaml', /crictl\.yaml/),
  appended('worker1', '/etc/systemd/system/kubelet.service.d/10-kubeadm.conf', /10-kubeadm\.conf/),
  appended('cp1', '/etc/sysctl.d/90-kubernetes.conf', /90-kubernetes\.conf/),
  { host: 'cp1', by: 'rm /etc/modules-load.d/kubernetes.conf', told: /modules-load\.d/ },
  { host: 'cp1', by: 'rm /etc/cni/net.d/10-playsmith.conflist', told: /"phase":"network"/ },
  { host: 'worker1', by: 'rm /opt/cni/bin/portmap', told: /Install the plugins of the pods' network/ },
];

export const ofServices: readonly Deviation[] = [
  { host: 'worker1', by: 'sysctl -qw net.ipv4.ip_forward=0', told: /net\.ipv4\.ip_forward/ },
  {
    host: 'worker1',
    by: 'systemctl disable -q kubelet',
    told: /Start the kubelet at boot/,
  },
  { host: 'worker1', by: 'systemctl disable -q containerd', told: /"phase":"containerd"/ },
  { host: 'cp1', by: 'systemctl disable -q haproxy', told: /"phase":"haproxy"/ },
  {
    host: 'worker1',
    by: String.raw`sed -i "s/^maxPods:.*/maxPods: 77/;t;\$a maxPods: 77" /var/lib/kubelet/config.yaml && systemctl restart kubelet`,
    told: /maxPods/,
  },
  argument('kube-apiserver', '--max-requests-inflight=399'),
  argument('kube-scheduler', '--v=4'),
  argument('etcd', '--snapshot-count=9999'),
];

export const ofCluster: readonly Deviation[] = [
  configMap(
    'kubeadm-config',
    's/certificateValidityPeriod: 8760h0m0s/certificateValidityPeriod: 17520h0m0s/',
  ),
  configMap('kubelet-config', 's/^    kind: KubeletConfiguration/&\\n    maxPods: 55/'),
  configMap('kube-proxy', 's/    mode: .*/    mode: nftables/'),
  { host: 'cp1', by: `${kubectl} cordon worker1`, told: /worker1 is cordoned/ },
  {
    host: 'cp1',
    by: `echo '${oldNode}' | ${kubectl} create --filename -`,
    told: /old7 is registered as a node/,
    undo: `${kubectl} delete node old7`,
  },
  {
    host: 'cp1',
    by: `${kubectl} label node worker1 node-role.kubernetes.io/worker-`,
    told: /node-role\.kubernetes\.io\/worker/,
  },
  { host: 'cp1', by: `${kubectl} label node worker1 zone=b --overwrite`, told: /"zone": "a"|zone/ },
  { host: 'cp1', by: `${kubectl} taint node worker1 dedicated:PreferNoSchedule-`, told: /dedicated/ },
  {
    host: 'cp1',
    by: `${kubectl} taint node worker1 maintenance=yes:NoSchedule`,
    told: /worker1 has the taint maintenance:NoSchedule/,
  },
  {
    host: 'cp1',
    by: `${kubectl} taint node cp1 node-role.kubernetes.io/control-plane:NoSchedule-`,
    told: /node-role\.kubernetes\.io\/control-plane/,
  },
  {
    host: 'cp1',
    by: `${system} scale deployment coredns --replicas 0`,
    told: /of CoreDNS 0 of 0 are available/,
    undo: `${system} scale deployment coredns --replicas 2`,
  },
  {
    host: 'cp1',
    by: `${system} patch daemonset kube-proxy --patch '{"spec":{"template":{"spec":{"nodeSelector":{"no":"such"}}}}}'`,
    told: /of kube-proxy 0 of 2 are ready/,
    undo: `${system} rollout undo daemonset kube-proxy`,
  },
];
