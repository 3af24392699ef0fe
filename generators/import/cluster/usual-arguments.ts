import type { ownedArguments } from '../../definition/schema/kubespray/owned.ts';
import { textAt } from '../../source/foreign/look.ts';
import type { ForeignNode } from '../../source/foreign/node.ts';

export type ControlPlaneComponent = keyof typeof ownedArguments;

/** Whether kubeadm gives an argument by itself, or because of what it was told of names and networks. */
export function isUsual(
  component: ControlPlaneComponent,
  { name, value }: { readonly name: string; readonly value: string },
  kubeadm: ForeignNode,
): boolean {
  const wanted = usual[component][name];
  return Array.isArray(wanted) ? textAt(kubeadm, ...wanted) === value : wanted?.test(value) === true;
}

/** What a value looks like, or where kubeadm's configuration says it. */
type Usual = RegExp | string[];
type UsualArguments = Readonly<Record<string, Usual>>;

const allAre = (names: string, value: Usual): UsualArguments =>
  Object.fromEntries(names.split(' ').map((name) => [name, value]));

const files = (folder: string, named: Readonly<Record<string, string>>): UsualArguments =>
  Object.fromEntries(
    Object.entries(named).map(([name, file]) => [
      name,
      new RegExp(String.raw`^/etc/kubernetes/${folder}${file.replaceAll('.', String.raw`\.`)}$`),
    ]),
  );

const yes = /^true$/;
const onHost = /^127\.0\.0\.1$/;
/** What another part of the import reads, or every node has its own of. */
const anything = /^/;
const services = ['networking', 'serviceSubnet'];

/**
 * Source: cmd/kubeadm/app/phases/controlplane and util/etcd of k8s.io/kubernetes 1.31 to 1.37. Read on 2026-11-25, files and
 * networks on 2026-11-28.
 */
const usual: Readonly<Record<ControlPlaneComponent, UsualArguments>> = {
  apiServer: {
    ...allAre('advertise-address secure-port', anything),
    ...files('pki/', {
      'client-ca-file': 'ca.crt',
      'etcd-cafile': 'etcd/ca.crt',
      'etcd-certfile': 'apiserver-etcd-client.crt',
      'etcd-keyfile': 'apiserver-etcd-client.key',
      'kubelet-client-certificate': 'apiserver-kubelet-client.crt',
      'kubelet-client-key': 'apiserver-kubelet-client.key',
      'proxy-client-cert-file': 'front-proxy-client.crt',
      'proxy-client-key-file': 'front-proxy-client.key',
      'requestheader-client-ca-file': 'front-proxy-ca.crt',
      'service-account-key-file': 'sa.pub',
      'service-account-signing-key-file': 'sa.key',
      'tls-cert-file': 'apiserver.crt',
      'tls-private-key-file': 'apiserver.key',
    }),
    ...allAre('allow-privileged enable-bootstrap-token-auth', yes),
    'authorization-mode': /^Node,RBAC$/,
    'enable-admission-plugins': /^NodeRestriction$/,
    'etcd-servers': /^https:\/\/(?:127\.0\.0\.1|\[::1\]):2379$/,
    'kubelet-preferred-address-types': /^InternalIP,ExternalIP,Hostname$/,
    'requestheader-allowed-names': /^front-proxy-client$/,
    'requestheader-extra-headers-prefix': /^X-Remote-Extra-$/,
    'requestheader-group-headers': /^X-Remote-Group$/,
    'requestheader-username-headers': /^X-Remote-User$/,
    'service-account-issuer': /^https:\/\/kubernetes\.default\.svc\.cluster\.local$/,
    'service-cluster-ip-range': services,
  },
  controllerManager: {
    ...files('pki/', {
      'client-ca-file': 'ca.crt',
      'cluster-signing-cert-file': 'ca.crt',
      'cluster-signing-key-file': 'ca.key',
      'requestheader-client-ca-file': 'front-proxy-ca.crt',
      'root-ca-file': 'ca.crt',
      'service-account-private-key-file': 'sa.key',
    }),
    ...allAre(
      'authentication-kubeconfig authorization-kubeconfig kubeconfig',
      /^\/etc\/kubernetes\/controller-manager\.conf$/,
    ),
    ...allAre('allocate-node-cidrs leader-elect use-service-account-credentials', yes),
    'bind-address': onHost,
    'cluster-cidr': ['networking', 'podSubnet'],
    'cluster-name': ['clusterName'],
    controllers: /^\*,bootstrapsigner,tokencleaner$/,
    'service-cluster-ip-range': services,
  },
  scheduler: {
    ...allAre(
      'authentication-kubeconfig authorization-kubeconfig kubeconfig',
      /^\/etc\/kubernetes\/scheduler\.conf$/,
    ),
    'bind-address': onHost,
    'leader-elect': yes,
  },
  etcd: {
    ...allAre(
      'advertise-client-urls initial-advertise-peer-urls initial-cluster initial-cluster-state listen-client-urls listen-peer-urls name',
      anything,
    ),
    ...files('pki/etcd/', {
      'cert-file': 'server.crt',
      'key-file': 'server.key',
      'peer-cert-file': 'peer.crt',
      'peer-key-file': 'peer.key',
      'peer-trusted-ca-file': 'ca.crt',
      'trusted-ca-file': 'ca.crt',
    }),
    ...allAre('client-cert-auth peer-client-cert-auth experimental-initial-corrupt-check', yes),
    ...allAre('watch-progress-notify-interval experimental-watch-progress-notify-interval', /^5s$/),
    'data-dir': /^\/var\/lib\/etcd$/,
    'feature-gates': /^InitialCorruptCheck=true$/,
    'listen-metrics-urls': /^http:\/\/(?:127\.0\.0\.1|\[::1\]):2381$/,
    'snapshot-count': /^10000$/,
  },
};
