import { describe, expect, it } from 'vitest';
import { labDefinition } from '../../lab/definition.ts';
import type { LabDescription } from '../../lab/hosts/describe.ts';
import { hostsOf, kubernetesShape } from '../../lab/state/shape.ts';
import { cinderVolume } from '../../lab/hosts/volumes.ts';
import { loaded, saidBesides as said } from '../generators/definition/support.ts';

const hostKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAID7NZafZXMzUsM52ZNlgMbR+9K21orbR7bTY1NH/o87u';

const lab: LabDescription = {
  name: 'lab',
  subnet: '10.77.0.0/24',
  vip: '10.77.0.100',
  hosts: hostsOf(kubernetesShape, '10.77.0.0/24').map(({ name, address, roles }) => ({
    ...{ name, address, roles },
    hostKey,
  })),
  user: 'ops',
  keyPath: '/labs/lab/id_ed25519',
  serverKeyPath: '/home/ops/.ssh/id_ed25519',
  passwords: { login: 'secret', become: 'secret' },
  passwordPath: '/labs/lab/password',
  knownHostsPath: '/labs/lab/known_hosts',
  cgroup: 'v2',
};

const artifacts = {
  path: '/srv/artifacts',
  sha256: 'a'.repeat(64),
  version: '1.37.2',
  containerd: {
    version: '2.3.7',
    sha256: 'b'.repeat(64),
    runc: { version: '1.4.3', sha256: 'c'.repeat(64) },
  },
};

describe('the definition of a lab', () => {
  it('has nothing to object to, with and without Kubernetes', () => {
    expect(said(labDefinition(lab, 'schema.json'))).toEqual([]);
    expect(said(labDefinition({ ...lab, artifacts }, 'schema.json'))).toEqual([]);
  });

  it('has storage when the lab has volumes, and PersistentVolumes where there is Kubernetes to tell', () => {
    const storage = { name: 'storage1', address: '10.77.0.90', roles: ['storage'] as const, hostKey };
    const stored = { ...lab, hosts: [...lab.hosts, storage] };
    expect(said(labDefinition(stored, 'schema.json'))).toEqual([]);
    const plain = loaded(labDefinition(stored, 'schema.json')).cluster;
    expect(plain.storage.servers).toMatchObject([{ host: 'storage1', server: 'ganesha' }]);
    expect(plain.storage.persistentVolumes).toEqual([]);
    const { cluster } = loaded(labDefinition({ ...stored, artifacts }, 'schema.json'));
    expect(cluster.storage.persistentVolumes.map(({ name }) => name)).toEqual(['pv1']);
  });

  it('exports a volume by its Cinder id with the NFS server of the kernel, where the storage host has one', () => {
    const storage = { name: 'storage1', address: '10.77.0.90', roles: ['storage'] as const, hostKey };
    const cinderVolumes = [cinderVolume('lab', 0), cinderVolume('lab', 1)];
    const stored = { ...lab, hosts: [...lab.hosts, { ...storage, kind: 'virtual' as const }], cinderVolumes };
    expect(said(labDefinition(stored, 'schema.json'))).toEqual([]);
    expect(loaded(labDefinition(stored, 'schema.json')).cluster.storage.servers).toMatchObject([
      { server: 'kernel', volumes: [{ by: 'cinder', device: cinderVolumes[0] }] },
    ]);
  });

  it('says what is installed from where, when the lab has artifacts', () => {
    const { cluster } = loaded(labDefinition({ ...lab, artifacts }, 'schema.json'));
    expect(cluster.kubernetes).toMatchObject({
      installer: 'kubeadm',
      version: '1.37.2',
      packages: 'artifacts',
    });
    expect(cluster.offline).toEqual({ artifacts: '/srv/artifacts', sha256: 'a'.repeat(64) });
    expect(cluster.podNetwork.plugin).toBe('static-routes');
    expect(cluster.containerd.pauseImage).toBe('registry.k8s.io/pause:3.10.2');
    expect(cluster.containerd.archive).toMatchObject({ version: '2.3.7', sha256: 'b'.repeat(64) });
  });

  it('lets the kubelet run on cgroup v1 where the machine has no other, and nowhere else', () => {
    const kubelet = (cgroup: LabDescription['cgroup']): unknown =>
      loaded(labDefinition({ ...lab, artifacts, cgroup }, 'schema.json')).cluster.kubernetes.kubelet;
    expect(kubelet('v1')).toHaveProperty('failCgroupV1', false);
    expect(kubelet('v2')).not.toHaveProperty('failCgroupV1');
  });
});
