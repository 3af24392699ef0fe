import type { Lab } from '../../../lab/index.ts';
import { on } from './lab.ts';

const pki = '/etc/kubernetes/pki/etcd';

/** What etcdctl says on a control plane. Its container is asked: the API shows a static pod only later. */
export const etcdctl = (lab: Lab, host: string, ...words: readonly string[]): Promise<string> =>
  on(
    lab,
    host,
    ...['sh', '-c', `crictl exec --sync "$(crictl ps --quiet --name '^etcd$')" etcdctl "$@"`, 'etcdctl'],
    ...['--cacert', `${pki}/ca.crt`, '--cert', `${pki}/server.crt`, '--key', `${pki}/server.key`],
    ...words,
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
