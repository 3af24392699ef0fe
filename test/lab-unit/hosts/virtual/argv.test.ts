import { describe, expect, it } from 'vitest';
import { qemuArgv, trialArgv, type VirtualMachine } from '../../../../lab/hosts/virtual/argv.ts';

const machine: VirtualMachine = {
  name: 'playsmith_lab_storage1',
  uuid: '6d4d38de-f0aa-4961-a123-0123456789ab',
  accelerator: 'tcg',
  megabytes: 1024,
  kernel: '/virtual/vmlinuz',
  initrd: '/virtual/initrd.img',
  disk: '/labs/lab/disk.img',
  volumes: [
    { file: '/labs/lab/1.img', serial: '3f2c1a7e-0b40-4c1d-9' },
    { file: '/labs/lab/2.img', serial: '11111111-0b40-4c1d-9' },
  ],
  tap: 'pvm0123456789',
  mac: '02:50:0a:4d:00:5a',
  console: '/labs/lab/console.log',
  run: { pid: '/run/m/storage1.pid', monitor: '/run/m/storage1.monitor', agent: '/run/m/storage1.agent' },
};

/** The words that follow a word each time that it is there. */
const after = (argv: readonly string[], word: string): readonly string[] =>
  argv.flatMap((each, index) => (each === word ? [argv[index + 1] ?? ''] : []));

describe('the words that start a virtual machine', () => {
  it('give it its own disk first, then the volumes in order, each with its serial number', () => {
    const argv = qemuArgv(machine);
    expect(after(argv, '-drive').map((words) => words.replace(/.*file=/, ''))).toEqual([
      '/labs/lab/disk.img',
      '/labs/lab/1.img',
      '/labs/lab/2.img',
    ]);
    expect(after(argv, '-device').filter((words) => words.startsWith('virtio-blk'))).toEqual([
      'virtio-blk-pci,drive=root',
      'virtio-blk-pci,drive=volume1,serial=3f2c1a7e-0b40-4c1d-9',
      'virtio-blk-pci,drive=volume2,serial=11111111-0b40-4c1d-9',
    ]);
  });

  it('give it a cable that nothing on this machine configures, and its address as hardware', () => {
    const argv = qemuArgv(machine);
    expect(after(argv, '-netdev')).toEqual(['tap,id=net,ifname=pvm0123456789,script=no,downscript=no']);
    expect(argv).toContain('virtio-net-pci,netdev=net,id=eth0,mac=02:50:0a:4d:00:5a');
    expect(argv.join(' ')).not.toMatch(/-nic|user,|hostfwd|vnc|spice/);
  });

  it('emulate a processor unless KVM was seen to work', () => {
    expect(after(qemuArgv(machine), '-accel')).toEqual(['tcg,thread=multi']);
    expect(after(qemuArgv({ ...machine, accelerator: 'kvm' }), '-accel')).toEqual(['kvm']);
  });

  it('write a comma in a path twice, as QEMU wants it', () => {
    const argv = qemuArgv({ ...machine, disk: '/a,b/disk.img' });
    expect(after(argv, '-drive')[0]).toMatch(/file=\/a,,b\/disk\.img$/);
  });

  it('say where its process is found again', () => {
    expect(after(qemuArgv(machine), '-pidfile')).toEqual(['/run/m/storage1.pid']);
  });
});

describe('the words that find out whether KVM works', () => {
  it('only read the disk, have no network, and end with the guest', () => {
    const argv = trialArgv(machine);
    expect(after(argv, '-drive')).toEqual(['if=none,id=root,format=raw,readonly=on,file=/labs/lab/disk.img']);
    expect(argv).toContain('-no-reboot');
    expect(argv.join(' ')).not.toMatch(/netdev|daemonize/);
    expect(after(argv, '-accel')).toEqual(['kvm']);
  });
});
