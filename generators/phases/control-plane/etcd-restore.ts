import type { Cluster, Machine } from '../../cluster/cluster.ts';
import { renderedFile, type Phase } from '../phase.ts';
import { isControlPlane } from '../../cluster/roles.ts';
import { isOffline } from '../offline.ts';
import { isProxied } from '../proxy-environment.ts';
import { copiesView } from './snapshot-copies.ts';

/** Goes back to a kept snapshot on all control planes, whatever is left of their etcd. */
export const etcdRestore: Phase = {
  name: 'etcd-restore',
  what: 'Restore etcd from a kept snapshot on every control plane; changes since the snapshot are lost',
  hosts: 'kube_control_plane',
  tags: [{ name: 'etcd-restore', what: 'everything' }],
  applies: ({ kubernetes }) => kubernetes.installer === 'kubeadm',
  run: 'asked',
  parameters: [
    {
      variable: 'etcd_restore_snapshot',
      what: 'the name of a kept snapshot, or latest',
      required: true,
      pattern: 'latest|[0-9]{8}T[0-9]{6}Z([.]db([.]age)?)?',
      example: 'latest',
    },
    {
      variable: 'etcd_restore_from',
      what: 'the name of the copy that it is fetched from; when not given, the one that the Ansible server keeps',
      required: false,
      pattern: '[a-z]([a-z0-9-]{0,61}[a-z0-9])?',
      example: 'offsite',
      applies: hasCopiesToRestore,
    },
    {
      variable: 'etcd_restore_confirm',
      what: 'the name of the cluster, since everything after the snapshot is lost',
      required: true,
      pattern: '[a-z0-9]([a-z0-9-]*[a-z0-9])?',
      example: 'edge-a',
    },
  ],
  render: (cluster, fill) => [
    renderedFile('etcd-restore.yml', fill('etcd-restore/etcd-restore.yml.hbs', view(cluster))),
  ],
};

function view(cluster: Cluster): Readonly<Record<string, unknown>> {
  const members = cluster.machines
    .filter(isControlPlane)
    .map((machine) => ({ name: machine.name, peer: peerOf(machine) }));
  const { identityVariable = '' } = cluster.kubernetes.backup;
  return {
    cluster: cluster.name,
    members,
    encrypted: identityVariable !== '',
    identity: identityVariable,
    copied: hasCopiesToRestore(cluster),
    ...copiesView(cluster),
    offline: isOffline(cluster),
    proxied: isProxied(cluster),
  };
}

/** A copy is encrypted: without a key it is of no use. */
function hasCopiesToRestore({ kubernetes: { backup } }: Cluster): boolean {
  return backup.copies !== undefined && backup.identityVariable !== undefined;
}

/** kubeadm names the members after their nodes and lets them talk at port 2380. */
const peerOf = ({ address, family }: Machine): string =>
  family === 6 ? `https://[${address}]:2380` : `https://${address}:2380`;
