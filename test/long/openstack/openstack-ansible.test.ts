import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recapOf, type Ended } from '../../support/project.ts';
import { addresses, realOsaLab, type RealOsaLab } from '../../support/hosts/openstack/osa-real.ts';
import { lacksOf } from '../../support/hosts/openstack/osa-mirror.ts';

const source = { folder: process.env['PLAYSMITH_OSA_GIT'] ?? '', branch: 'stable/2025.1' };
const why = lacksOf(source);

// Its bootstrap and the playbooks that prepare a host take some eight minutes.
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
    const container = (): Promise<string> => there.infra('lxc-ls --running');

    test('the deploy host says its release', async () => {
      expect((await there.project.done('probe')).stderr).toContain('release 2025.1, as the definition says');
    });

    test('files are placed once its own generator makes the groups of them, and a second time change nothing', async () => {
      const placed = await run(0, 'osa-place');
      expect(changed(placed)).toBe(1);
      expect(placed.stdout).toMatch(/\\"k8s_all\\": \[\\"infra1-k8s-container-[0-9a-f]{8}\\"\]/);
      expect(changed(await run(0, 'osa-place'))).toBe(0);
    });

    test('collections, packages and the container are made by it; what its mirror lacks is told', async () => {
      const ended = await run(20, 'osa-deploy-existing');
      expect(ended.stdout).toContain(
        `TASK [vexxhost.containers.download_artifact : Download item]: fatal: [${await container()}]: the output has been hidden`,
      );
      expect(ended.stdout).toMatch(
        /hidden[^"]*: http:\/\/[\d.]+:8080\/files\/github.com\/opencontainers\/runc\/releases\/download\/v1\.4\.2\/runc\.amd64/,
      );
      const collections = await there.sh('ls /etc/ansible/ansible_collections/*/');
      for (const each of ['mcapi_vexxhost', 'containers', 'kubernetes', 'core'])
        expect(collections.split('\n')).toContain(each);
      expect(await there.sh('/opt/ansible-runtime/bin/pip list 2>/dev/null')).toContain('docker-image-py');
    });

    test('the container is as the definition wants it, and has an address of the management network', async () => {
      const name = await container();
      expect(name).toMatch(/^infra1-k8s-container-[0-9a-f]{8}$/);
      const config = await there.infra(`cat /var/lib/lxc/${name}/config`);
      for (const line of ['lxc.apparmor.profile = unconfined', 'lxc.mount.auto = proc:rw sys:rw'])
        expect(config.split('\n')).toContain(line);
      for (const path of ['usr/lib/modules', 'usr/src', 'dev/kmsg'])
        expect(config).toMatch(new RegExp(`lxc.mount.entry = /${path} ${path} `));
      expect(await there.infra(`lxc-info --name ${name} --ips --no-humanize`)).toContain('172.29.23');
    });

    test('its HAProxy has the API of the control plane on the internal address alone', async () => {
      const listening = await there.infra("ss -Hltn 'sport = :6443'");
      expect(listening.split('\n').map((line) => line.split(/\s+/)[3])).toEqual([
        `${addresses.internal}:6443`,
      ]);
      const config = await there.infra('cat /etc/haproxy/haproxy.cfg');
      const backend = config.slice(config.indexOf('backend k8s-back'));
      expect(backend).toMatch(
        new RegExp(`server ${await container()} 172\\.29\\.\\d+\\.\\d+:6443 .*check-ssl verify none`),
      );
      expect(backend).toContain('httpchk GET /healthz');
    });

    test('the next run goes on at the control plane, and makes no container anew', async () => {
      const before = await there.infra(`stat -c %Y /var/lib/lxc/${await container()}/rootfs/etc/hostname`);
      const ended = await run(20, 'osa-deploy-existing');
      expect(ended.stdout).toContain('Done already, with the same files: collections, modules, containers');
      expect(ended.stdout).toContain('control-plane ended with 2');
      expect(await there.infra(`stat -c %Y /var/lib/lxc/${await container()}/rootfs/etc/hostname`)).toBe(
        before,
      );
    });
  },
);
