import type { Lab } from '../../../lab/index.ts';
import { kubectl } from './kubernetes.ts';
import { on, until } from './lab.ts';

/** Where a PersistentVolume leads. */
interface Volume {
  readonly server: string;
  readonly path: string;
}

const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'shared' },
  spec: {
    accessModes: ['ReadWriteMany'],
    storageClassName: '',
    volumeName: 'pv1',
    resources: { requests: { storage: '50Mi' } },
  },
};

/** Applies an object on the first control plane, as its administrator. */
export const applied = (lab: Lab, object: object): Promise<string> =>
  on(
    lab,
    'cp1',
    ...[
      'sh',
      '-c',
      `echo '${JSON.stringify(object)}' | kubectl --kubeconfig /etc/kubernetes/admin.conf apply --filename -`,
    ],
  );

/** Claims the PersistentVolume `pv1` as `default/shared`, and waits until it is bound. */
export async function claimed(lab: Lab): Promise<Volume> {
  const told = (path: string): Promise<string> =>
    kubectl(lab, 'cp1', 'get', 'persistentvolume', 'pv1', '--output', `jsonpath=${path}`);
  await applied(lab, claim);
  await until('it is bound', async () => (await told('{.status.phase}')) === 'Bound');
  const [server = '', path = ''] = (await told('{.spec.nfs.server} {.spec.nfs.path}')).split(' ');
  return { server, path };
}

/** What a pod on a node says that uses a volume; the kernel of a lab cannot mount it, so the pod speaks NFS itself. */
export async function saidByPod(
  lab: Lab,
  { pod, node, server, path }: Volume & { readonly pod: string; readonly node: string },
  ...words: readonly string[]
): Promise<string> {
  const overrides = { apiVersion: 'v1', spec: { nodeName: node, hostNetwork: true } };
  const environment = [`--env=NFS_SERVER=${server}`, `--env=NFS_PATH=${path}`];
  await kubectl(
    lab,
    'cp1',
    ...['run', pod, '--image=docker.io/lab/nfs:1', '--restart=Never', ...environment],
    ...[`--overrides=${JSON.stringify(overrides)}`, '--', ...words],
  );
  const phase = (): Promise<string> =>
    kubectl(lab, 'cp1', 'get', 'pod', pod, '--output', 'jsonpath={.status.phase}');
  await until(`${pod} ends`, async () => ['Succeeded', 'Failed'].includes(await phase()), 120);
  return kubectl(lab, 'cp1', 'logs', pod);
}
