import { describe, expect, it } from 'vitest';
import { hostArgv } from '../../../lab/hosts/host-argv.ts';
import type { LabMachine } from '../../../lab/machine/machine.ts';
import type { LabHost, LabRole } from '../../../lab/state/shape.ts';

const v1: LabMachine = { cgroup: 'v1', cgroupManager: 'cgroupfs', openFiles: 20000, processes: 4096 };
const v2: LabMachine = { ...v1, cgroup: 'v2', cgroupManager: 'systemd' };
const place = {
  lab: 'lab',
  network: 'net',
  image: 'image',
  seed: '/seed',
  packages: '/packages',
  disks: [],
  shared: [],
};
const host = (role: LabRole): LabHost => ({
  name: 'h1',
  address: '10.77.0.11',
  roles: [role],
  image: 'host',
});
const roles: readonly LabRole[] = [
  'control-plane',
  'worker',
  'load-balancer',
  'storage',
  'ansible',
  'client',
];

describe('the words that start a host', () => {
  it.each(roles)('never ask for a privileged one, as %s', (role) => {
    const argv = hostArgv(host(role), place, v1);
    expect(argv.join(' ')).not.toMatch(
      /--privileged|SYS_ADMIN,ALL|CAP_ALL|SYS_MODULE|SYS_RAWIO|SYSLOG|=host/,
    );
    expect(argv.slice(-3)).toEqual(['image', '/bin/sh', '/lab/init.sh']);
  });

  it('open all devices and give volumes only where a kubelet runs', () => {
    const asked = roles.filter((role) =>
      hostArgv(host(role), place, v1).includes('--device-cgroup-rule=a *:* rwm'),
    );
    expect(asked).toEqual(['control-plane', 'worker']);
    expect(hostArgv(host('worker'), place, v1)).toContain(
      'playsmith_lab_h1_kubelet:/var/lib/kubelet:rshared,dev,exec,suid',
    );
    expect(hostArgv(host('client'), place, v1).join(' ')).not.toContain('/var/lib/');
  });

  it('give a storage host its loop devices as disks, in order', () => {
    const argv = hostArgv(host('storage'), { ...place, disks: ['/dev/loop4', '/dev/loop9'] }, v1);
    expect(argv.filter((word) => word.startsWith('--device='))).toEqual([
      '--device=/dev/loop4:/dev/vdb:rwm',
      '--device=/dev/loop9:/dev/vdc:rwm',
    ]);
  });

  it('give a host folders of the machine to read, and never to write', () => {
    const argv = hostArgv(
      host('ansible'),
      { ...place, shared: [{ folder: '/cache/1', at: '/srv/artifacts' }] },
      v1,
    );
    expect(argv).toContain('/cache/1:/srv/artifacts:ro');
  });

  it('name the parent of the cgroups only where podman keeps them itself', () => {
    expect(hostArgv(host('client'), place, v1)).toContain('--cgroup-parent=/playsmith-lab/lab');
    expect(hostArgv(host('client'), place, v2).join(' ')).not.toContain('--cgroup-parent');
  });

  it('ask for no more open files and processes than the machine allows', () => {
    const argv = hostArgv(host('client'), place, v1);
    expect(argv).toContain('--ulimit=nofile=20000:20000');
    expect(argv).toContain('--ulimit=nproc=4096:4096');
  });

  it('give the same address the same hardware address, so that it is found again after a power cut', () => {
    expect(hostArgv(host('client'), place, v1)).toContain('--mac-address=02:50:0a:4d:00:0b');
  });
});
