import type { SecretReference, SecretUse } from '../cluster/cluster.ts';
import type { SecretSource } from '../definition/schema/secret.ts';
import type { Definition } from '../definition/schema/schema.ts';
import { backupUses } from './backup.ts';
import { passwordVariable, registryVariable, secretVariables } from './secret-names.ts';

/** Every secret that a playbook reads, sorted by variable. Passwords of the Ansible server are not among them. */
export const secretUses = (definition: Definition): readonly SecretUse[] =>
  sortUses([
    ...balancerUses(definition),
    ...sharedUses(definition),
    ...machineUses(definition),
    ...kubernetesUses(definition),
    ...proxyUses(definition),
  ]);

/** The secrets by which hosts are reached that are no nodes, sorted by variable. */
export const hostSecrets = (definition: Pick<Definition, 'hosts' | 'ssh'>): readonly SecretUse[] =>
  sortUses([...sharedUses({ ...definition, nodes: [] }), ...machineUses({ ...definition, nodes: [] })]);

const sortUses = (uses: readonly Use[]): readonly SecretUse[] =>
  uses
    .flatMap(({ variable, path, source, runs }) =>
      source ? [{ variable, path, reference: referenceOf(source), ...(runs ? { runs } : {}) }] : [],
    )
    .sort((a, b) => (a.variable < b.variable ? -1 : 1));

interface Use {
  readonly variable: string;
  readonly path: string;
  readonly source: SecretSource | undefined;
  readonly runs?: SecretUse['runs'];
}

function balancerUses({ controlPlaneEndpoint, externalLoadBalancer }: Definition): readonly Use[] {
  const { haproxy, keepalived } = controlPlaneEndpoint?.loadBalancer ?? {};
  const balancer = 'controlPlaneEndpoint.loadBalancer';
  return [
    {
      variable: secretVariables.stats,
      path: `${balancer}.haproxy.stats.password`,
      source: haproxy?.stats?.password,
    },
    { variable: secretVariables.vrrp, path: `${balancer}.keepalived.password`, source: keepalived?.password },
    {
      variable: secretVariables.externalVrrp,
      path: 'externalLoadBalancer.keepalived.password',
      source: externalLoadBalancer?.keepalived?.password,
    },
  ];
}

type AccessDefinition = Pick<Definition, 'nodes' | 'hosts' | 'ssh'>;

/** What several machines are reached by, where at least one of them has no own. */
function sharedUses({ ssh, nodes, hosts = [] }: AccessDefinition): readonly Use[] {
  const machines = [...nodes, ...hosts];
  return (['password', 'becomePassword'] as const).map((key) => ({
    variable: secretVariables[key],
    path: `ssh.${key}`,
    source: machines.some((machine) => !machine.ssh?.[key]) ? ssh?.[key] : undefined,
  }));
}

const machineUses = ({ nodes, hosts = [] }: AccessDefinition): readonly Use[] =>
  [...withList('nodes', nodes), ...withList('hosts', hosts)].flatMap(({ list, name, ssh }) =>
    (['password', 'becomePassword'] as const).map((key) => ({
      variable: passwordVariable(key, name),
      path: `${list}.${name}.ssh.${key}`,
      source: ssh?.[key],
    })),
  );

function kubernetesUses({ installer, containerd }: Definition): readonly Use[] {
  const encryption = installer?.kubeadm?.encryption;
  const path = 'installer.kubeadm.encryption';
  return [
    { variable: secretVariables.encryption, path: `${path}.secretKey`, source: encryption?.secretKey },
    {
      variable: secretVariables.cloudConfig,
      path: 'installer.kubeadm.externalCloudProvider.cloudConfig',
      source: installer?.kubeadm?.externalCloudProvider?.cloudConfig,
    },
    ...backupUses(installer?.kubeadm?.backup),
    ...(containerd?.registries ?? []).map(({ host, password }) => ({
      variable: registryVariable(host),
      path: `containerd.registries.${host}.password`,
      source: password,
    })),
  ];
}

const proxyUses = ({ proxy }: Definition): readonly Use[] => [
  {
    variable: secretVariables.proxyUser,
    path: 'proxy.credentials.user',
    source: proxy?.credentials?.user,
  },
  {
    variable: secretVariables.proxyPassword,
    path: 'proxy.credentials.password',
    source: proxy?.credentials?.password,
  },
];

type Machines = NonNullable<Definition['hosts']>;

const withList = (list: string, machines: Machines): (Machines[number] & { list: string })[] =>
  machines.map((machine) => ({ ...machine, list }));

/** The one kind of source that the definition gives. */
export function referenceOf({ env, file, command, vault }: SecretSource): SecretReference {
  if (env !== undefined) return { kind: 'env', name: env };
  if (file !== undefined) return { kind: 'file', path: file };
  if (command) return { kind: 'command', argv: command };
  if (!vault) throw new TypeError('a secret without a source passed the reader');
  return { kind: 'vault', path: vault.file, key: vault.key, password: referenceOf(vault.password) };
}
