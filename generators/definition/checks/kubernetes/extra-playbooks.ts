import { keyWarning, type Finding } from '../../../source/finding.ts';
import type { Facts } from '../facts.ts';

/** What is asked for can be rendered. */
export const extraPlaybooks = ({
  draft: { extraPlaybooks: written = [], installer },
}: Facts): readonly Finding[] =>
  written.flatMap((name, index) => {
    const isKubeadm = installer !== undefined && installer.kubespray === undefined;
    const why =
      name === 'conformance' && !isKubeadm
        ? 'only the tests of a cluster of kubeadm are known'
        : name === 'etcd-defragment' && !isKubeadm
          ? 'only etcd as kubeadm sets it up is known'
          : name === 'tacker-vim' && installer === undefined
            ? 'nobody here installs Kubernetes'
            : '';
    return why === ''
      ? []
      : [keyWarning(['extraPlaybooks', index], `\`${name ?? ''}\` has no effect: ${why}`, 'remove the name')];
  });
