import type { RealOsaLab } from './osa-real.ts';

/** What is asked of the containers of a real OpenStack-Ansible. */
export interface OsaAsking {
  /** In Magnum's container. */
  readonly magnum: (command: string) => Promise<string>;
  readonly kubectl: (words: string) => Promise<string>;
  /** Names of the members that etcd itself has. */
  readonly members: () => Promise<readonly string[]>;
  /** By OpenStack's own client in the utility container, as the administrator. */
  readonly openstack: (words: string) => Promise<string>;
  /** The same of Magnum's API itself, which takes more than its client gives: status and text of its answer. */
  readonly post: (path: string, body: Readonly<Record<string, unknown>>) => Promise<string>;
}

type On = RealOsaLab['infra'];

export async function containers(on: On, kind: string): Promise<string[]> {
  return (await on('lxc-ls -1 --running'))
    .split(/\s+/)
    .filter((name) => name.includes(`-${kind}-container-`));
}

async function inside(on: On, kind: string, command: string): Promise<string> {
  const [first] = await containers(on, kind);
  const around = '-v HOME=/root -v PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin';
  return on(`lxc-attach -n ${first} --clear-env ${around} -- ${command}`);
}

/** Of a lab that is there by the time that something is asked. */
export function asking(lab: () => RealOsaLab): OsaAsking {
  const infra: On = (command) => lab().infra(command);
  const kubectl = (words: string): Promise<string> =>
    inside(infra, 'k8s', `kubectl --kubeconfig /etc/kubernetes/admin.conf ${words}`);
  return {
    kubectl,
    magnum: (command) => inside(lab().second, 'magnum', command),
    openstack: (words) => inside(infra, 'utility', `bash -c '. /root/openrc; openstack ${words}'`),
    post: (path, body) =>
      inside(
        infra,
        'utility',
        `sh -c 'exec /openstack/venvs/utility-*/bin/python -' <<'END'
import json, openstack
magnum = openstack.connect(cloud="default").container_infrastructure_management
newest = {"OpenStack-API-Version": "container-infra latest"}
answer = magnum.post(${JSON.stringify(path)}, json=json.loads(${JSON.stringify(JSON.stringify(body))}), headers=newest)
print(answer.status_code, answer.text)
END`,
      ),
    members: async () => {
      const [name] = await containers(infra, 'k8s');
      const pki = '/etc/kubernetes/pki/etcd';
      const keys = `--cacert=${pki}/ca.crt --cert=${pki}/server.crt --key=${pki}/server.key`;
      const listed = await kubectl(
        `exec -n kube-system etcd-${name} -- etcdctl --endpoints=https://127.0.0.1:2379 ${keys} member list`,
      );
      return listed.split('\n').map((line) => line.split(', ')[2] ?? '');
    },
  };
}
