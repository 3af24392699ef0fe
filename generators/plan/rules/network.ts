import { none, phases, type ChangeJudge, type Meaning } from './meaning.ts';

/** With somebody else's Kubernetes only load balancers know these. */
const inEveryNode =
  (what: string): ChangeJudge =>
  (_, { before }) =>
    before.kubernetes.installer === 'none'
      ? phases()
      : {
          kind: 'refused',
          why: `${what} is in the certificates and settings of every node and cannot be changed in place: restore the old value, or recreate the cluster`,
        };

/** What would be lost, and what else leads to the API. With somebody else's Kubernetes only load balancers know it. */
const endpoint: ChangeJudge = (
  _,
  {
    before: {
      kubernetes,
      endpoint: { address, dnsName = address, port },
    },
  },
) =>
  kubernetes.installer === 'none'
    ? phases()
    : {
        kind: 'refused',
        why: `every kubelet, kubeconfig and pod of the control plane cannot be changed in place: they ask the API at ${dnsName}, port ${port}, and would lose it. Change it back. Clients that need another address or name: add it to certificateSans, and lead it to the load balancers. To give ${address} up: build a cluster beside this one, and move what runs`,
      };

/** Kubelets, kubeconfigs and kube-proxy have it; certificates may hold any name, so clients need not wait. */
const endpointName: ChangeJudge = (
  { before = '', after = '' },
  { before: { kubernetes, endpoint: held } },
) => {
  if (kubernetes.installer === 'none') return none('only installers of ours use it');
  const [kept, loss] =
    before === ''
      ? ['remove dnsName again', `they ask the API at ${held.address}, port ${held.port}`]
      : [
          `give ${before} back`,
          `they ask the API at ${before}, and nodes that no longer find it would be lost`,
        ];
  const instead =
    after === ''
      ? ''
      : `. Clients that want ${after}: add it to certificateSans, and lead it to ${held.address}`;
  return {
    kind: 'refused',
    why: `every kubelet, kubeconfig and pod of the control plane cannot be changed in place: ${loss}: ${kept}${instead}. For another name everywhere: build a cluster beside this one, and move what runs`,
  };
};

const plugin: ChangeJudge = ({ before = '', after = '' }, sides) => {
  if (sides.before.kubernetes.installer === 'none' || before === 'none')
    return phases('kubernetes-packages', 'network');
  if (after === 'none')
    return none('what the plugin brought stays as it is, and another one cannot take its place');
  return {
    kind: 'refused',
    why: `running pods have the network of ${before}: change it back, or recreate the cluster`,
  };
};

const backend: Meaning = {
  kind: 'phases',
  phases: ['network'],
  note: 'until every node has it, pods of nodes that differ may not reach each other',
};

const mtu: Meaning = {
  kind: 'phases',
  phases: ['network'],
  note: 'pods that are there keep theirs until they are recreated',
};

/** Calico reads it once, when it makes its pools of addresses. */
const encapsulation: ChangeJudge = ({ before = '', after = '' }) =>
  before === '' || after === ''
    ? phases('network')
    : {
        kind: 'refused',
        why: `the pools of Calico were made with ${before}: change it back, or change them first as Calico's documentation tells (calicoctl patch ippool)`,
      };

const pluginVersion: ChangeJudge = (_, { before, after }) => {
  const [old, now] = [before, after].map(({ podNetwork: { url, sha256, flannel } }) =>
    JSON.stringify([url, sha256, flannel]),
  );
  return old === now ? none('what is applied is still what has this checksum') : phases('network');
};

/** A new member of etcd alone gets certificates with the address of the endpoint. */
const etcdPort: ChangeJudge = ({ before }, sides) =>
  before === '0' && sides.before.kubernetes.installer === 'kubeadm'
    ? {
        kind: 'refused',
        why: "the certificates of etcd's members do not hold the address of the endpoint, so no client would trust them there: take etcdPort out again, or recreate the cluster",
      }
    : phases('haproxy');

/** Without one, the phase that has the hosts stops what held it there. */
const externalAddress: ChangeJudge = ({ after = '' }) =>
  after === ''
    ? {
        kind: 'phases',
        phases: ['external-load-balancer'],
        note: 'Keepalived stops there, and connections to the address end: clients have to use those of the hosts',
      }
    : phases('external-load-balancer', 'external-keepalived');

/** One takes the place of the other, and neither takes away what the other left on the hosts. */
const externalScript: ChangeJudge = ({ before = '', after = '' }) =>
  before !== '' && after !== ''
    ? phases('external-load-balancer')
    : {
        kind: 'phases',
        phases: ['external-load-balancer'],
        note: `what ${before === '' ? 'HAProxy has goes on there, unless the script stops it' : 'the script set up stays there: where it holds the ports, HAProxy cannot start until somebody takes it away'}`,
      };

/** The endpoint of the API, its load balancers, and the networks of pods and Services. */
export const networkRules: readonly (readonly [string, Meaning | ChangeJudge])[] = [
  ['podNetwork.plugin', plugin],
  ['podNetwork.version', pluginVersion],
  ['podNetwork.encapsulation', encapsulation],
  ['podNetwork.flannel.backend', backend],
  ['podNetwork.mtu', mtu],
  ['podNetwork', phases('network', 'kubernetes-packages')],
  ['network.podSubnets', inEveryNode('the network of the pods')],
  ['network.serviceSubnets', inEveryNode('the network of the Services')],
  ['network.apiServerPort', inEveryNode('the port of the API servers')],
  ['endpoint.address', endpoint],
  ['endpoint.dnsName', endpointName],
  ['endpoint.family', none('it follows from the address')],
  ['endpoint.port', endpoint],
  ['endpoint.prefix', phases('keepalived')],
  ['endpoint.balancers', phases('haproxy', 'keepalived')],
  ['endpoint.haproxy.etcdPort', etcdPort],
  ['endpoint.haproxy', phases('haproxy')],
  ['externalLoadBalancer.address', externalAddress],
  ['externalLoadBalancer.script.text', externalScript],
  ['endpoint.keepalived', phases('keepalived')],
];
