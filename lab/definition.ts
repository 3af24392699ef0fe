import {
  profile,
  type ProfileMachine,
  type ProfileValues,
} from '../generators/definition/profiles/profiles.ts';
import type { LabDescription } from './hosts/describe.ts';

/** The definition of the cluster that a lab is made for, `schema` being the path of the JSON Schema for the editor. */
export function labDefinition(lab: LabDescription, schema: string): string {
  const server = lab.hosts.find(({ roles }) => roles.includes('ansible'));
  return profile('lab', {
    schema,
    name: lab.name,
    ansibleServer: {
      host: server?.address ?? '',
      user: lab.user,
      auth: { privateKey: lab.keyPath },
      hostKey: server?.hostKey ?? '',
      becomePassword: { file: lab.passwordPath },
    },
    ssh: { user: lab.user, privateKey: lab.serverKeyPath, becomePassword: { file: lab.passwordPath } },
    endpoint: { address: `${lab.vip}/24`, port: 6440 },
    machines: machinesOf(lab),
    ...storageOf(lab),
    ...(lab.artifacts === undefined ? {} : kubernetes(lab.artifacts, lab.cgroup)),
  });
}

/** A cluster out of the lab's artifacts, told what small hosts that share one kernel need. */
const kubernetes = (
  { path, sha256, version, containerd }: NonNullable<LabDescription['artifacts']>,
  cgroup: LabDescription['cgroup'],
): Pick<ProfileValues, 'installer' | 'containerd' | 'offline' | 'network'> => ({
  installer: {
    kubeadm: {
      version,
      // A lab host is thrown away: what etcd writes need not survive a power cut of the machine.
      extraArguments: { etcd: { 'unsafe-no-fsync': 'true' } },
      // All hosts share one disk, so none can make room on it for the others.
      kubelet: {
        imageGCHighThresholdPercent: 100,
        evictionHard: { 'nodefs.available': '1%', 'imagefs.available': '1%', 'memory.available': '50Mi' },
        ...(cgroup === 'v1' ? { failCgroupV1: false } : {}),
      },
      // The table of connections is the machine's own.
      kubeProxy: { conntrack: { maxPerCore: 0, min: 0 } },
    },
  },
  // A container may not ask for a better place in the queue of the out-of-memory killer, nor load profiles.
  containerd: {
    archive: containerd,
    cri: { restrict_oom_score_adj: true, disable_apparmor: true },
  },
  offline: { artifacts: path, sha256 },
  network: { plugin: 'static-routes' },
});

/** The first volume of the storage host. The kernel that containers share serves no NFS, that of a virtual machine does. */
function storageOf({
  hosts,
  subnet,
  artifacts,
  cinderVolumes,
}: LabDescription): Pick<ProfileValues, 'storage'> {
  const host = hosts.find(({ roles }) => roles.includes('storage'));
  if (!host) return {};
  const path = '/volume/pv1';
  return {
    storage: {
      host: host.name,
      ...(cinderVolumes?.[0] === undefined
        ? { server: 'ganesha', volumes: [{ device: '/dev/vdb', mountTo: '/volume' }] }
        : { server: 'kernel', volumes: [{ cinderVolume: cinderVolumes[0], mountTo: '/volume' }] }),
      exports: [{ path, to: subnet }],
      ...(artifacts === undefined
        ? {}
        : {
            persistentVolumes: [
              { name: 'pv1', export: path, capacity: '100Mi', accessModes: ['ReadWriteMany' as const] },
            ],
          }),
    },
  };
}

function machinesOf({ hosts }: LabDescription): readonly ProfileMachine[] {
  // Without workers of its own, a lab's control planes run workloads as well.
  const lacksWorkers = !hosts.some(({ roles }) => roles.includes('worker'));
  return hosts.flatMap<ProfileMachine>(({ name, address, hostKey, roles }) => {
    const machine = { name, address, ssh: { hostKey } };
    if (roles.includes('control-plane'))
      return [{ ...machine, roles: lacksWorkers ? ['control-plane', 'worker'] : ['control-plane'] }];
    if (roles.includes('worker')) return [{ ...machine, roles: ['worker'] }];
    const beside = (['load-balancer', 'storage'] as const).filter((role) => roles.includes(role));
    return beside.length > 0 ? [{ ...machine, roles: beside }] : [];
  });
}
