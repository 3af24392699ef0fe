import type { Lab } from '../../tasks/lab/index.ts';
import { kubectl } from './kubernetes.ts';

/** What etcdctl says on a control plane. */
const etcdctl = (lab: Lab, host: string, ...words: readonly string[]): Promise<string> =>
  kubectl(
    lab,
    host,
    ...['--namespace', 'kube-system', 'exec', `etcd-${host}`, '--', 'etcdctl', ...words],
    ...['--endpoints=https://127.0.0.1:2379', '--cacert=/etc/kubernetes/pki/etcd/ca.crt'],
    ...['--cert=/etc/kubernetes/pki/etcd/server.crt', '--key=/etc/kubernetes/pki/etcd/server.key'],
  );

/** Names and addresses of the members of etcd, as cp1 sees them. */
export const members = async (lab: Lab): Promise<readonly string[]> =>
  (await etcdctl(lab, 'cp1', 'member', 'list'))
    .split('\n')
    .map((line) => line.split(', '))
    .map(([, , member = '', peer = '']) => `${member} ${peer}`)
    .sort();

/** The control plane whose etcd leads the others. */
export async function leader(lab: Lab): Promise<string> {
  for (const host of ['cp1', 'cp2', 'cp3']) {
    const status = await etcdctl(lab, host, 'endpoint', 'status', '--write-out=fields');
    const [, own, lead] = /"MemberID" : (\d+)[^]*"Leader" : (\d+)/.exec(status) ?? [];
    if (own !== undefined && own === lead) return host;
  }
  throw new Error('nobody leads etcd');
}
