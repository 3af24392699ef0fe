import type { Cluster } from '../../cluster/cluster.ts';
import { isControlPlane } from '../../cluster/roles.ts';

/** Why kubespray cannot do that to those machines: one sentence each. Its own documents ask for these orders. */
export function kubesprayGuards(
  { machines, kubernetes }: Cluster,
  operation: string,
  targets: readonly string[],
): readonly string[] {
  if (kubernetes.installer !== 'kubespray') return [];
  const meant = machines.filter(({ name }) => targets.includes(name));
  const controlPlanes = meant.filter(isControlPlane).map(({ name }) => name);
  const members = machines.filter(({ roles }) => roles.includes('etcd')).map(({ name }) => name);
  const leaving = members.filter((name) => targets.includes(name));
  switch (operation) {
    case 'scale-out':
      return controlPlanes.map(
        (name) =>
          `${name} is a control plane: kubespray takes these in with the whole cluster, by npx task run`,
      );
    case 'scale-in':
      return [...first(machines, targets), ...even(members, leaving)];
    default:
      return [];
  }
}

/** Why kubespray is not called at all: empty where it is known which files it has. */
export const unnamedFiles = ({ kubespray: { source, version } }: Pick<Cluster, 'kubespray'>): string =>
  version !== '' && source.kind !== 'archive' && source.commit + source.tree === ''
    ? `which files kubespray ${version} has is not known here, and the definition does not name them`
    : '';

/** Others ask it for everything, and it cannot be taken out of its place. */
function first(machines: Cluster['machines'], targets: readonly string[]): readonly string[] {
  const begins = (['control-plane', 'etcd'] as const).map((role) => ({
    role,
    name: machines.find(({ roles }) => roles.includes(role))?.name ?? '',
  }));
  const [head] = begins;
  return begins
    .filter(({ name }) => targets.includes(name))
    .filter(({ role, name }) => role === 'control-plane' || name !== head?.name)
    .map(
      ({ role, name }) =>
        `${name} is the first ${role === 'etcd' ? 'member of etcd' : 'control plane'}, which kubespray cannot take out: name another one first in the definition, npx task run upgrade, then take it out`,
    );
}

const even = (members: readonly string[], leaving: readonly string[]): readonly string[] =>
  leaving.length > 0 && (members.length - leaving.length) % 2 === 0
    ? [
        `${leaving.join(' and ')}: ${members.length - leaving.length} members of etcd would be left, and kubespray wants an odd number; npx task heal-node puts another machine in its place`,
      ]
    : [];
