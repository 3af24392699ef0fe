import { parseDocument } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { down, exec, type Lab } from '../../../lab/index.ts';
import { kubectl, readiness } from '../../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab, until } from '../../support/hosts/lab.ts';
import { changes, project, type Project } from '../../support/project.ts';
import { addressOf, inShell, reboot } from '../../support/hosts/virtual-hosts.ts';

const name = 'vnodes';
let lab: Lab;
let here: Project;

// What a container cannot prove: a kubelet on cgroup v2 that mounts volumes, behind the kernel's own NFS server.
beforeAll(async () => {
  lab = await raiseLab(name, {
    ...{ kubernetes: true, controlPlanes: 1, workers: 1, standInApi: false },
    volumes: [{ megabytes: 128 }],
    virtual: ['storage1', 'worker1'],
    debian13: ['cp1', 'worker1'],
  });
  here = await project(definition());
  await here.done('render');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

function definition(): string {
  const document = parseDocument(definitionOf(lab));
  document.setIn(['installer', 'kubeadm', 'kubeProxy', 'mode'], 'nftables');
  return document.toString();
}

const apply = async (manifest: string): Promise<void> => {
  const words = ['kubectl', '--kubeconfig', '/etc/kubernetes/admin.conf', 'apply', '--filename', '-'];
  must(await exec(lab, 'cp1', words, { input: manifest }));
};

const inPod = (script: string): Promise<string> =>
  kubectl(lab, 'cp1', 'exec', 'deployment/keeper', '--', 'sh', '-euc', script);

/** What the client host hears on the port that a Service has on a node. */
async function heard(host: string): Promise<string> {
  const asking = `import urllib.request as r; print(r.urlopen("http://${addressOf(lab, host)}:30090/", timeout=5).read().decode())`;
  const asked = await exec(lab, 'client', ['python3', '-c', asking]);
  return asked.ok ? asked.value.stdout.trim() : '';
}

// Emulated, a task costs such a host seconds.
describe('a worker that is a virtual machine of Debian 13', { timeout: 4_800_000 }, () => {
  test('joins a control plane that is a container', async () => {
    const ended = await here.task('run', '--json');
    expect(ended.status, ended.said).toBe(0);
    expect(await readiness(lab, 'cp1')).toBe('cp1=True worker1=True');
    const path = '{.status.nodeInfo.osImage} {.status.nodeInfo.kernelVersion}';
    const info = await kubectl(lab, 'cp1', 'get', 'node', 'worker1', '--output', `jsonpath=${path}`);
    expect(info).toMatch(/^Debian GNU\/Linux 13 .* \S+-cloud-amd64$/);
  });

  test('has its pods in a cgroup v2 of its own, with what they may take', async () => {
    const slice = '/sys/fs/cgroup/kubepods.slice';
    expect(await on(lab, 'worker1', 'cat', `${slice}/cgroup.controllers`)).toMatch(/cpu .*memory .*pids/);
    expect(await on(lab, 'worker1', 'cat', `${slice}/memory.max`)).toMatch(/^\d+$/);
  });

  test('mounts a PersistentVolume from the storage server by its kernel', async () => {
    await apply(keeper);
    await kubectl(lab, 'cp1', 'rollout', 'status', 'deployment/keeper', '--timeout=300s');
    const seen = await inPod('echo precious > /data/kept; grep " /data " /proc/mounts');
    expect(seen).toMatch(new RegExp(`^${addressOf(lab, 'storage1')}:/volume/pv1 /data nfs4 .*vers=4\\.2`));
    expect(await on(lab, 'storage1', 'cat', '/volume/pv1/kept')).toBe('precious');
  });

  test('passes on what a Service is asked, by nftables of its kernel', async () => {
    expect(await on(lab, 'worker1', 'nft', 'list', 'tables')).toContain('kube-proxy');
    await until('the Service answers', async () => (await heard('worker1')).startsWith('keeper-'), 60);
    expect(await inPod('nslookup kubernetes.default.svc.cluster.local')).toContain('10.96.0.1');
  });

  test('is Ready again after it has rebooted, with its pods and what they have written', async () => {
    await reboot(lab, 'worker1');
    await until('it is Ready', async () => (await readiness(lab, 'cp1')).includes('worker1=True'), 300);
    await until('its pod is back', async () => (await heard('worker1')).startsWith('keeper-'), 300);
    expect(await inPod('cat /data/kept')).toBe('precious');
  });

  test('waits for its storage server that reboots, and reads the same', async () => {
    await reboot(lab, 'storage1');
    expect(await inPod('cat /data/kept; echo more > /data/more; cat /data/more')).toBe('precious\nmore');
  });

  test('and nothing is left to do', async () => {
    const again = await here.done('run', '--json');
    expect(changes(again)).toEqual({});
    expect(await inShell(lab, 'worker1', 'systemctl --failed --no-legend')).toBe('');
  });
});

const keeper = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: keeper }
spec:
  accessModes: [ReadWriteMany]
  storageClassName: ""
  volumeName: pv1
  resources: { requests: { storage: 50Mi } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: keeper }
spec:
  selector: { matchLabels: { app: keeper } }
  template:
    metadata: { labels: { app: keeper } }
    spec:
      nodeSelector: { kubernetes.io/hostname: worker1 }
      securityContext: { runAsUser: 65534, runAsGroup: 65534 }
      terminationGracePeriodSeconds: 1
      containers:
        - name: keeper
          image: docker.io/lab/echo:1
          resources: { limits: { memory: 64Mi, cpu: 500m } }
          ports: [{ containerPort: 8080 }]
          volumeMounts: [{ name: data, mountPath: /data }]
      volumes: [{ name: data, persistentVolumeClaim: { claimName: keeper } }]
---
apiVersion: v1
kind: Service
metadata: { name: keeper }
spec:
  type: NodePort
  selector: { app: keeper }
  ports: [{ port: 80, targetPort: 8080, nodePort: 30090 }]
`;
