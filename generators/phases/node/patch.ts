import { isControlPlane, isOnlyWorker } from '../../cluster/roles.ts';
import { kinds } from '../../cluster/storage-kinds.ts';
import type { Cluster, Machine } from '../../cluster/cluster.ts';
import { dataFile } from '../../data-file.ts';
import { renderedFile, type Phase } from '../phase.ts';

/** Maintenance of the operating system, one machine at a time: who is out of service does no harm. */
export const patch: Phase = {
  name: 'patch',
  what: 'Install the packages of the definition on every machine, one at a time, each node drained, and reboot where required',
  hosts: 'all',
  tags: [{ name: 'patch', what: 'everything' }],
  applies: ({ patch: wanted, kubernetes }) => wanted !== undefined && kubernetes.installer === 'kubeadm',
  run: 'asked',
  parameters: [
    {
      variable: 'patch_reboot',
      what: 'when a machine is rebooted: `when-needed`, as when not given, `always` or `never`',
      required: false,
      pattern: 'always|when-needed|never',
      example: 'always',
    },
    {
      variable: 'patch_drain_seconds',
      what: 'how long the pods of one node may take to leave it, 300 when not given',
      required: false,
      pattern: '[0-9]{1,5}',
      example: '900',
    },
    {
      variable: 'patch_reboot_seconds',
      what: 'how long a machine may take to come back, and its services to run, 600 when not given',
      required: false,
      pattern: '[0-9]{1,5}',
      example: '1800',
    },
  ],
  render: (cluster, fill) => [
    renderedFile('patch.yml', fill('patch/patch.yml.hbs', viewOf(cluster))),
    dataFile(cluster.name, 'files/patch/wanted.yml', {
      why: 'packages at their versions, and what has to run on each machine afterwards',
      data: wantedOf(cluster),
    }),
  ],
};

function viewOf({ machines, patch: wanted }: Cluster): Readonly<Record<string, unknown>> {
  const heads = machines.filter(isControlPlane).map(() => 1);
  const atOnce = wanted?.workersAtOnce ?? 1;
  return {
    // Each control plane alone, then so many workers, batch after batch.
    atOnce: atOnce === 1 || !machines.some(isOnlyWorker) ? '1' : `[${[...heads, atOnce].join(', ')}]`,
    beside: machines.some((machine) => !isNode(machine)),
  };
}

const wantedOf = (cluster: Cluster): Parameters<typeof dataFile>[2]['data'] => ({
  packages: Object.entries(cluster.patch?.packages ?? {}).map(([name, version]) => `${name}=${version}`),
  rebootAfter: cluster.patch?.rebootAfter ?? [],
  services: Object.fromEntries(
    cluster.machines.map((machine) => [machine.name, servicesOf(cluster, machine)]),
  ),
});

const isNode = (machine: Machine): boolean => isControlPlane(machine) || machine.roles.includes('worker');

/** The units of systemd without which a machine is not what it is for. */
function servicesOf(
  { endpoint, externalLoadBalancer, storage }: Cluster,
  machine: Machine,
): readonly string[] {
  const { name } = machine;
  const balances = endpoint.balancers.some((balancer) => balancer.name === name);
  const outside = externalLoadBalancer.balancers.some((balancer) => balancer.name === name);
  const server = storage.servers.find(({ host }) => host === name);
  return [
    ...(isNode(machine) ? ['containerd', 'kubelet'] : []),
    ...(balances || (outside && externalLoadBalancer.script.text === '') ? ['haproxy'] : []),
    ...(balances || (outside && externalLoadBalancer.address !== '') ? ['keepalived'] : []),
    ...(server === undefined ? [] : [kinds[server.server].unit]),
  ];
}
