import type { Machine, MachineSsh, Role, Settings } from '../cluster/cluster.ts';
import { defaults } from '../definition/defaults.ts';
import { externalHostsOf, placementOf, rolesOf, storageServersOf } from '../definition/derived.ts';
import { parseAddress, type Block } from '../source/networks.ts';
import { withoutComment } from '../definition/schema/machines/host-key.ts';
import type { Definition } from '../definition/schema/schema.ts';
import { resolveLabels, resolveTaints } from './marks.ts';
import { passwordVariable, secretVariables } from './secret-names.ts';

/** Nodes in the order of the definition, then the other hosts in theirs. */
export function resolveMachines(definition: Definition): readonly Machine[] {
  const { nodes, hosts = [], ssh } = definition;
  const hasOwnEtcd = nodes.some((node) => rolesOf(node).includes('etcd'));
  const placement = placementOf(definition);
  const having: readonly (readonly [role: Role, names: readonly string[]])[] = [
    ['load-balancer', placement.kind === 'dedicated' ? placement.hosts : []],
    ['external-load-balancer', externalHostsOf(definition)],
    ['storage', storageServersOf(definition).flatMap(({ written }) => written.host ?? [])],
  ];
  const rolesOfHost = (name: string): readonly Role[] =>
    having.flatMap(([role, names]) => (names.includes(name) ? [role] : []));
  return [
    ...nodes.map((node) => ({
      ...machine(node, nodeRoles(rolesOf(node), hasOwnEtcd), ssh),
      secondaryAddress: node.secondaryAddress ? addressOf(node.secondaryAddress).address : '',
      labels: resolveLabels(node),
      taints: resolveTaints(node),
      ...(node.kubelet === undefined ? {} : { kubelet: node.kubelet as Settings }),
    })),
    ...hosts.map((host) => machine(host, rolesOfHost(host.name), ssh)),
  ];
}

/** Hosts without a role, in the order of the definition. */
export const resolveHosts = ({ hosts = [], ssh }: Pick<Definition, 'hosts' | 'ssh'>): readonly Machine[] =>
  hosts.map((host) => machine(host, [], ssh));

type HostDefinition = NonNullable<Definition['hosts']>[number];
type SharedAccess = Definition['ssh'];

const machine = (written: HostDefinition, roles: readonly Role[], shared: SharedAccess): Machine => {
  const { address, family } = addressOf(written.address);
  return {
    name: written.name,
    roles,
    address,
    family,
    secondaryAddress: '',
    ssh: access(written, address, shared),
    labels: [],
    taints: [],
  };
};

const access = ({ name, ssh }: HostDefinition, address: string, shared: SharedAccess): MachineSsh => ({
  host: ssh?.host ?? address,
  port: ssh?.port ?? shared?.port ?? defaults.sshPort,
  user: ssh?.user ?? shared?.user ?? '',
  privateKey: ssh?.privateKey ?? shared?.privateKey ?? '',
  passwordVariable: variable('password', name, { own: ssh?.password, shared: shared?.password }),
  becomePasswordVariable: variable('becomePassword', name, {
    own: ssh?.becomePassword,
    shared: shared?.becomePassword,
  }),
  hostKeys: [ssh?.hostKey ?? []].flat().map(withoutComment),
  proxyJump: jump(ssh?.proxyJump ?? shared?.proxyJump),
});

/** OpenSSH's own word for going straight. */
const jump = (written = 'none'): string => (written === 'none' ? '' : written);

const variable = (
  key: 'password' | 'becomePassword',
  name: string,
  { own, shared }: { own: unknown; shared: unknown },
): string => (own ? passwordVariable(key, name) : shared ? secretVariables[key] : '');

/** In a fixed order; etcd stands on the control planes unless some node has it. */
const nodeRoles = (written: readonly string[], hasOwnEtcd: boolean): readonly Role[] =>
  (['control-plane', 'etcd', 'worker'] as const).filter(
    (role) => written.includes(role) || (role === 'etcd' && !hasOwnEtcd && written.includes('control-plane')),
  );

/** The reader has let only addresses pass. */
export const addressOf = (written: string): Block => {
  const parsed = parseAddress(written);
  if (!parsed) throw new TypeError(`${written} passed the reader as an address`);
  return parsed;
};
