import { keyProblemAt, keyWarning, warning, type Finding } from '../../../source/finding.ts';
import type { Draft } from '../../schema/schema.ts';
import type { Facts, MachineFact } from '../facts.ts';

/** What is patched is nobody else's to bring, and there is a cluster whose nodes can be drained. */
export const patch = ({ draft, nodes, hosts }: Facts): readonly Finding[] => {
  const { patch: written, installer, containerd } = draft;
  if (written === undefined) return [];
  if (installer === undefined || installer.kubespray !== undefined)
    return [
      keyWarning(
        ['patch'],
        '`patch` has no effect: only nodes of a cluster of kubeadm are drained by it',
        'remove the key',
      ),
    ];
  const { packages = {}, rebootAfter = [] } = written;
  const owners = { ...ofKubernetes, ...(containerd?.archive === undefined ? {} : ofArchive) };
  return [
    ...ofServer(draft.ansibleServer, [...nodes, ...hosts]),
    ...Object.keys(packages).flatMap((name) => {
      const owner = new Map(Object.entries(owners)).get(name);
      return owner === undefined
        ? []
        : [
            keyProblemAt(
              ['patch', 'packages', name],
              `\`${name}\` is not patched: ${owner}`,
              'remove the key',
            ),
          ];
    }),
    ...rebootAfter.flatMap((name, index) =>
      name === undefined || Object.hasOwn(packages, name)
        ? []
        : [
            warning(
              ['patch', 'rebootAfter', index],
              `\`${name}\` is none of the packages that are brought`,
              'one of `packages`, or remove the name',
            ),
          ],
    ),
  ];
};

/** A run ends with the machine that it runs on. */
function ofServer(server: Draft['ansibleServer'], machines: readonly MachineFact[]): readonly Finding[] {
  const host = typeof server === 'object' ? server.host : undefined;
  const same = machines.find(({ written }) => [written.address, written.ssh?.host].includes(host));
  if (host === undefined || same === undefined) return [];
  return [
    keyWarning(
      ['patch'],
      `${same.name} is the Ansible server, and a reboot of it would end the run that patches it`,
      'runs with `--set patch_reboot=never` and a reboot by hand, or an Ansible server beside the cluster',
    ),
  ];
}

const byUpgrade = '`installer.kubeadm.version` says its version, and `npx task upgrade` brings it';

/** Held at their version on every node. */
const ofKubernetes: Readonly<Record<string, string>> = Object.fromEntries(
  ['kubeadm', 'kubelet', 'kubectl', 'kubernetes-cni', 'cri-tools'].map((name) => [name, byUpgrade]),
);

const byContainerd = '`containerd.archive` says its version, and `npx task run containerd` brings it';

const ofArchive: Readonly<Record<string, string>> = Object.fromEntries(
  ['containerd', 'containerd.io', 'runc'].map((name) => [name, byContainerd]),
);
