import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describe as describeLab, down, exec, faults, type Lab } from '../../lab/index.ts';
import { mirrorFor, type Mirror } from '../support/hosts/kubespray-mirror.ts';
import {
  kubesprayFor,
  realDefinition,
  repositoryWith,
  type Kubespray,
} from '../support/hosts/kubespray-real.ts';
import { kubectl, readiness } from '../support/hosts/kubernetes.ts';
import { must, on, raiseLab, until } from '../support/hosts/lab.ts';
import { there } from '../support/there.ts';
import { project, recapOf, type Ended, type Project } from '../support/project.ts';

const name = 'ksreal';
const version = 'v2.31.0';
const repository = repositoryWith(version);
let lab: Lab;
let here: Project;
let mirror: Mirror;
let kubespray: Kubespray;

/** What came of an operation: how long it took, how many tasks kubespray had, and its own recap. */
async function done(ended: Ended): Promise<void> {
  expect(ended.status, ended.said).toBe(0);
  const parts = ended.events.filter((event) => event.type === 'part-started');
  const recap = await on(
    lab,
    'ansible',
    'sh',
    '-c',
    `grep -h -A9 '^PLAY RECAP' $(ls -t ${logs}/* | head -1) | grep ok=`,
  );
  const { run, seconds } = recapOf(ended);
  process.stderr.write(`${run}: ${seconds.toFixed(0)} s, ${parts.length} tasks of kubespray\n${recap}\n`);
}

const logs = `/home/ops/playsmith/kept/${name}/kubespray/logs`;

const run = async (...words: readonly string[]): Promise<void> => done(await here.task(...words, '--json'));

async function bring(...without: readonly string[]): Promise<void> {
  await here.define(realDefinition(lab, { mirror, kubespray, without }));
  await here.done('render');
}

const nodes = async (...expected: readonly string[]): Promise<void> => {
  const wanted = expected.map((node) => `${node}=True`).join(' ');
  await until(`only ${wanted}`, async () => (await readiness(lab, 'cp1')) === wanted, 120);
};

/** What the workload says to the client host that asks a node. */
async function answerOf(node: string): Promise<string> {
  const { address } = there(describeLab(lab).hosts.find((host) => host.name === node));
  const program = `import urllib.request as r; print(r.urlopen("http://${address}:30080/", timeout=5).read().decode())`;
  const asked = await exec(lab, 'client', ['python3', '-c', program]);
  return asked.ok ? asked.value.stdout.trim() : '';
}

const why = repository === '' ? `: PLAYSMITH_KUBESPRAY names no git repository that has it` : '';

describe.skipIf(repository === '')(`kubespray ${version} itself${why}`, () => {
  beforeAll(async () => {
    lab = await raiseLab(name, { kubernetes: true, kubernetesVersion: '1.35.4', workers: 2 });
    mirror = await mirrorFor(lab, '1.35.4');
    kubespray = await kubesprayFor(lab, repository, version);
    here = await project(realDefinition(lab, { mirror, kubespray, without: ['worker2'] }));
    await here.done('render');
    await here.done('bootstrap', '--yes', '--archive', kubespray.archive);
  });

  afterAll(async () => {
    await here.remove();
    must(await down(name));
  });

  test('doctor finds the archive unpacked as it was packed, and its Ansible', async () => {
    const { stdout } = await here.done('doctor');
    expect(stdout).toMatch(/kubespray +v2\.31\.0 at /);
    expect(stdout).toMatch(/Ansible of v2\.31\.0 +2\.18\./);
  });

  test('instantiate makes a cluster behind the virtual address, and tells every task of kubespray', async () => {
    const ended = await here.task('run', '--json');
    await done(ended);
    await nodes('cp1', 'cp2', 'cp3', 'worker1');
    const parts = ended.events.flatMap((event) => (event.type === 'part-started' ? [event.number] : []));
    expect(parts).toEqual(parts.map((_, index) => index + 1));
    expect(parts.length).toBeGreaterThan(400);
    expect(recapOf(ended).results).toMatchObject({
      kubespray: expect.stringContaining(kubesprayTree) as string,
    });
    const log = await on(lab, 'ansible', 'sh', '-c', `cat ${logs}/*`);
    expect(log).not.toMatch(/--certificate-key [0-9a-f]{64}/);
  });

  test('a workload answers through its Service on every node', async () => {
    const image = `--image=${mirror.registry}/lab/echo:1`;
    await kubectl(lab, 'cp1', 'create', 'deployment', 'echo', image, '--replicas=2');
    await kubectl(lab, 'cp1', 'create', 'service', 'nodeport', 'echo', '--tcp=80:8080', '--node-port=30080');
    for (const node of ['cp1', 'cp2', 'cp3', 'worker1'])
      await until(`${node} answers`, async () => (await answerOf(node)).startsWith('echo-'), 120);
  });

  test('scale-out takes in a worker', async () => {
    await bring();
    await run('scale-out', 'worker2');
    await nodes('cp1', 'cp2', 'cp3', 'worker1', 'worker2');
  });

  test('replace-node takes the worker out before it comes in again', async () => {
    await run('replace-node', 'worker2', '--confirm', 'worker2');
    await nodes('cp1', 'cp2', 'cp3', 'worker1', 'worker2');
  });

  test('scale-in takes out a worker that is dead', async () => {
    must(await faults.power.inject(lab, { host: 'worker2' }));
    await run('scale-in', 'worker2', '--confirm', 'worker2');
    must(await faults.power.undo(lab, { host: 'worker2' }));
    await bring('worker2');
    await nodes('cp1', 'cp2', 'cp3', 'worker1');
  });

  test('heal-node recovers a control plane whose member of etcd is lost, although its node is ready', async () => {
    await on(lab, 'cp3', 'sh', '-c', 'systemctl stop etcd && rm -rf /var/lib/etcd/member');
    await run('heal-node', 'cp3');
    expect(await on(lab, 'cp3', 'systemctl', 'is-active', 'etcd')).toBe('active');
    await nodes('cp1', 'cp2', 'cp3', 'worker1');
  });

  test('terminate leaves no Kubernetes', async () => {
    await run('terminate', '--confirm', name);
    expect(
      await on(
        lab,
        'cp1',
        'sh',
        '-c',
        'ls -d /etc/kubernetes /usr/local/bin/kubelet 2>/dev/null; pgrep kubelet || true',
      ),
    ).toBe('');
  });
});

const kubesprayTree = 'be1344305045541c383b0f9e72ffe903653930c0';
