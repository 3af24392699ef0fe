import { keyProblemAt, type Finding } from '../../../source/finding.ts';
import { hole, type Facts } from '../facts.ts';

/** A user and a password are for a proxy, and somebody tells them to the hosts. */
export function proxy({ draft }: Facts): readonly Finding[] {
  const written = draft.proxy;
  if (!written?.credentials || hole(written, 'http') || hole(written, 'https')) return [];
  const at = ['proxy', 'credentials'];
  const idle =
    written.http === undefined && written.https === undefined
      ? [keyProblemAt(at, 'they are for no proxy', 'add `http` or `https` beside them, or remove the key')]
      : [];
  const kubespray = draft.installer?.kubespray
    ? [
        keyProblemAt(
          at,
          'kubespray writes its proxy, password and all, into files that everybody on a host reads',
          'a proxy that asks nobody, or kubeadm',
        ),
      ]
    : [];
  return [...idle, ...kubespray];
}
