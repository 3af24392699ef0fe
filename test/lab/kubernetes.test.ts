import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { load } from '../../generators/load.ts';
import { describe as describeLab, down, exec, faults, labArtifacts, type Lab } from '../../lab/index.ts';
import { guarded, markOf, newKey, otherwise, storedSecrets } from '../support/hosts/encryption.ts';
import { members } from '../support/hosts/etcd.ts';
import { besideCluster, trafficDuring } from '../support/hosts/external-load-balancer.ts';
import { kubectl, readiness } from '../support/hosts/kubernetes.ts';
import { definitionOf, holders, must, on, raiseLab, until } from '../support/hosts/lab.ts';
import { loseControlPlane } from '../support/hosts/losses.ts';
import { changes, project, type Project } from '../support/project.ts';

const name = 'k8s';
const controlPlanes = ['cp1', 'cp2', 'cp3'];
const nodes = [...controlPlanes, 'worker1', 'worker2'];
const keyVariable = 'LAB_ENCRYPTION_KEY';
const allReady = nodes.map((node) => `${node}=True`).join(' ');
let lab: Lab;
let here: Project;

beforeAll(async () => {
  lab = await raiseLab(name, {
    kubernetes: true,
    workers: 2,
    loadBalancers: 1,
    volumes: [{ megabytes: 128 }],
  });
  process.env[keyVariable] = newKey();
  here = await project(definition());
  await here.done('render');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

/** Encrypted and audited, with a load balancer outside, and without the workers named. */
const definition = (...without: readonly string[]): string =>
  besideCluster(guarded(definitionOf(lab), keyVariable), 'echo', without);

async function bring(text: string): Promise<void> {
  await here.define(text);
  await here.task('render');
  await here.done('run', 'external-load-balancer', '--json');
}

const kubeconfig = (): string => join(here.folder, '.playsmith', name, 'kubeconfig');

describe('bare hosts', () => {
  test('become a highly available cluster, in exactly as many tasks as were announced', async () => {
    const ended = await here.task('run', '--json');
    expect(ended.status, ended.stderr + JSON.stringify(ended.events.slice(-3))).toBe(0);
    const started = ended.events.find((event) => event.type === 'run-started');
    const last = ended.events.filter((event) => event.type === 'task-started' && !event.handler).at(-1);
    expect(last).toMatchObject({ number: started?.tasks, total: started?.tasks });
    expect(await readiness(lab, 'cp1')).toBe(allReady);
    expect(await members(lab)).toHaveLength(3);
  });

  test('change nothing the second time', async () => {
    const again = await here.done('run', '--json');
    expect(changes(again)).toEqual({});
  });

  test('are left as they are by the phase verify alone', async () => {
    const ended = await here.done('run', 'verify', '--json');
    expect(changes(ended)).toEqual({});
  });
});

describe('the cluster', () => {
  test('is given to its operator as a private file that says the virtual address', async () => {
    await here.done('kubeconfig');
    expect((await stat(kubeconfig())).mode & 0o777).toBe(0o600);
    expect(await readFile(kubeconfig(), 'utf8')).toContain(`https://${describeLab(lab).vip}:6440`);
    const bundle = await exec(lab, 'ansible', ['grep', '-rl', 'client-key-data', '/home/ops/playsmith']);
    expect(bundle.ok && bundle.value.stdout).toBe(false);
  });

  test('are written down again from what the cluster itself says, with what nobody may forget', async () => {
    const { folder } = must(await labArtifacts(() => undefined));
    process.env['PATH'] = `${join(folder, 'binaries')}:${process.env['PATH'] ?? ''}`;
    const words = ['--kubeconfig', kubeconfig(), '--file', 'imported.yml', '--user', 'ops'];
    const { said } = await here.done('import', 'cluster', ...words);
    expect(said).toContain('Secrets cannot be read without it');
    const own = load(await readFile(join(here.folder, 'cluster.yml'), 'utf8'), 'cluster.yml');
    const read = load(await readFile(join(here.folder, 'imported.yml'), 'utf8'), 'imported.yml');
    if (!own.ok || !read.ok) throw new Error('both are definitions');
    const told = ({ value: { cluster } }: typeof own) => ({
      machines: cluster.machines
        .filter(({ roles }) => roles.some((role) => role === 'control-plane' || role === 'worker'))
        .map(({ name: each, roles, address }) => [each, roles, address]),
      networks: [cluster.network.podSubnets, cluster.network.serviceSubnets],
      version: cluster.kubernetes.version,
      endpoint: [cluster.endpoint.address, cluster.endpoint.port],
    });
    expect(told(read)).toEqual(told(own));
  });

  test('serves a workload through its Service on every node', async () => {
    await kubectl(lab, 'cp1', 'create', 'deployment', 'echo', '--image=docker.io/lab/echo:1', '--replicas=2');
    await kubectl(lab, 'cp1', 'create', 'service', 'nodeport', 'echo', '--tcp=80:8080', '--node-port=30080');
    for (const node of nodes) {
      const address = describeLab(lab).hosts.find((host) => host.name === node)?.address ?? '';
      const answers = async (): Promise<boolean> =>
        (await fetched(`http://${address}:30080/`)).startsWith('echo-');
      await until(`${node} answers`, answers, 120);
    }
  });

  test('keeps Secrets unreadable in etcd, and notes who asked for them but not what is in them', async () => {
    const key = process.env[keyVariable] ?? '';
    await kubectl(lab, 'cp1', 'create', 'secret', 'generic', 'treasure', '--from-literal=word=open-sesame');
    const stored = await storedSecrets(lab, 'cp2');
    expect(stored).toContain(`/registry/secrets/default/treasure\n${markOf(key)}`);
    expect(stored).not.toContain('open-sesame');
    expect(otherwise(stored, key)).toEqual([]);
    const logs = await Promise.all(controlPlanes.map(auditLog));
    expect(logs.join('\n')).toMatch(/"verb":"create".*"name":"treasure"/);
    expect(logs.join('\n')).not.toMatch(/open-sesame|b3Blbi1zZXNhbWU/);
    for (const host of controlPlanes)
      expect(await on(lab, host, 'ps', '-C', 'kube-apiserver', '-o', 'args=')).toContain(
        '--audit-log-maxage=3 --audit-log-maxbackup=2 --audit-log-maxsize=40 ',
      );
  });

  test('serves clients outside through a load balancer, who lose nothing when a worker goes as planned', async () => {
    await kubectl(lab, 'cp1', 'cordon', 'worker2');
    await kubectl(lab, 'cp1', 'rollout', 'restart', 'deployment/echo');
    await kubectl(lab, 'cp1', 'rollout', 'status', 'deployment/echo', '--timeout=120s');
    // The port of the Service is looked up in the cluster.
    await bring(definition());
    const address = describeLab(lab).hosts.find((host) => host.name === 'lb1')?.address ?? '';
    const { asked, failed } = await trafficDuring(
      lab,
      async () => {
        await bring(definition('worker2'));
        must(await faults.power.inject(lab, { host: 'worker2' }));
      },
      `http://${address}/`,
    );
    expect(failed).toEqual([]);
    expect(asked).toBeGreaterThan(200);
    must(await faults.power.undo(lab, { host: 'worker2' }));
    await until('worker2 is back', async () => (await readiness(lab, 'cp1')) === allReady, 180);
    await kubectl(lab, 'cp1', 'uncordon', 'worker2');
    await bring(definition());
  });

  // The others, and all at once: test/long/cut.test.ts.
  test('loses no accepted write when the first control plane loses its power', async () => {
    const own = await readFile(kubeconfig(), 'utf8');
    const lost = await loseControlPlane(lab, 'cp1', { kubeconfig: own, allReady, witness: 'cp2' });
    process.stderr.write(`cp1 lost: the longest wait of a writer was ${lost.longestWait.toFixed(1)} s\n`);
    expect(lost.missing).toEqual([]);
    expect(lost.accepted).toBeGreaterThan(20);
    await until('one holds the address', async () => (await holders(lab)).length === 1);
  });
});

interface Volume {
  readonly server: string;
  readonly path: string;
}

describe('a PersistentVolume', () => {
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'shared' },
    spec: {
      accessModes: ['ReadWriteMany'],
      storageClassName: '',
      volumeName: 'pv1',
      resources: { requests: { storage: '50Mi' } },
    },
  };
  const command = 'kubectl --kubeconfig /etc/kubernetes/admin.conf apply --filename -';
  const applied = (object: object): Promise<string> =>
    on(lab, 'cp1', 'sh', '-c', `echo '${JSON.stringify(object)}' | ${command}`);

  /** What a pod on a node says that uses the volume; the kernel of a lab cannot mount it, so the pod speaks NFS itself. */
  const said = async (pod: string, node: string, volume: Volume, ...words: string[]): Promise<string> => {
    const overrides = { apiVersion: 'v1', spec: { nodeName: node, hostNetwork: true } };
    const environment = [`--env=NFS_SERVER=${volume.server}`, `--env=NFS_PATH=${volume.path}`];
    await kubectl(
      lab,
      'cp1',
      ...['run', pod, '--image=docker.io/lab/nfs:1', '--restart=Never', ...environment],
      ...[`--overrides=${JSON.stringify(overrides)}`, '--', ...words],
    );
    const phase = (): Promise<string> =>
      kubectl(lab, 'cp1', 'get', 'pod', pod, '--output', 'jsonpath={.status.phase}');
    await until(`${pod} ends`, async () => ['Succeeded', 'Failed'].includes(await phase()), 120);
    return kubectl(lab, 'cp1', 'logs', pod);
  };

  test('is claimed, and what a pod on one node writes a pod on another reads', async () => {
    await applied(claim);
    const phase = (): Promise<string> =>
      kubectl(lab, 'cp1', 'get', 'persistentvolume', 'pv1', '--output', 'jsonpath={.status.phase}');
    await until('it is bound', async () => (await phase()) === 'Bound');
    const place = [
      'get',
      'persistentvolume',
      'pv1',
      '--output',
      'jsonpath={.spec.nfs.server} {.spec.nfs.path}',
    ];
    const [server = '', path = ''] = (await kubectl(lab, 'cp1', ...place)).split(' ');
    expect(await said('writer', 'worker1', { server, path }, 'write', 'word', 'open sesame')).toBe('');
    expect(await said('reader', 'worker2', { server, path }, 'read', 'word')).toBe('open sesame');
    expect(await on(lab, 'storage1', 'cat', `${path}/word`)).toBe('open sesame');
  });

  test('is told with its claim and its pods, and is not free while there are any', async () => {
    // Nobody can start it here; that it wants the volume is enough.
    const spec = {
      containers: [{ name: 'holder', image: 'docker.io/lab/nfs:1' }],
      nodeSelector: { none: 'such' },
      volumes: [{ name: 'shared', persistentVolumeClaim: { claimName: 'shared' } }],
    };
    await applied({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'holder' }, spec });
    const told = await here.done('run', 'storage-use', '--json');
    expect(changes(told)).toEqual({});
    const refused = await here.task('run', 'storage-use', '--set', 'storage_use_required=free', '--json');
    expect(refused.status).toBe(20);
    expect(refused.stdout + refused.stderr).toContain('default/holder on no node yet');
    await kubectl(lab, 'cp1', 'delete', 'pod', 'holder', 'writer', 'reader', '--now');
    await kubectl(lab, 'cp1', 'delete', 'persistentvolumeclaim', 'shared');
  });

  test('is left as it is by a second run, and never replaced by one that leads elsewhere', async () => {
    const claimRef = '[{"op":"remove","path":"/spec/claimRef"}]';
    await until('it is released', async () =>
      (await kubectl(lab, 'cp1', 'get', 'persistentvolume', 'pv1')).includes('Released'),
    );
    const released = await here.task('run', 'persistent-volumes', '--json');
    expect(released.status).toBe(20);
    expect(released.stdout + released.stderr).toContain('was released by the claim default/shared');
    await kubectl(lab, 'cp1', 'patch', 'persistentvolume', 'pv1', '--type=json', `--patch=${claimRef}`);
    const again = await here.done('run', 'persistent-volumes', '--json');
    expect(changes(again)).toEqual({});
    const before = await readFile(join(here.folder, 'cluster.yml'), 'utf8');
    await here.define(before.replaceAll('/volume/pv1', '/volume/other'));
    await here.task('render');
    const elsewhere = await here.task('run', 'persistent-volumes', '--json');
    expect(elsewhere.status).toBe(20);
    expect(elsewhere.stdout + elsewhere.stderr).toContain('where a PersistentVolume leads never changes');
    await here.define(before);
    await here.task('render');
  });
});

describe('a node that must not be taken', () => {
  test('is refused with the reason when it belongs to another cluster', async () => {
    await on(
      lab,
      'worker1',
      'sh',
      '-c',
      'cp /etc/kubernetes/kubelet.conf /root/; sed -i "s#https://[^ ]*#https://203.0.113.9:6443#" /etc/kubernetes/kubelet.conf',
    );
    const ended = await here.task('run', 'preflight');
    await on(lab, 'worker1', 'mv', '/root/kubelet.conf', '/etc/kubernetes/kubelet.conf');
    expect(ended.status).toBe(20);
    expect(ended.stderr).toContain('worker1');
    expect(ended.stderr).toContain('203.0.113.9');
  });
});

const fetched = async (url: string): Promise<string> => {
  const program =
    'import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=2).read().decode())';
  const asked = await exec(lab, 'client', ['python3', '-c', program, url]);
  return asked.ok ? asked.value.stdout.trim() : '';
};

/** What the API server of a control plane noted about the Secret of this test. */
const auditLog = (host: string): Promise<string> =>
  on(lab, host, 'sh', '-c', 'grep --no-messages treasure /var/log/kubernetes/audit/*.log || test $? = 1');
