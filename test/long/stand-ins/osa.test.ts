import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
const asked = async (): Promise<readonly string[]> => (await sh('cat /root/asked')).split('\n');

beforeAll(async () => {
  there = await osaLab('osa');
  await define(hosts(1, 2, 3));
});

afterAll(() => there.close());

test('the deploy host says its release, which is written into the definition and nothing else of it', async () => {
  const { project } = there;
  const file = join(project.folder, 'cluster.yml');
  const right = await readFile(file, 'utf8');
  const first = await project.task('probe', '--yes');
  expect(first.stderr).toContain('release 2025.2, as the definition says');
  for (const wrong of [right.replace('"2025.2"', '"2024.2"'), right.replace('release: "2025.2", ', '')]) {
    expect(wrong).not.toBe(right);
    await project.define(wrong);
    expect((await project.task('probe')).status).toBe(2);
    await project.done('probe', '--yes');
    expect(await readFile(file, 'utf8')).toContain("release: '2025.2'");
  }
  await project.define(right);
});

test('a file of somebody else stops everything, until it is adopted; a second time nothing changes', async () => {
  await sh(
    'mkdir -p /etc/openstack_deploy/group_vars/magnum_all; echo mine: 1 > /etc/openstack_deploy/group_vars/magnum_all/main.yml',
  );
  const refused = await run('osa-place');
  expect(refused.status, refused.said).toBe(20);
  expect(refused.stdout).toContain('--set osa_place_adopt=group_vars/magnum_all/main.yml');
  expect(refused.stdout).toContain('-mine: 1');
  expect(await sh('ls /etc/openstack_deploy')).toBe('group_vars\nopenstack_user_config.yml');
  const tried = await run('osa-place', '--check', '--set', 'osa_place_adopt=group_vars/magnum_all/main.yml');
  expect({ status: tried.status, changed: changed(tried) }, tried.said).toEqual({ status: 0, changed: 1 });
  expect(await sh('ls /etc/openstack_deploy')).toBe('group_vars\nopenstack_user_config.yml');
  const placed = await run('osa-place', '--set', 'osa_place_adopt=group_vars/magnum_all/main.yml');
  expect({ status: placed.status, changed: changed(placed) }, placed.said).toEqual({ status: 0, changed: 1 });
  expect(await sh('cat /var/backups/playsmith/cloud-a/*/group_vars/magnum_all/main.yml')).toBe('mine: 1');
  expect(await sh('stat -c %a%U /etc/openstack_deploy/conf.d/k8s.yml')).toBe('644root');
  expect(await sh('grep -c management_address /etc/openstack_deploy/group_vars/k8s_all/main.yml')).toBe('1');
  const again = await run('osa-place');
  expect({ status: again.status, changed: changed(again) }, again.said).toEqual({ status: 0, changed: 0 });
});

test('a step that fails says why; the next run goes on there, and the one after it does nothing', async () => {
  const tried = await run('osa-deploy-existing', '--check');
  expect(tried.status, tried.said).toBe(0);
  expect(await sh('cat /root/asked 2>/dev/null || echo nothing')).toBe('nothing');
  await sh('echo "No space left on device" > /root/broken');
  const broken = await run('osa-deploy-existing');
  expect(broken.status, broken.said).toBe(20);
  expect(broken.stdout).toContain(
    'TASK [check : openstack-ansible]: fatal: [infra1]: No space left on device',
  );
  expect(await asked()).toHaveLength(1);
  await sh('rm /root/broken');
  const done = await run('osa-deploy-existing');
  expect(done.status, done.said).toBe(0);
  expect((await asked()).slice(1)).toEqual([
    'openstack-ansible scripts/get-ansible-collection-requirements.yml',
    'pip install --requirement /etc/openstack_deploy/user-ansible-venv-requirements.txt',
    'openstack-ansible openstack.osa.containers_lxc_create --limit localhost,lxc_hosts,k8s_all,cluster-api_hosts',
    'openstack-ansible osa_ops.mcapi_vexxhost.mcapi_control_plane_k8s --extra-vars resolvconf_enabled=false',
    'openstack-ansible osa_ops.mcapi_vexxhost.mcapi_magnum_integration',
    'openstack-ansible openstack.osa.magnum',
  ]);
  const again = await run('osa-deploy-existing');
  expect({ status: again.status, changed: changed(again) }, again.said).toEqual({ status: 0, changed: 0 });
  expect(await asked()).toHaveLength(7);
  const magnum = await run('osa-deploy-existing', '--set', 'osa_from=magnum');
  expect(magnum.status, magnum.said).toBe(0);
  expect((await asked()).slice(7)).toEqual(['openstack-ansible openstack.osa.magnum']);
});

test('a step outlives the connection to the deploy host, and the next run finds it', async () => {
  await sh('touch /root/hold');
  const before = (await asked()).length;
  const first = run('osa-deploy-existing', '--set', 'osa_from=magnum');
  await until('the step runs', async () => (await asked()).length === before + 1);
  // Every login of the Ansible server at once; the daemon itself stays.
  await sh('kill -KILL $(pgrep -u ops -x sshd); systemctl stop ssh');
  const cut = await first;
  expect(cut.status, cut.said).toBe(21);
  await sh('systemctl start ssh');
  const second = run('osa-deploy-existing');
  await new Promise((resolve) => setTimeout(resolve, 3000));
  await sh('rm /root/hold');
  const ended = await second;
  expect(ended.status, ended.said).toBe(0);
  expect(await asked()).toHaveLength(before + 1);
});

test('a client that is killed is followed by another', async () => {
  await sh('touch /root/hold');
  const before = (await asked()).length;
  const begun = there.project.begin('run', 'osa-functional-test', '--confirm', 'cloud-a', '--json');
  await until('the step runs', async () => (await asked()).length === before + 1);
  begun.process.kill('SIGKILL');
  await begun.ended;
  await sh('rm /root/hold');
  const attached = await there.project.task('attach', '--json');
  expect(attached.status, attached.said).toBe(0);
  expect((await asked()).at(-1)).toBe(
    'openstack-ansible osa_ops.mcapi_vexxhost.functional_test --extra-vars @/etc/openstack_deploy/playsmith/functional-test.yml',
  );
});

test('a host that leaves is taken out of the inventory first', async () => {
  await define(hosts(1, 2, 4));
  const refused = await run('osa-place');
  expect(refused.status, refused.said).toBe(20);
  expect(refused.stdout).toContain('The inventory still has infra3-k8s-container-00000002');
  const kept = await run('osa-remove-host', '--set', 'osa_remove_host_name=infra2', '--confirm', 'cloud-a');
  expect(kept.status, kept.said).toBe(20);
  const before = (await asked()).length;
  const removed = await run(
    'osa-remove-host',
    '--set',
    'osa_remove_host_name=infra3',
    '--confirm',
    'cloud-a',
  );
  expect(removed.status, removed.said).toBe(0);
  const container = 'infra3-k8s-container-00000002';
  expect((await asked()).slice(before).map((line) => line.split(' ').at(0))).toEqual([
    ...['ansible', 'ansible', 'ansible', 'openstack-ansible', 'inventory-manage'],
  ]);
  expect((await asked()).slice(-2)).toEqual([
    `openstack-ansible openstack.osa.containers_lxc_destroy --limit localhost,lxc_hosts,${container} --extra-vars force_containers_destroy=true force_containers_data_destroy=true`,
    `inventory-manage --remove-item ${container}`,
  ]);
  const placed = await run('osa-place');
  expect(placed.status, placed.said).toBe(0);
});

test('a host that is dead is taken out by those that stay', async () => {
  await define(hosts(1));
  const before = (await asked()).length;
  const removed = await run(
    ...['osa-remove-host', '--set', 'osa_remove_host_name=infra2', '--set', 'osa_remove_host_dead=yes'],
    ...['--confirm', 'cloud-a'],
  );
  expect(removed.status, removed.said).toBe(0);
  const lines = (await asked()).slice(before);
  expect(lines).toHaveLength(3);
  const { cmd } = JSON.parse(lines[0]?.split('--args=').at(1) ?? '') as { readonly cmd: string };
  expect(cmd.split('\n')[0]).toBe('NODES=infra2-k8s-container-00000001');
  expect(cmd).toContain('etcdctl member remove');
  expect(lines[1]).toContain('delete node --ignore-not-found infra2-k8s-container-00000001');
  expect(lines[2]).toBe('inventory-manage --remove-item infra2-k8s-container-00000001');
});

test('a new OpenStack gets the control plane in the middle, and the proxy', async () => {
  await sh('rm -f /root/asked /etc/openstack_deploy/openstack_inventory.json');
  await define(hosts(1, 2, 3), 'proxy: { hosts: compute_hosts }\n');
  expect((await run('osa-place')).status).toBe(0);
  const doctor = await there.project.task('doctor');
  expect(doctor.stdout).toMatch(/ok +OpenStack-Ansible +32\.0\.1, release 2025\.2/);
  const deployed = await run('osa-deploy-new');
  expect(deployed.status, deployed.said).toBe(0);
  expect((await asked()).map((line) => line.split(' ')[1]).slice(2)).toEqual([
    ...['openstack.osa.setup_hosts', 'openstack.osa.setup_infrastructure'],
    ...['osa_ops.mcapi_vexxhost.mcapi_control_plane_k8s', 'osa_ops.mcapi_vexxhost.mcapi_magnum_integration'],
    ...['openstack.osa.setup_openstack', 'osa_ops.mcapi_vexxhost.mcapi_proxy'],
  ]);
  const proxy = await run('osa-magnum-proxy');
  expect({ status: proxy.status, changed: changed(proxy) }, proxy.said).toEqual({ status: 0, changed: 1 });
  expect((await asked()).at(-1)).toBe('openstack-ansible osa_ops.mcapi_vexxhost.mcapi_proxy');
});
