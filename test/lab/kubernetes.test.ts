import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { load } from '../../generators/load.ts';
import { describe as describeLab, down, exec, labArtifacts, type Lab } from '../../lab/index.ts';
import { guarded, markOf, newKey, otherwise, storedSecrets } from '../support/hosts/encryption.ts';
import { members } from '../support/hosts/etcd.ts';
import { kubectl, readiness } from '../support/hosts/kubernetes.ts';
import { definitionOf, holders, must, on, raiseLab, until } from '../support/hosts/lab.ts';
import { loseControlPlane } from '../support/hosts/losses.ts';
import { claimed, saidByPod } from '../support/hosts/volumes.ts';
import { changes, numbersOf, project, type Project } from '../support/project.ts';

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
    volumes: [{ megabytes: 128 }],
  });
  process.env[keyVariable] = newKey();
  // Its Secrets are encrypted and its API is audited.
  here = await project(guarded(definitionOf(lab), keyVariable));
  await here.done('render');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

const kubeconfig = (): string => join(here.folder, '.playsmith', name, 'kubeconfig');

describe('bare hosts', () => {
  test('become a highly available cluster, in exactly as many tasks as were announced', async () => {
    const ended = await here.task('run', '--json');
    expect(ended.status, ended.stderr + JSON.stringify(ended.events.slice(-3))).toBe(0);
    const started = ended.events.find((event) => event.type === 'run-started');
    const last = ended.events.filter((event) => event.type === 'task-started' && !event.handler).at(-1);
    expect(last).toMatchObject({ number: started?.tasks, total: started?.tasks });
    // A play may pass over tasks; none comes that was not announced.
    const numbers = numbersOf(ended.events);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
    expect(await readiness(lab, 'cp1')).toBe(allReady);
    expect(await members(lab)).toHaveLength(3);
  });

  test('enter etcd one after the other: whom it refused it would call without end once it started again', async () => {
    // A proposal is in the log of the member that was asked, which may be any of those that vote.
    const read = ['sh', '-c', 'cat /var/log/pods/kube-system_etcd-*/etcd/*.log'];
    const logs = await Promise.all(controlPlanes.map((each) => on(lab, each, ...read)));
    expect(logs.join('\n').match(/"ConfChangeAddLearnerNode"/g)).toHaveLength(2);
  });

  test('have kubelets that miss nothing on workers either', async () => {
    const said = await on(lab, 'worker1', 'journalctl', '--unit', 'kubelet');
    expect(said).toContain('Adding static pod path');
    expect(said).not.toContain('Unable to read config path');
  });

  test('have a systemd that takes no line of a program for a setting', async () => {
    const said = await Promise.all(
      nodes.map((node) => on(lab, node, 'journalctl', '--no-pager', '--identifier', 'systemd')),
    );
    expect(said.join('\n')).toContain('Import of images');
    expect(said.join('\n').match(/^.*(?:ignoring line|Invalid section header|Unknown key).*$/gm)).toBeNull();
  });

  test('change nothing the second time', async () => {
    const again = await here.done('run', '--json');
    expect(changes(again)).toEqual({});
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

describe('a PersistentVolume', () => {
  test('is claimed, and what a pod on one node writes a pod on another reads', async () => {
    const volume = await claimed(lab);
    expect(
      await saidByPod(lab, { ...volume, pod: 'writer', node: 'worker1' }, 'write', 'word', 'open sesame'),
    ).toBe('');
    expect(await saidByPod(lab, { ...volume, pod: 'reader', node: 'worker2' }, 'read', 'word')).toBe(
      'open sesame',
    );
    expect(await on(lab, 'storage1', 'cat', `${volume.path}/word`)).toBe('open sesame');
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
