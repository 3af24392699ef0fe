import { afterAll, beforeAll, expect, test } from 'vitest';
import { down, type Lab } from '../../lab/index.ts';
import { definitionOf, must, on, raiseLab } from '../support/hosts/lab.ts';
import { kubectl } from '../support/hosts/kubernetes.ts';
import { changes, project, type Project } from '../support/project.ts';

const name = 'drift';
let lab: Lab;
let here: Project;

beforeAll(async () => {
  lab = await raiseLab(name, { kubernetes: true, controlPlanes: 1, workers: 1 });
  here = await project(definitionOf(lab));
  await here.done('render');
  await here.done('apply', '--yes', '--json');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

/** What somebody did on a host, how it is told, and how it is taken back where no phase does that. */
interface Deviation {
  readonly host: string;
  readonly by: string;
  readonly told: RegExp;
  readonly undo?: string;
}

const admin = 'kubectl --kubeconfig /etc/kubernetes/admin.conf';
const stranger = JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'old7' } });
const deviations: readonly Deviation[] = [
  {
    host: 'cp1',
    by: 'chmod 644 /etc/kubernetes/admin.conf',
    told: /admin\.conf has the mode 0644, not 0600/,
    undo: 'chmod 600 /etc/kubernetes/admin.conf',
  },
  {
    host: 'cp1',
    by: 'chmod 640 /etc/kubernetes/pki/sa.key',
    told: /sa\.key has the mode 0640, not 0600/,
    undo: 'chmod 600 /etc/kubernetes/pki/sa.key',
  },
  {
    host: 'cp1',
    by: 'chown 1000 /etc/kubernetes/pki/ca.crt',
    told: /ca\.crt belongs to the user 1000, not to root/,
    undo: 'chown root: /etc/kubernetes/pki/ca.crt',
  },
  {
    host: 'worker1',
    by: 'chmod 666 /etc/kubernetes/kubelet.conf',
    told: /kubelet\.conf has the mode 0666, not 0600/,
    undo: 'chmod 600 /etc/kubernetes/kubelet.conf',
  },
  {
    host: 'worker1',
    by: 'mkdir -p /etc/kubernetes/manifests && echo > /etc/kubernetes/manifests/debug.yaml',
    told: /runs a pod of \/etc\/kubernetes\/manifests\/debug\.yaml/,
    undo: 'rm /etc/kubernetes/manifests/debug.yaml',
  },
  {
    host: 'cp1',
    by: `${admin} cordon worker1`,
    told: /worker1 is cordoned/,
    undo: `${admin} uncordon worker1`,
  },
  {
    host: 'cp1',
    by: `echo '${stranger}' | ${admin} create --filename -`,
    told: /old7 is registered as a node/,
    undo: `${admin} delete node old7`,
  },
  {
    host: 'cp1',
    by: `${admin} -n kube-system scale deployment coredns --replicas 0`,
    told: /of CoreDNS 0 of 0 are available/,
    undo: `${admin} -n kube-system scale deployment coredns --replicas 2`,
  },
  {
    host: 'cp1',
    by: `${admin} -n kube-system patch daemonset kube-proxy --patch '{"spec":{"template":{"spec":{"nodeSelector":{"no":"such"}}}}}'`,
    told: /of kube-proxy 0 of 2 are ready/,
    undo: `${admin} -n kube-system rollout undo daemonset kube-proxy`,
  },
  {
    host: 'worker1',
    by: 'sed -i "s/^maxPods:.*/maxPods: 77/;t;\\$a maxPods: 77" /var/lib/kubelet/config.yaml && systemctl restart kubelet',
    told: /maxPods/,
  },
  {
    host: 'cp1',
    by: String.raw`sed -i 's/^    - kube-scheduler$/&\n    - --v=4/' /etc/kubernetes/manifests/kube-scheduler.yaml`,
    told: /--v=4/,
  },
  { host: 'worker1', by: 'sysctl -qw net.ipv4.ip_forward=0', told: /net\.ipv4\.ip_forward/ },
  {
    host: 'cp1',
    by: `${admin} label node worker1 node-role.kubernetes.io/worker-`,
    told: /node-role\.kubernetes\.io\/worker|Mark the nodes/,
  },
  { host: 'worker1', by: 'echo "# by hand" >> /etc/containerd/config.toml', told: /containerd/ },
  { host: 'cp1', by: 'echo "# by hand" >> /etc/haproxy/haproxy.cfg', told: /haproxy/ },
  {
    host: 'worker1',
    by: 'apt-mark unhold kubelet >/dev/null 2>&1; systemctl disable -q kubelet',
    told: /kubelet/,
  },
];

test('a cluster as it was brought has none', async () => {
  const ended = await here.task('drift', '--json');
  expect(ended.stdout).not.toContain('"type":"drift"');
  expect(ended.status).toBe(0);
});

test('each of them is told by drift at once, with its host', async () => {
  for (const { host, by } of deviations) await on(lab, host, 'sh', '-c', by);
  const drift = await here.task('drift', '--json');
  expect(drift.status).toBe(25);
  const rows = drift.stdout.split('\n').filter((line) => line.includes('"type":"drift"'));
  const untold = deviations.filter(
    ({ host, told }) => !rows.some((row) => row.includes(`"host":"${host}"`) && told.test(row)),
  );
  expect(
    untold.map(({ by }) => by),
    rows.join('\n'),
  ).toEqual([]);
});

test('a service that is stopped is told, and what cannot be looked at without it', async () => {
  await on(lab, 'cp1', 'systemctl', 'stop', 'keepalived');
  const drift = await here.task('drift', '--json');
  expect(drift.status).toBe(25);
  expect(drift.stdout).toMatch(/"kind":"differs","host":"cp1","phase":"keepalived"/);
  await here.done('run', 'keepalived', '--json');
});

test('all are gone after what the rows say', async () => {
  for (const { host, undo } of deviations) if (undo !== undefined) await on(lab, host, 'sh', '-c', undo);
  await here.done('run', '--json');
  await here.done('verify');
  const left = await here.task('drift', '--json');
  expect(left.stdout.split('\n').filter((line) => line.includes('"type":"drift"'))).toEqual([]);
  expect(changes(await here.done('run', '--json'))).toEqual({});
  expect(await kubectl(lab, 'cp1', 'get', 'nodes', '--output', 'name')).toBe('node/cp1\nnode/worker1');
});
