import type { Balancer, Cluster, KeepalivedSettings } from '../../cluster/cluster.ts';
import type { Fill } from '../../engine.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { answersProgram } from './haproxy.ts';
import { isOffline } from '../offline.ts';
import { renderedFile, type Tag } from '../phase.ts';
import { isProxied } from '../proxy-environment.ts';

/** An address that one of some machines holds, and the phase that sees to it. */
export interface VirtualAddress {
  /** The phase: its playbook, tag and folder of files. */
  readonly name: string;
  /** The group of the machines, and the pattern by which the playbook works on them. */
  readonly group: string;
  readonly hosts: string;
  /** What Keepalived calls it. */
  readonly instance: string;
  readonly address: string;
  readonly prefix: number;
  /** A port that answers there when all is well, and who does. */
  readonly port: number;
  readonly who: string;
  readonly balancers: readonly Balancer[];
  readonly keepalived: KeepalivedSettings;
}

/** What its tags are for. */
export const keepalivedTags = (name: string, port: string): readonly Tag[] => [
  { name, what: 'everything below' },
  { name: `${name}_install`, what: 'the packages' },
  { name: `${name}_config`, what: 'the configuration and the service' },
  { name: 'verify', what: `exactly one load balancer holds the address, and ${port} answers there` },
];

/** The playbook, and a configuration for each machine. */
export const keepalivedFiles = (
  cluster: Cluster,
  virtual: VirtualAddress,
  fill: Fill,
): readonly RenderedFile[] => [
  renderedFile(`${virtual.name}.yml`, fill('keepalived/keepalived.yml.hbs', playbookView(cluster, virtual))),
  renderedFile(`files/${virtual.name}/restart.conf`, fill('keepalived/restart.conf.hbs', {})),
  answersProgram(fill),
  ...virtual.balancers.map((balancer) =>
    renderedFile(
      `files/${virtual.name}/${balancer.name}/${configurationName(virtual)}`,
      fill('keepalived/keepalived.conf.hbs', configurationView(virtual, balancer)),
    ),
  ),
];

/** The suffix says that Ansible fills in the password, or the interface that only the host knows. */
const configurationName = (virtual: VirtualAddress): string =>
  isFilledByAnsible(virtual) ? 'keepalived.conf.j2' : 'keepalived.conf';

const isFilledByAnsible = ({ keepalived: settings }: VirtualAddress): boolean =>
  settings.interface === '' || settings.passwordVariable !== '';

function playbookView(cluster: Cluster, virtual: VirtualAddress): Readonly<Record<string, unknown>> {
  const { name, group, hosts, address, port, who, keepalived: settings } = virtual;
  const password = settings.passwordVariable;
  return {
    name,
    group,
    hosts,
    address,
    port,
    who,
    offline: isOffline(cluster),
    proxied: isProxied(cluster),
    findInterface: settings.interface === '',
    module: isFilledByAnsible(virtual) ? 'template' : 'copy',
    file: configurationLookup(virtual),
    configuration: configurationName(virtual),
    mode: password === '' ? '0644' : '0600',
    secrets: password === '' ? [] : [passwordGuard(password)],
    addressProblem: `Nothing answers on ${address} port ${port}, see journalctl --unit keepalived; on OpenStack its port has to allow the address`,
    electionSeconds: electionSeconds(settings.advertisementInterval),
  };
}

/** What Ansible reads of the bundle to compare it with what a host has. */
const configurationLookup = (virtual: VirtualAddress): string => {
  const path = `'files/${virtual.name}/' ~ inventory_hostname ~ '/${configurationName(virtual)}'`;
  return isFilledByAnsible(virtual) ? `lookup('template', ${path})` : `lookup('file', ${path}, rstrip=False)`;
};

/** Keepalived reads eight characters. What must not occur is asked, since `$` lets a line end pass. */
const passwordGuard = (variable: string): Readonly<Record<string, string | readonly string[]>> => ({
  conditions: [
    `${variable} is defined`,
    `0 < ${variable} | length <= 8`,
    `${variable} is not search("[^A-Za-z0-9_.-]")`,
  ],
  problem: `${variable} must be given, of one to eight letters, digits, dots, dashes or underscores`,
});

/** A standby waits three advertisements and up to one more before it takes the address. One second more is spare. */
const electionSeconds = (advertisementInterval: number): number => Math.ceil(4 * advertisementInterval) + 1;

function configurationView(virtual: VirtualAddress, balancer: Balancer): Readonly<Record<string, unknown>> {
  const { balancers, address, prefix, instance, keepalived: settings } = virtual;
  const others = balancers.filter(({ name }) => name !== balancer.name).map((other) => other.address);
  const first = balancers[0]?.name === balancer.name;
  return {
    ...settings,
    ...balancer,
    instance,
    nopreempt: settings.election === 'nopreempt',
    state: settings.election === 'preempt' && first ? 'MASTER' : 'BACKUP',
    peers: settings.transport === 'unicast' ? others : [],
    virtualAddress: `${address}/${prefix}`,
  };
}
