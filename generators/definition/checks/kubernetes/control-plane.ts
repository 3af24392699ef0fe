import { rolesOf } from '../../derived.ts';
import { problemAt, warning, type Finding } from '../../../source/finding.ts';
import type { Facts } from '../facts.ts';

/** Enough control planes, and as many members of etcd as make a majority worth having. */
export function controlPlane({ draft, nodes, controlPlanes, etcd, placement }: Facts): readonly Finding[] {
  if (!draft.nodes || !controlPlanes || !etcd) return [];
  if (controlPlanes.length === 0)
    return [
      problemAt(['nodes'], 'no node is a control plane', 'roles: [control-plane] at one node, or at three'),
    ];
  const isStacked = etcd === controlPlanes;
  return [
    ...(etcd.length % 2 === 0 ? [even(etcd.length, isStacked ? 'control planes' : 'members of etcd')] : []),
    ...(!isStacked && etcd.length === 1 && controlPlanes.length > 1 ? [oneEtcd(controlPlanes.length)] : []),
    ...(placement?.kind === 'stacked' && controlPlanes.length === 1 ? [oneStacked] : []),
    ...(nodes.some(({ written }) => rolesOf(written).includes('worker')) ? [] : [noWorker]),
  ];
}

const even = (count: number, what: string): Finding =>
  problemAt(
    ['nodes'],
    count === 2
      ? `2 ${what} tolerate no failure: etcd needs more than half of its members`
      : `${count} ${what} tolerate no more failures than ${count - 1}: etcd needs more than half of its members`,
    count === 2 ? '3, or 1' : `${count - 1} or ${count + 1}`,
  );

const oneEtcd = (controlPlanes: number): Finding =>
  warning(
    ['nodes'],
    `${controlPlanes} control planes share one member of etcd: without it none of them works`,
    'the role etcd at three nodes',
  );

const oneStacked = warning(
  ['controlPlaneEndpoint', 'loadBalancer', 'placement'],
  'one control plane holds the virtual address: if it fails, nothing takes over',
  'three control planes, now or later',
);

const noWorker = warning(['nodes'], 'no node runs workloads', 'a node with the role worker');
