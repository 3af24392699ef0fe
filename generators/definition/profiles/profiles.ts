import { flowText } from '../../source/flow-text.ts';
import { valuesFor } from './defaults.ts';
import type { ProfileMachine, ProfileName, ProfileValues } from './values.ts';

export type { ProfileMachine, ProfileName, ProfileValues } from './values.ts';

/** A working, commented definition. What `values` leaves out is made up from addresses that exist nowhere. */
export function profile(name: ProfileName, values: ProfileValues = {}): string {
  const all = valuesFor(name, values);
  return [
    `# yaml-language-server: $schema=${all.schema}`,
    ...head[name].map((line) => `# ${line}`),
    'apiVersion: playsmith/v1',
    'kind: Cluster',
    `metadata: ${flowText({ name: all.name, ...(all.uid === undefined ? {} : { uid: all.uid }) })}`,
    '',
    ...server(all.ansibleServer),
    ...(all.installer ? ['', ...installer, `installer: ${flowText(all.installer)}`] : []),
    ...(all.containerd ? ['', ...containerd(all.containerd)] : []),
    ...(all.offline ? ['', ...block('offline', all.offline)] : []),
    ...(all.network ? ['', ...(all.network.plugin ? plugin : []), ...block('network', all.network)] : []),
    '',
    '# How the Ansible server reaches the machines; each may say otherwise. Keys are paths on the Ansible server.',
    ...block('ssh', all.ssh),
    ...(all.endpoint ? ['', ...endpoint(all.endpoint, all.machines)] : []),
    '',
    'nodes:',
    ...all.machines.filter((machine) => !isHost(machine)).flatMap(machineLines),
    ...hosts(all.machines.filter(isHost)),
    ...(all.storage ? ['', ...block('storage', all.storage)] : []),
    '',
  ].join('\n');
}

const head: Readonly<Record<ProfileName, readonly string[]>> = {
  lab: [
    'The lab on this machine, as `npx task lab up` has made it.',
    'Addresses and keys change when the lab is recreated; this file is then written again.',
  ],
  'ha-stacked': [
    'Three control planes that balance their own API: HAProxy and keepalived stand beside each API server.',
    'Change names, addresses and users, then: npx task check, npx task render, npx task run',
  ],
  'ha-dedicated-lb': [
    'Three control planes behind load balancers that do nothing else.',
    'Change names, addresses and users, then: npx task check, npx task render, npx task run',
  ],
  single: [
    'One machine that is control plane and worker at once.',
    'Change its address and user, then: npx task check, npx task render, npx task run',
  ],
};

const installer = [
  '# Without this, Kubernetes is installed by other means, and only what surrounds it is built.',
];

const plugin = [
  '# The plugin that connects pods: static-routes needs nodes in one network; else flannel, calico or cilium.',
];

const containerd = ({ archive, ...others }: NonNullable<ProfileValues['containerd']>): string[] => [
  ...block('containerd', others),
  ...(archive === undefined
    ? []
    : [
        '  archive: # tested with this Kubernetes; without it nodes get the package of their distribution',
        ...block('', archive, '    ').slice(1),
      ]),
];

function server(written: NonNullable<ProfileValues['ansibleServer']>): string[] {
  const why = '# The machine that has Ansible and reaches the others.';
  return written === 'local'
    ? [`${why} Another one: ansibleServer: { host: 198.51.100.5, user: ansible }`, 'ansibleServer: local']
    : [why, ...block('ansibleServer', written)];
}

function endpoint(
  { address, port, ...loadBalancer }: NonNullable<ProfileValues['endpoint']>,
  machines: readonly ProfileMachine[],
): string[] {
  const names = machines.filter(isBalancer).map(({ name }) => name);
  const placement = names.length > 0 ? { hosts: names } : 'stacked';
  return [
    'controlPlaneEndpoint:',
    `  address: ${flowText(address)} # the virtual address, with the prefix of the network it lives in`,
    ...(port === undefined ? [] : [`  port: ${port}`]),
    '  loadBalancer:',
    `    placement: ${flowText(placement)}`,
    ...block('', loadBalancer, '    ').slice(1),
  ];
}

const hosts = (machines: readonly ProfileMachine[]): string[] =>
  machines.length === 0 ? [] : ['', 'hosts:', ...machines.flatMap(machineLines)];

const machineLines = ({ name, roles, address, vrrpPriority, ssh }: ProfileMachine): string[] => {
  const { hostKey, ...access } = ssh ?? {};
  const written = { ...access, ...(hostKey === undefined || hostKey.length === 0 ? {} : { hostKey }) };
  const ownRoles = roles.filter((role) => role !== 'load-balancer' && role !== 'storage');
  return [
    `  - name: ${flowText(name)}`,
    ...(ownRoles.length === 0 ? [] : [`    roles: ${flowText(ownRoles)}`]),
    `    address: ${flowText(address)}`,
    ...(vrrpPriority === undefined ? [] : [`    vrrpPriority: ${vrrpPriority}`]),
    ...(Object.keys(written).length === 0 ? [] : [`    ssh: ${flowText(written)}`]),
  ];
};

const isHost = (machine: ProfileMachine): boolean => isBalancer(machine) || machine.roles.includes('storage');

const isBalancer = ({ roles }: ProfileMachine): boolean => roles.includes('load-balancer');

/** A mapping with a line for each key. */
const block = (key: string, values: object, indent = '  '): string[] => [
  `${key}:`,
  ...Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([each, value]) => `${indent}${each}: ${flowText(value)}`),
];
