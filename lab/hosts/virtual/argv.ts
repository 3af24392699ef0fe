import type { RunFiles } from './files.ts';

/** `kvm`: the processor of this machine; `tcg`: emulated, about 12 times slower, on any machine. */
export type Accelerator = 'kvm' | 'tcg';

/** A virtual machine as QEMU starts it. */
export interface VirtualMachine {
  readonly name: string;
  readonly uuid: string;
  readonly accelerator: Accelerator;
  readonly megabytes: number;
  readonly kernel: string;
  readonly initrd: string;
  /** File that is `/dev/vda`. */
  readonly disk: string;
  /** Files that are `/dev/vdb`, …, each with the serial number that a guest sees. */
  readonly volumes: readonly { readonly file: string; readonly serial: string }[];
  readonly tap: string;
  readonly mac: string;
  readonly console: string;
  readonly run: RunFiles;
}

/** The words that start a virtual machine, which goes on by itself. */
export const qemuArgv = (machine: VirtualMachine): readonly string[] => [
  ...hardware(machine.accelerator, machine.megabytes),
  ...['-name', machine.name, '-uuid', machine.uuid],
  ...boots(machine, 'rw', '/usr/local/lib/lab/init.sh'),
  ...disk('root', machine.disk),
  ...machine.volumes.flatMap(({ file, serial }, index) => disk(`volume${index + 1}`, file, serial)),
  ...['-netdev', `tap,id=net,ifname=${machine.tap},script=no,downscript=no`],
  ...['-device', `virtio-net-pci,netdev=net,id=eth0,mac=${machine.mac}`],
  ...['-device', 'virtio-rng-pci', '-device', 'virtio-serial-pci'],
  ...['-chardev', `socket,id=agent,path=${path(machine.run.agent)},server=on,wait=off`],
  ...['-device', 'virtserialport,chardev=agent,name=org.qemu.guest_agent.0'],
  ...['-chardev', `file,id=console,path=${path(machine.console)},append=on`, '-serial', 'chardev:console'],
  ...['-chardev', `socket,id=monitor,path=${path(machine.run.monitor)},server=on,wait=off`],
  ...['-mon', 'chardev=monitor,mode=control'],
  ...['-pidfile', machine.run.pid, '-daemonize'],
];

/** The words that start one which says that it runs, and turns itself off; its disk is only read. */
export const trialArgv = ({
  kernel,
  initrd,
  disk: file,
}: Pick<VirtualMachine, 'kernel' | 'initrd' | 'disk'>): readonly string[] => [
  ...hardware('kvm', 512),
  ...boots({ kernel, initrd }, 'ro', '/usr/local/lib/lab/try-kvm.sh'),
  ...['-drive', `if=none,id=root,format=raw,readonly=on,file=${path(file)}`],
  ...['-device', 'virtio-blk-pci,drive=root', '-serial', 'stdio', '-no-reboot'],
];

// `max` is all that can be emulated; five levels of page tables would only make each access dearer.
const processors: Readonly<Record<Accelerator, readonly string[]>> = {
  kvm: ['-accel', 'kvm', '-cpu', 'host'],
  tcg: ['-accel', 'tcg,thread=multi', '-cpu', 'max,la57=off'],
};

const hardware = (accelerator: Accelerator, megabytes: number): readonly string[] => [
  ...['qemu-system-x86_64', '-nodefaults', '-no-user-config', '-display', 'none', '-machine', 'q35'],
  ...processors[accelerator],
  ...['-smp', '2', '-m', String(megabytes)],
];

const boots = (
  { kernel, initrd }: Pick<VirtualMachine, 'kernel' | 'initrd'>,
  mode: 'ro' | 'rw',
  init: string,
): readonly string[] => [
  ...['-kernel', kernel, '-initrd', initrd],
  ...['-append', `root=/dev/vda ${mode} console=ttyS0 net.ifnames=0 quiet init=${init}`],
];

// What a guest has written is kept when its power is cut, because this machine has it; to wait for a disk helps nobody.
const disk = (id: string, file: string, serial?: string): readonly string[] => [
  ...['-drive', `if=none,id=${id},format=raw,cache=unsafe,discard=unmap,file=${path(file)}`],
  ...['-device', `virtio-blk-pci,drive=${id}${serial === undefined ? '' : `,serial=${serial}`}`],
];

/** A comma in a value is written twice. */
const path = (text: string): string => text.replaceAll(',', ',,');
