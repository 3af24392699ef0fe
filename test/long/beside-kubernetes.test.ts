import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describe as describeLab, down, faults, type Lab } from '../../lab/index.ts';
import { besideCluster, trafficDuring } from '../support/hosts/external-load-balancer.ts';
import { kubectl, readiness } from '../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab, until } from '../support/hosts/lab.ts';
import { applied, claimed, saidByPod } from '../support/hosts/volumes.ts';
import { changes, project, type Project } from '../support/project.ts';

const name = 'beside';
let lab: Lab;
let here: Project;

// What stands beside a cluster that really runs: a load balancer outside of it, and volumes.
beforeAll(async () => {
  lab = await raiseLab(name, {
    kubernetes: true,
    controlPlanes: 1,
    workers: 2,
    loadBalancers: 1,
    volumes: [{ megabytes: 128 }],
  });
  here = await project(definition());
  await here.done('render');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

const definition = (...without: readonly string[]): string =>
  besideCluster(definitionOf(lab), 'echo', without);

async function bring(text: string): Promise<void> {
  await here.define(text);
  await here.done('render');
  await here.done('run', 'external-load-balancer', '--json');
}

test('a cluster is made whose load balancer waits for its Service, and verify changes nothing', async () => {
  await here.done('run', '--json');
  expect(changes(await here.done('run', 'verify', '--json'))).toEqual({});
});

test('a Service serves clients outside through a load balancer, who lose nothing when a worker goes as planned', async () => {
  await kubectl(lab, 'cp1', 'cordon', 'worker2');
  await kubectl(lab, 'cp1', 'create', 'deployment', 'echo', '--image=docker.io/lab/echo:1', '--replicas=2');
  await kubectl(lab, 'cp1', 'create', 'service', 'nodeport', 'echo', '--tcp=80:8080', '--node-port=30080');
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
  await until(
    'worker2 is back',
    async () => (await readiness(lab, 'cp1')) === 'cp1=True worker1=True worker2=True',
    180,
  );
  await kubectl(lab, 'cp1', 'uncordon', 'worker2');
  await bring(definition());
});

test('a node of another cluster is refused with the reason', async () => {
  const [file, foreign] = ['/etc/kubernetes/kubelet.conf', 'https://203.0.113.9:6443'];
  await on(lab, 'worker1', 'sh', '-c', `cp ${file} /root/; sed -i "s#https://[^ ]*#${foreign}#" ${file}`);
  const ended = await here.task('run', 'preflight');
  await on(lab, 'worker1', 'mv', '/root/kubelet.conf', file);
  expect(ended.status).toBe(20);
  expect(ended.stderr).toContain('worker1');
  expect(ended.stderr).toContain('203.0.113.9');
});

describe('a PersistentVolume', () => {
  test('is told with its claim and its pods, and is not free while there are any', async () => {
    const volume = await claimed(lab);
    expect(await saidByPod(lab, { ...volume, pod: 'writer', node: 'worker1' }, 'write', 'word', 'kept')).toBe(
      '',
    );
    // Nobody can start it here; that it wants the volume is enough.
    const spec = {
      containers: [{ name: 'holder', image: 'docker.io/lab/nfs:1' }],
      nodeSelector: { none: 'such' },
      volumes: [{ name: 'shared', persistentVolumeClaim: { claimName: 'shared' } }],
    };
    await applied(lab, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'holder' }, spec });
    const told = await here.done('run', 'storage-use', '--json');
    expect(changes(told)).toEqual({});
    const refused = await here.task('run', 'storage-use', '--set', 'storage_use_required=free', '--json');
    expect(refused.status).toBe(20);
    expect(refused.stdout + refused.stderr).toContain('default/holder on no node yet');
    await kubectl(lab, 'cp1', 'delete', 'pod', 'holder', 'writer', '--now');
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
    await here.done('render');
    const elsewhere = await here.task('run', 'persistent-volumes', '--json');
    expect(elsewhere.status).toBe(20);
    expect(elsewhere.stdout + elsewhere.stderr).toContain('where a PersistentVolume leads never changes');
    await here.define(before);
    await here.done('render');
  });
});
