import { kinds } from '../cluster/storage-kinds.ts';
import { registryVariable, secretVariables } from '../resolve/secret-names.ts';
import { isNewer, minorsBetween } from './versions.ts';
import { dottedPath, type Change } from './changes.ts';
import { ownKubelet, settingsRules } from './settings-rules.ts';
import { kubesprayRules, markedByKubespray } from './kubespray-rules.ts';
import type { ChangeJudge, Meaning, Sides } from './meaning.ts';

/** The meaning of a change: that of the longest rule that its key begins with. */
export function meaningOf(change: Change, sides: Sides): Meaning {
  for (let length = change.path.length; length > 0; length -= 1) {
    const rule = rules.get(dottedPath({ path: change.path.slice(0, length) }));
    if (rule !== undefined) return typeof rule === 'function' ? rule(change, sides) : rule;
  }
  return phases();
}

const phases = (...names: readonly string[]): Meaning => ({ kind: 'phases', phases: names });
const none = (why: string): Meaning => ({ kind: 'none', why });
const machine: Meaning = { kind: 'machine' };

/** Fields of a machine; `machines.<name>` stands before them. */
function machineRule(change: Change, sides: Sides): Meaning {
  const [, , field = ''] = change.path;
  if (field === 'ssh') return none('only the way to the machine is another one');
  if (field === 'kubelet') return ownKubelet(change, sides);
  if (field !== 'labels' && field !== 'taints') return machine;
  // They stand in the inventory, where no digest of a phase sees them, since nodes come and go.
  return sides.after.kubernetes.installer === 'kubespray' ? markedByKubespray(change) : phases('workers');
}

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

const installer: ChangeJudge = ({ before, after }) =>
  before === 'none' && after !== 'none'
    ? { kind: 'whole' }
    : {
        kind: 'refused',
        why: `no other installer can take over a Kubernetes that ${before} installed: terminate the cluster, or go back to ${before}`,
      };

function version({ before = '', after = '' }: Change, { after: wanted }: Sides): Meaning {
  const program = wanted.kubernetes.installer;
  if (before === '' || after === '') return { kind: 'whole' };
  if (!isNewer(after, before))
    return { kind: 'refused', why: `${program} cannot be downgraded: restore a snapshot` };
  return minorsBetween(before, after) > 1
    ? { kind: 'refused', why: `${program} cannot skip a minor version: upgrade one at a time` }
    : { kind: 'upgrade' };
}

const plugin: ChangeJudge = ({ before = '', after = '' }, sides) => {
  if (sides.before.kubernetes.installer === 'none' || before === 'none')
    return phases('kubernetes-packages', 'network');
  if (after === 'none') return none('what the plugin brought stays as it is');
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

/** Another place of a secret is most likely another secret: hosts that hold it are brought it. */
const secret: ChangeJudge = ({ path: [, variable = ''] }, { before, after }) => {
  const isThere = [before, after].every(({ secrets }) => secrets.some((each) => each.variable === variable));
  const [, ...held] = heldBy.find(([start]) => variable.startsWith(start)) ?? [''];
  return isThere && held.length > 0 ? phases(...held) : none('values are fetched for each run');
};

/** How variables begin whose values are on hosts, with the phases that bring them. */
const heldBy: readonly (readonly [start: string, ...phases: readonly string[]])[] = [
  [secretVariables.encryption, 'encryption-key'],
  [secretVariables.cloudConfig, 'cloud-controller'],
  [secretVariables.proxyUser, 'proxy-credentials', 'containerd'],
  [secretVariables.proxyPassword, 'proxy-credentials', 'containerd'],
  [secretVariables.stats, 'haproxy'],
  [secretVariables.vrrp, 'keepalived'],
  [secretVariables.externalVrrp, 'external-keepalived'],
  [registryVariable(''), 'containerd'],
];

/** What root alone reads is taken away with the cluster. */
const proxyCredentials: ChangeJudge = ({ after }) =>
  after === undefined
    ? {
        kind: 'phases',
        phases: ['node-prerequisites', 'containerd'],
        note: 'what the hosts have of them stays in /var/lib/playsmith/proxy, and with hosts that are no nodes in the settings of apt, until somebody deletes it',
      }
    : {
        kind: 'phases',
        phases: ['proxy-credentials', 'containerd'],
        note: 'containerd restarts, pods keep running',
      };

/** A version beside its address says what a person calls it; what is installed has its checksum. */
const archiveVersion: ChangeJudge = (_, { before, after }) => {
  const [old, now] = [before, after].map(({ containerd: { archive } }) =>
    [archive.url, archive.sha256].join(),
  );
  return old === now ? none('the archive is still the one with this checksum') : phases('containerd');
};

const pluginVersion: ChangeJudge = (_, { before, after }) => {
  const [old, now] = [before, after].map(({ podNetwork: { url, sha256, flannel } }) =>
    JSON.stringify([url, sha256, flannel]),
  );
  return old === now ? none('what is applied is still what has this checksum') : phases('network');
};

/** Hosts are marked with it. */
const uid: ChangeJudge = ({ before = '' }) =>
  before === ''
    ? none('the next run marks the hosts with it')
    : none(
        `the hosts are marked with ${before}: before the next run, npx task owner adopt marks them as this cluster's`,
      );

/** A new member of etcd alone gets certificates with the address of the endpoint. */
const etcdPort: ChangeJudge = ({ before }, sides) =>
  before === '0' && sides.before.kubernetes.installer === 'kubeadm'
    ? {
        kind: 'refused',
        why: "the certificates of etcd's members do not hold the address of the endpoint, so no client would trust them there: take etcdPort out again, or recreate the cluster",
      }
    : phases('haproxy');

/** The one that runs keeps the port, and files that pods have open are not those of the other. */
const nfsServer: ChangeJudge = ({ path: [, , , field], before = '', after = '' }) =>
  field === 'server' && before in kinds && after !== ''
    ? {
        kind: 'phases',
        phases: ['nfs-server'],
        note: `once no pod has its files open, systemctl disable --now ${kinds[before as keyof typeof kinds].unit} there: until then the phase is refused`,
      }
    : phases();

/** Jobs at set times go on with what was installed for them. */
const nextTime =
  (what: string): ChangeJudge =>
  (_, { after: { schedule } }) =>
    none(
      `takes effect with the next ${what}${schedule === undefined ? '' : ', and for scheduled jobs after npx task schedule install'}`,
    );

/** Without the key there is no playbook that could take timers away. */
const schedule: ChangeJudge = (change, { after }) =>
  none(
    change.after === undefined && after.schedule === undefined
      ? 'its timers go on as they are, unless npx task schedule remove was called before, with the definition that has the key'
      : 'npx task schedule install brings it to the timers of the Ansible server',
  );

const rules: ReadonlyMap<string, Meaning | ChangeJudge> = new Map<string, Meaning | ChangeJudge>([
  ['name', { kind: 'refused', why: 'another name is another cluster: give it a definition of its own' }],
  ['uid', uid],
  ['review', none('it says what may be run, and is on no host')],
  ['drills', nextTime('drill')],
  ['extraPlaybooks', none('they are in the bundle, and run when somebody asks')],
  ['schedule', schedule],
  [
    'messages',
    none('takes effect with the next run, and for scheduled jobs after npx task schedule install'),
  ],
  ['patch.rebootAfter', none('takes effect with the next patch')],
  ['patch.workersAtOnce', none('takes effect with the next patch')],
  ['patch', phases('patch')],
  ['ansibleServer', none('it is only how the Ansible server is reached, and where it keeps things')],
  ['secrets', secret],
  ['kubernetes.installer', installer],
  ['kubernetes.version', version],
  ['kubernetes.packages', phases('kubernetes-packages')],
  ['kubernetes.repository', phases('kubernetes-packages')],
  ['kubernetes.repositoryKey', phases('kubernetes-packages')],
  ...settingsRules,
  ['kubernetes.backup', nextTime('backup')],
  ['kubernetes.upgrade', none('takes effect with the next upgrade')],
  ['kubernetes.preflight', none('the next host that becomes a node is asked for it')],
  ...kubesprayRules,
  ['containerd.archive.version', archiveVersion],
  ['containerd', phases('containerd', 'kubespray-cluster')],
  ['podNetwork.plugin', plugin],
  ['podNetwork.version', pluginVersion],
  ['podNetwork.encapsulation', encapsulation],
  ['podNetwork.flannel.backend', backend],
  ['podNetwork.mtu', mtu],
  ['podNetwork', phases('network', 'kubernetes-packages')],
  ['offline', phases('artifacts', 'containerd', 'kubernetes-packages', 'network')],
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
  ['endpoint.keepalived', phases('keepalived')],
  ['machines', machineRule],
  ['proxy.credentials', proxyCredentials],
  ['storage.persistentVolumes', phases('persistent-volumes')],
  ['storage.servers', nfsServer],
]);
