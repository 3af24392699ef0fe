import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recapOf, type Ended } from '../../support/project.ts';
import { asking, containers } from '../../support/hosts/openstack/osa-asking.ts';
import { lacksOf } from '../../support/hosts/openstack/osa-mirror.ts';
import { addresses, realOsaLab, type RealOsaLab } from '../../support/hosts/openstack/osa-real.ts';

const source = { folder: process.env['PLAYSMITH_OSA_GIT'] ?? '', branch: 'stable/2025.1' };
const why = lacksOf(source);

// Its bootstrap and the playbooks up to Glance take some half an hour.
describe.skipIf(why !== '')(
  `OpenStack-Ansible itself${why === '' ? '' : ` (not here: ${why})`}`,
  { timeout: 2_400_000 },
  () => {
    let lab: RealOsaLab | undefined;
    let there: RealOsaLab;

    beforeAll(async () => {
      if (why !== '') return;
      lab = await realOsaLab('osareal', source);
      there = lab;
    }, 2_400_000);

    afterAll(() => lab?.close());

    const run = async (status: number, ...words: readonly string[]): Promise<Ended> => {
      const ended = await there.run(...words);
      expect(ended.status, ended.said).toBe(status);
      return ended;
    };
    const changed = (ended: Ended): number => recapOf(ended).recap['deploy01']?.changed ?? -1;
    const { magnum, kubectl, members, openstack, post } = asking(() => there);
    const [one, two] = [
      `{ name: infra1, address: ${addresses.infra1} }`,
      `{ name: infra2, address: ${addresses.infra2}, containers: 2 }`,
    ];

    test('the deploy host says its release', async () => {
      await there.define(`${one}, ${two}`);
      expect((await there.project.done('probe')).stderr).toContain('release 2025.1, as the definition says');
    });

    test('files are placed once its own generator makes the groups of them, and a second time change nothing', async () => {
      const placed = await run(0, 'osa-place');
      expect(changed(placed)).toBe(1);
      expect(placed.stdout).toMatch(
        /\\"k8s_all\\": \[(?:\\"infra[12]-k8s-container-[0-9a-f]{8}\\"(?:, )?){3}\]/,
      );
      expect(changed(await run(0, 'osa-place'))).toBe(0);
    });

    test('collections, packages, containers, the control plane, the way of Magnum to it and Magnum are made by it', async () => {
      await run(0, 'osa-deploy-existing');
      const collections = await there.sh('ls /etc/ansible/ansible_collections/*/');
      for (const each of ['mcapi_vexxhost', 'containers', 'kubernetes', 'core'])
        expect(collections.split('\n')).toContain(each);
      expect(await there.sh('/opt/ansible-runtime/bin/pip list 2>/dev/null')).toContain('docker-image-py');
    });

    test('containers are as the definition wants them, and have addresses of the management network', async () => {
      const [name = ''] = await containers(there.infra, 'k8s');
      expect(name).toMatch(/^infra1-k8s-container-[0-9a-f]{8}$/);
      expect(await containers(there.second, 'k8s')).toHaveLength(2);
      const config = await there.infra(`cat /var/lib/lxc/${name}/config`);
      for (const line of ['lxc.apparmor.profile = unconfined', 'lxc.mount.auto = proc:rw sys:rw'])
        expect(config.split('\n')).toContain(line);
      for (const path of ['usr/lib/modules', 'usr/src', 'dev/kmsg'])
        expect(config).toMatch(new RegExp(`lxc.mount.entry = /${path} ${path} `));
      expect(await there.infra(`lxc-info --name ${name} --ips --no-humanize`)).toContain('172.29.23');
    });

    test('the control plane is one Kubernetes of the version of the definition, in the network of the definition', async () => {
      const nodes = await kubectl('get nodes --no-headers');
      expect(nodes.match(/ Ready +control-plane .* v1\.28\.4$/gm), nodes).toHaveLength(3);
      expect(await members()).toHaveLength(3);
      expect(await kubectl('get ciliumnodes -o jsonpath={.items[*].spec.ipam.podCIDRs[0]}')).toMatch(
        /^172\.29\.20\d\.0\/24 172\.29\.20\d\.0\/24 172\.29\.20\d\.0\/24$/,
      );
    });

    test('Cluster API and its provider run there at the versions of the definition, from its registry', async () => {
      for (const name of ['capi', 'capi-kubeadm-bootstrap', 'capi-kubeadm-control-plane', 'capo'])
        await kubectl(`wait --for=condition=Available deployment --all -n ${name}-system --timeout=120s`);
      const providers = await kubectl(
        'get providers -A -o jsonpath={range.items[*]}{.providerName}:{.version},{end}',
      );
      expect(providers.split(',').filter(Boolean).sort()).toEqual([
        ...['cluster-api:v1.8.4', 'kubeadm:v1.8.4', 'kubeadm:v1.8.4', 'openstack:v0.10.5'],
      ]);
      const images = await kubectl('get pods -A -o jsonpath={.items[*].spec.containers[*].image}');
      expect(new Set(images.split(' ').map((image) => image.split('/').slice(0, 2).join('/'))).size).toBe(1);
    });

    test('what Cluster API does not take is refused by its webhook, so the API reaches pods', async () => {
      const cluster = JSON.stringify({
        apiVersion: 'cluster.x-k8s.io/v1beta1',
        kind: 'Cluster',
        metadata: { name: 'tried', namespace: 'default' },
        spec: { clusterNetwork: { pods: { cidrBlocks: ['nowhere'] } } },
      });
      await expect(kubectl(`create --dry-run=server -f - <<< '${cluster}'`)).rejects.toThrow(
        /The Cluster "tried" is invalid: spec\.clusterNetwork\.pods\.cidrBlocks\[0\]: Invalid value: "nowhere"/,
      );
    });

    test('its HAProxy has the API of the control plane on the internal address alone', async () => {
      const listening = await there.infra("ss -Hltn 'sport = :6443'");
      expect(listening.split('\n').map((line) => line.split(/\s+/)[3])).toEqual([
        `${addresses.internal}:6443`,
      ]);
      const config = await there.infra('cat /etc/haproxy/haproxy.cfg');
      const backend = config.slice(config.indexOf('backend k8s-back'));
      for (const name of [
        ...(await containers(there.infra, 'k8s')),
        ...(await containers(there.second, 'k8s')),
      ])
        expect(backend).toMatch(
          new RegExp(`server ${name} 172\\.29\\.\\d+\\.\\d+:6443 .*check-ssl verify none`),
        );
      expect(backend).toContain('httpchk GET /healthz');
    });

    test("Magnum's container reaches the API with the credentials that it was given", async () => {
      const config = '/var/lib/magnum/.kube/config';
      expect(await magnum(`stat -c %U:%a ${config}`)).toBe('magnum:600');
      expect(await magnum(`grep server: ${config}`)).toContain(`https://${addresses.internal}:6443`);
      expect(await magnum('helm version --short')).toContain('v3.11.2');
    });

    test('Magnum has the configuration and the driver of the definition, which provides clusters', async () => {
      const configured = await magnum('cat /etc/magnum/magnum.conf');
      expect(configured).toMatch(/\[drivers\][^[]*openstack_ca_file = \S+ExampleCorpRoot\.crt/);
      expect(configured).toMatch(/\[capi_client\]\s+endpoint_type = internalURL/);
      expect(await magnum('sh -c "/openstack/venvs/magnum-*/bin/pip list"')).toMatch(
        /^magnum-cluster-api +0\.24\.2$/m,
      );
      const drivers = await magnum(
        `su magnum --shell /bin/sh --command '/openstack/venvs/magnum-*/bin/magnum-driver-manage list-drivers --details'`,
      );
      expect(drivers).toMatch(/ k8s_cluster_api_ubuntu +\| vm +\| ubuntu +\| kubernetes /);
    });

    test('Magnum answers who comes with a token of its Keystone, and its conductor is up', async () => {
      expect(await openstack('coe service list -f value -c binary -c state')).toBe('magnum-conductor up');
      expect(await openstack('coe cluster template list -f json')).toBe('[]');
    });

    test('a template is made of an image of its Glance, with the network driver of the definition', async () => {
      await openstack('image create --property os_distro=ubuntu --disk-format raw --file /etc/hostname kube');
      const answer = await post('/clustertemplates', {
        ...{ name: 'small', coe: 'kubernetes', image_id: 'kube' },
        // No Nova is here to ask for a flavor: it is not asked for one that is not named, nor for room on a volume.
        ...{ flavor_id: null, master_flavor_id: null, labels: { boot_volume_size: '40' } },
      });
      expect(answer).toMatch(/^201 .*"network_driver": "calico".*"cluster_distro": "ubuntu"/);
      expect(await openstack('coe cluster template list -f value -c name')).toBe('small');
    });

    test('the next run has nothing to do, and Magnum is made again where it is asked to be', async () => {
      const [name] = await containers(there.infra, 'k8s');
      const made = `stat -c %Y /var/lib/lxc/${name}/rootfs/etc/hostname`;
      const before = await there.infra(made);
      const all = 'collections, modules, containers, control-plane, integration';
      const ended = await run(0, 'osa-deploy-existing');
      expect(ended.stdout).toContain(`Done already, with the same files: ${all}, magnum`);
      const again = await run(0, 'osa-deploy-existing', '--set', 'osa_from=magnum');
      expect(again.stdout).toContain(`Done already, with the same files: ${all}.`);
      expect(await there.infra(made)).toBe(before);
    });

    test('a host leaves the control plane: its members of etcd, its nodes, its containers, its place in the inventory', async () => {
      await there.define(one);
      const gone = await containers(there.second, 'k8s');
      await run(
        0,
        'osa-remove-host',
        ...['--set', 'osa_remove_host_name=infra2'],
        ...['--confirm', 'cloud-a'],
      );
      expect(await containers(there.second, 'k8s')).toEqual([]);
      expect(await containers(there.second, 'magnum')).toHaveLength(1);
      expect((await kubectl('get nodes -o name')).split('\n')).toHaveLength(1);
      expect(await members()).toEqual(await containers(there.infra, 'k8s'));
      const inventory = await there.sh('cat /etc/openstack_deploy/openstack_inventory.json');
      for (const name of gone) expect(inventory).not.toContain(name);
      expect(changed(await run(0, 'osa-place'))).toBe(1);
      await run(0, 'osa-deploy-existing');
      const config = await there.infra('cat /etc/haproxy/haproxy.cfg');
      for (const name of gone) expect(config).not.toContain(name);
      expect(await kubectl('get nodes --no-headers')).toMatch(/ Ready +control-plane /);
    });
  },
);
