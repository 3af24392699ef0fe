import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../support/hosts/lab.ts';
import { osaLab, type OsaLab } from '../../support/hosts/openstack/osa-lab.ts';

let there: OsaLab;

const hosts = (...numbers: readonly number[]): string =>
  numbers.map((each) => `{ name: infra${each}, address: 172.29.236.1${each} }`).join(', ');
const define = (carriers: string, more = ''): Promise<void> => there.define(carriers, more);
const run: OsaLab['run'] = (...words) => there.run(...words);
const sh = (command: string): Promise<string> => there.sh(command);
const changed: OsaLab['changed'] = (ended) => there.changed(ended);

beforeAll(async () => {
  there = await osaLab('osa-workload');
  await define(hosts(1, 2, 3));
});

afterAll(() => there.close());

const workload = (image: string, workers: number): string =>
  `workloadClusters:
  client: deploy-host
  images:
    - { name: kube-30, kubernetes: v1.30.2, from: { file: /srv/kube-30.qcow2 } }
    - { name: kube-31, kubernetes: v1.31.1, from: { file: /srv/kube-31.qcow2 } }
  templates: [{ name: small, image: ${image}, externalNetwork: public, flavor: m1.medium }]
`.concat(workers === 0 ? '' : `  clusters: [{ name: demo, template: small, workers: ${workers} }]\n`);

const requests = async (): Promise<readonly string[]> =>
  (await sh('cut -d" " -f1-4 /root/cloud/requests')).split('\n');

test('a workload cluster outlives the connection, is made once, and resized; a second run changes nothing', async () => {
  await define(hosts(1, 2, 3), workload('kube-30', 2));
  await sh('echo \'{"stuck": true}\' > /root/cloud/trouble');
  const first = run('osa-workload-clusters');
  await until('the cluster is being made', async () =>
    (await sh('cat /root/cloud/requests || true')).includes('cluster create demo'),
  );
  await sh('kill -KILL $(pgrep -u ops -x sshd); systemctl stop ssh');
  const cut = await first;
  expect([20, 21], cut.said).toContain(cut.status);
  await sh('rm /root/cloud/trouble; systemctl start ssh');
  const second = await run('osa-workload-clusters');
  expect({ status: second.status, changed: changed(second) }, second.said).toEqual({ status: 0, changed: 0 });
  expect(await requests()).toEqual([
    ...['image create kube-30 --disk-format', 'image create kube-31 --disk-format'],
    ...['coe cluster template create', 'coe cluster create demo'],
  ]);
  await define(hosts(1, 2, 3), workload('kube-30', 3));
  const resized = await run('osa-workload-clusters');
  expect({ status: resized.status, changed: changed(resized) }, resized.said).toEqual({
    status: 0,
    changed: 1,
  });
});

test('an upgrade that fails says why, and a cluster is deleted only when it is named', async () => {
  await define(hosts(1, 2, 3), workload('kube-31', 3));
  const made = await run('osa-workload-clusters');
  expect(made.status, made.said).toBe(0);
  await sh('echo \'{"fails": "no quota for a volume"}\' > /root/cloud/trouble');
  const failed = await run(
    'osa-workload-upgrade',
    '--set',
    'osa_workload_upgrade_name=demo',
    '--confirm',
    'cloud-a',
  );
  expect(failed.status, failed.said).toBe(20);
  expect(failed.stdout).toContain(
    'demo failed: it is UPDATE_FAILED / status_reason: no quota for a volume / ',
  );
  expect(failed.stdout).toContain('No valid host was found.');
  const told = await run('osa-workload-status');
  expect(told.stdout).toContain('status_reason: no quota for a volume');
  await sh('rm /root/cloud/trouble');
  const kept = await run(
    'osa-workload-delete',
    '--set',
    'osa_workload_delete_name=demo',
    '--confirm',
    'cloud-a',
  );
  expect(kept.status, kept.said).toBe(20);
  await define(hosts(1, 2, 3), workload('kube-31', 0));
  const gone = await run(
    'osa-workload-delete',
    '--set',
    'osa_workload_delete_name=demo',
    '--confirm',
    'cloud-a',
  );
  expect({ status: gone.status, changed: changed(gone) }, gone.said).toEqual({ status: 0, changed: 1 });
  const again = await run(
    'osa-workload-delete',
    '--set',
    'osa_workload_delete_name=demo',
    '--confirm',
    'cloud-a',
  );
  expect({ status: again.status, changed: changed(again) }, again.said).toEqual({ status: 0, changed: 0 });
});
