import type { Balancer, Cluster } from '../cluster.ts';
import { isProxied } from './proxy-environment.ts';
import { rendered, type Phase } from './phase.ts';

/** Keepalived moves the endpoint's address to a load balancer that lives. */
export const keepalived: Phase = {
  name: 'keepalived',
  what: 'Hold the virtual address on one living load balancer with Keepalived',
  hosts: 'load_balancers',
  tags: [
    { name: 'keepalived', what: 'everything below' },
    { name: 'keepalived_install', what: 'the packages' },
    { name: 'keepalived_config', what: 'the configuration and the service' },
    { name: 'verify', what: 'exactly one load balancer holds the address, and the API port answers there' },
  ],
  applies: ({ endpoint }) => endpoint.balancers.length > 0,
  render: (cluster, fill) => [
    rendered('keepalived.yml', fill('keepalived/keepalived.yml.hbs', playbookView(cluster))),
    rendered('files/keepalived/restart.conf', fill('keepalived/restart.conf.hbs', {})),
    ...cluster.endpoint.balancers.map((balancer) =>
      rendered(
        `files/keepalived/${balancer.name}/${configurationName(cluster)}`,
        fill('keepalived/keepalived.conf.hbs', configurationView(cluster, balancer)),
      ),
    ),
  ],
};

/** The suffix says that Ansible fills in the password, or the interface that only the host knows. */
const configurationName = (cluster: Cluster): string =>
  isFilledByAnsible(cluster) ? 'keepalived.conf.j2' : 'keepalived.conf';

const isFilledByAnsible = ({ endpoint: { keepalived: settings } }: Cluster): boolean =>
  settings.interface === '' || settings.passwordVariable !== '';

function playbookView(cluster: Cluster): Readonly<Record<string, unknown>> {
  const { address, port, keepalived: settings } = cluster.endpoint;
  const password = settings.passwordVariable;
  return {
    address,
    port,
    proxied: isProxied(cluster),
    findInterface: settings.interface === '',
    module: isFilledByAnsible(cluster) ? 'template' : 'copy',
    configuration: configurationName(cluster),
    mode: password === '' ? '0644' : '0600',
    secrets: password === '' ? [] : [passwordGuard(password)],
    addressProblem: `Nothing answers on ${address} port ${port}, see journalctl --unit keepalived`,
    electionSeconds: electionSeconds(settings.advertisementInterval),
  };
}

/** Keepalived reads eight characters. What must not occur is asked, since `$` lets a line end pass. */
const passwordGuard = (variable: string): Readonly<Record<string, string | readonly string[]>> => ({
  conditions: [
    `${variable} is defined`,
    `0 < ${variable} | length <= 8`,
    `${variable} is not search("[^A-Za-z0-9_.-]")`,
  ],
  problem: `${variable} must be given, of one to eight letters, digits, dots, dashes or underscores`,
});

/** A standby waits three advertisements and up to one more before it takes the address. */
const electionSeconds = (advertisementInterval: number): number => Math.ceil(4 * advertisementInterval) + 1;

function configurationView({ endpoint }: Cluster, balancer: Balancer): Readonly<Record<string, unknown>> {
  const { balancers, address, prefix, keepalived: settings } = endpoint;
  const others = balancers.filter(({ name }) => name !== balancer.name).map((other) => other.address);
  const first = balancers[0]?.name === balancer.name;
  return {
    ...settings,
    ...balancer,
    nopreempt: settings.election === 'nopreempt',
    state: settings.election === 'preempt' && first ? 'MASTER' : 'BACKUP',
    peers: settings.transport === 'unicast' ? others : [],
    virtualAddress: `${address}/${prefix}`,
  };
}
