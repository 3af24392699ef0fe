import { isNewer, minorsBetween } from './versions.ts';
import type { Change } from './changes.ts';
import { settingsRules } from './settings-rules.ts';
import { kubesprayRules } from './kubespray-rules.ts';
import type { ChangeJudge, Meaning, Sides } from './meaning.ts';

/** The meaning of a change: that of the longest rule that its key begins with. */
export function meaningOf(change: Change, sides: Sides): Meaning {
  const words = change.key.split('.');
  for (let length = words.length; length > 0; length -= 1) {
    const rule = rules.get(words.slice(0, length).join('.'));
    if (rule !== undefined) return typeof rule === 'function' ? rule(change, sides) : rule;
  }
  return phases();
}

const phases = (...names: readonly string[]): Meaning => ({ kind: 'phases', phases: names });
const none = (why: string): Meaning => ({ kind: 'none', why });
const machine: Meaning = { kind: 'machine' };

/** Fields of a machine; `machines.<name>` stands before them. */
function machineRule({ key }: Change, { after }: Sides): Meaning {
  const [field = ''] = key.split('.').slice(2);
  if (field === 'ssh') return none('only the way to the machine is another one');
  if (field !== 'labels' && field !== 'taints') return machine;
  // They stand in the inventory, where no digest of a phase sees them, since nodes come and go.
  return after.kubernetes.installer === 'kubespray'
    ? none(
        'kubespray marks nodes when it is called for the whole cluster: npx task run kubespray-cluster brings it',
      )
    : phases('workers');
}

/** With somebody else's Kubernetes only load balancers know these. */
const inEveryNode =
  (what: string): ChangeJudge =>
  (_, { before }) =>
    before.kubernetes.installer === 'none'
      ? phases()
      : {
          kind: 'refused',
          why: `${what} is in the certificates and settings of every node and cannot be changed in place: give back the old value, or recreate the cluster`,
        };

const encryption: ChangeJudge = ({ key }, { before }) =>
  before.kubernetes.installer === 'none'
    ? none('there is no Kubernetes of ours')
    : {
        kind: 'refused',
        why: key.endsWith('.provider')
          ? 'npx task run encryption-key brings it to a running cluster, npx task run the rest'
          : 'whether Secrets are encrypted cannot be changed in a running cluster: give back the old value, or recreate the cluster',
      };

const installer: ChangeJudge = ({ before, after }) =>
  before === 'none' && after !== 'none'
    ? { kind: 'whole' }
    : {
        kind: 'refused',
        why: `nobody else takes over a Kubernetes that ${before} installed: terminate the cluster, or give back ${before}`,
      };

function version({ before = '', after = '' }: Change, { after: wanted }: Sides): Meaning {
  const program = wanted.kubernetes.installer;
  if (before === '' || after === '') return { kind: 'whole' };
  if (!isNewer(after, before))
    return { kind: 'refused', why: `${program} never goes back to an older version: go back to a snapshot` };
  return minorsBetween(before, after) > 1
    ? { kind: 'refused', why: `${program} skips no minor version: go there one after the other` }
    : { kind: 'upgrade' };
}

const plugin: ChangeJudge = ({ before = '', after = '' }, sides) => {
  if (sides.before.kubernetes.installer === 'none' || before === 'none')
    return phases('kubernetes-packages', 'network');
  if (after === 'none') return none('what the plugin brought stays as it is');
  return {
    kind: 'refused',
    why: `pods that run have the network of ${before}: give it back, or recreate the cluster`,
  };
};

/** Calico reads it once, when it makes its pools of addresses. */
const encapsulation: ChangeJudge = ({ before = '', after = '' }) =>
  before === '' || after === ''
    ? phases('network')
    : {
        kind: 'refused',
        why: `the pools of Calico were made with ${before}: give it back, or change them first as Calico's documentation tells (calicoctl patch ippool)`,
      };

const rules: ReadonlyMap<string, Meaning | ChangeJudge> = new Map<string, Meaning | ChangeJudge>([
  ['name', { kind: 'refused', why: 'another name is another cluster: give it a definition of its own' }],
  ['review', none('it says what may be run, and is on no host')],
  ['drills', none('the next drill goes by it')],
  ['extraPlaybooks', none('they are in the bundle, and run when somebody asks')],
  ['patch.rebootAfter', none('the next patch goes by it')],
  ['patch.workersAtOnce', none('the next patch goes by it')],
  ['patch', phases('patch')],
  ['ansibleServer', none('it is only how the Ansible server is reached, and where it keeps things')],
  ['secrets', none('values are fetched for each run')],
  ['kubernetes.installer', installer],
  ['kubernetes.version', version],
  ['kubernetes.packages', phases('kubernetes-packages')],
  ['kubernetes.repository', phases('kubernetes-packages')],
  ['kubernetes.repositoryKey', phases('kubernetes-packages')],
  ...settingsRules,
  ['kubernetes.encryption', encryption],
  ['kubernetes.backup', none('the next backup goes by it')],
  ['kubernetes.upgrade', none('the next upgrade goes by it')],
  ['kubernetes.preflight', none('the next host that becomes a node is asked for it')],
  ...kubesprayRules,
  ['containerd', phases('containerd', 'kubespray-cluster')],
  ['podNetwork.plugin', plugin],
  ['podNetwork.encapsulation', encapsulation],
  ['podNetwork', phases('network', 'kubernetes-packages')],
  ['offline', phases('artifacts', 'containerd', 'kubernetes-packages', 'network')],
  ['network.podSubnets', inEveryNode('the network of the pods')],
  ['network.serviceSubnets', inEveryNode('the network of the Services')],
  ['network.apiServerPort', inEveryNode('the port of the API servers')],
  ['endpoint.address', inEveryNode('the address of the endpoint')],
  ['endpoint.family', inEveryNode('the address of the endpoint')],
  ['endpoint.port', inEveryNode('the port of the endpoint')],
  ['endpoint.prefix', phases('keepalived')],
  ['endpoint.balancers', phases('haproxy', 'keepalived')],
  ['endpoint.haproxy', phases('haproxy')],
  ['endpoint.keepalived', phases('keepalived')],
  ['machines', machineRule],
  ['storage.persistentVolumes', phases('persistent-volumes')],
]);
