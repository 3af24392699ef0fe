import { isOurs } from '../../operations/operation.ts';
import { kinds } from '../../cluster/storage-kinds.ts';
import { registryVariable, secretVariables } from '../../resolve/secret-names.ts';
import { isNewer, minorsBetween } from '../versions.ts';
import { dottedPath, type Change } from '../changes.ts';
import { ownKubelet, settingsRules } from './settings.ts';
import { kubesprayRules, markedByKubespray } from './kubespray.ts';
import { kubesprayProxy, registries } from './kubespray-leftovers.ts';
import { none, phases, type ChangeJudge, type Meaning, type Sides } from './meaning.ts';
import { networkRules } from './network.ts';

/** The meaning of a change: that of the longest rule that its key begins with. */
export function meaningOf(change: Change, sides: Sides): Meaning {
  for (let length = change.path.length; length > 0; length -= 1) {
    const rule = rules.get(dottedPath({ path: change.path.slice(0, length) }));
    if (rule !== undefined) return typeof rule === 'function' ? rule(change, sides) : rule;
  }
  return phases();
}

const machine: Meaning = { kind: 'machine' };

/** Fields of a machine; `machines.<name>` stands before them. */
function machineRule(change: Change, sides: Sides): Meaning {
  const [, , field = ''] = change.path;
  if (field === 'ssh') return none('only the way to the machine is another one');
  if (field === 'kubelet') return ownKubelet(change, sides);
  if (field !== 'labels' && field !== 'taints') return machine;
  // They stand in the inventory, where no digest of a phase sees them, since nodes come and go.
  return sides.after.kubernetes.installer === 'kubespray'
    ? markedByKubespray(change, sides)
    : phases('workers');
}

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
    return {
      kind: 'refused',
      why: `${program} cannot be downgraded: change it back; a snapshot of etcd brings back what is stored, and no older programs`,
    };
  return minorsBetween(before, after) > 1
    ? { kind: 'refused', why: `${program} cannot skip a minor version: upgrade one at a time` }
    : { kind: 'upgrade' };
}

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
const archiveVersion: ChangeJudge = (change, { before, after }) => {
  const [old, now] = [before, after].map(({ containerd: { archive } }) =>
    [archive.url, archive.sha256].join(),
  );
  if (old === now) return none('the archive is still the one with this checksum');
  return isEarlierMinor(change)
    ? {
        kind: 'refused',
        why: `containerd ${change.after ?? ''} was not made to go on with pods that ${change.before ?? ''} started, and those of control planes and DaemonSets stay when a node is drained: change it back, to another release of its minor version, or to a newer one`,
      }
    : phases('containerd');
};

const isEarlierMinor = ({ before = '', after = '' }: Change): boolean =>
  before !== '' && after !== '' && isNewer(before, after) && minorsBetween(before, after) !== 0;

/** Our unit would leave before the package is there, and nobody knows which version that has. */
const containerdSource: ChangeJudge = ({ before, after }, sides) =>
  before === 'archive' && after !== 'archive' && isOurs(sides.before)
    ? {
        kind: 'refused',
        why: `nodes run pods with containerd ${sides.before.containerd.archive.version} of its archive, and the distribution's package is most likely older: keep archive, whose version may change. For the package: build a cluster beside this one, and move what runs`,
      }
    : phases('containerd', 'kubespray-cluster');

/** What is kept on the Ansible server was brought there by hand; hosts obey the name that they are marked with. */
const otherName: ChangeJudge = ({ before = '', after = '' }) => ({
  kind: 'refused',
  why: `another name is another cluster: give it a definition of its own. Where ${before} is called ${after} from now on: npx task owner adopt --from ${before}, then npx task run --confirm ${after}`,
});

/** Hosts are marked with it. */
const uid: ChangeJudge = ({ before = '' }) =>
  before === ''
    ? none('the next run marks the hosts with it')
    : none(
        `the hosts are marked with ${before}: before the next run, npx task owner adopt marks them as this cluster's`,
      );

/** The one that runs keeps the port, and files that pods have open are not those of the other. */
const nfsServer: ChangeJudge = ({ path: [, , , field], before = '', after = '' }) => {
  if (field === 'exports') return exportsLeft(before, after);
  return field === 'server' && before in kinds && after !== ''
    ? {
        kind: 'phases',
        phases: ['nfs-server'],
        note: `once no pod has its files open, systemctl disable --now ${kinds[before as keyof typeof kinds].unit} there: until then the phase is refused`,
      }
    : phases();
};

/** Nothing of a folder is deleted, and a server that leaves goes on with all of them. */
function exportsLeft(before: string, after: string): Meaning {
  const paths = (text: string): readonly string[] =>
    text === '' ? [] : (JSON.parse(text) as readonly { readonly path: string }[]).map(({ path }) => path);
  const gone = after === '' ? [] : paths(before).filter((path) => !paths(after).includes(path));
  return gone.length === 0
    ? phases()
    : {
        kind: 'phases',
        phases: [],
        note: `whoever has ${gone.join(', ')} mounted loses it at once: npx task run storage-use tells who`,
      };
}

/** Jobs at set times go on with what was installed for them. */
const nextTime =
  (what: string): ChangeJudge =>
  (_, { after: { schedule } }) =>
    none(
      `takes effect with the next ${what}${schedule === undefined ? '' : ', and for scheduled jobs after npx task schedule install'}`,
    );

/** Where a plan gets so far, what the server keeps of the cluster was brought there; timers are not. */
const serverMoved: ChangeJudge = (_, { before }) =>
  none(
    before.schedule === undefined
      ? 'what it keeps of the cluster is there'
      : 'timers of its schedule go on at the former place until npx task schedule remove is called with the definition of before; npx task schedule install brings them to the new one',
  );

/** Without the key there is no playbook that could take timers away. */
const schedule: ChangeJudge = (change, { after }) =>
  none(
    change.after === undefined && after.schedule === undefined
      ? 'its timers go on as they are, unless npx task schedule remove was called before, with the definition that has the key'
      : 'npx task schedule install brings it to the timers of the Ansible server',
  );

const rules: ReadonlyMap<string, Meaning | ChangeJudge> = new Map<string, Meaning | ChangeJudge>([
  ['name', otherName],
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
  ['ansibleServer.host', serverMoved],
  ['ansibleServer.directory', serverMoved],
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
  ['containerd.source', containerdSource],
  ['containerd.archive.version', archiveVersion],
  ['containerd.registries', registries],
  ['containerd', phases('containerd', 'kubespray-cluster')],
  ...networkRules,
  ['offline', phases('artifacts', 'node-prerequisites', 'containerd', 'kubernetes-packages', 'network')],
  ['machines', machineRule],
  ['proxy.credentials', proxyCredentials],
  ['proxy.http', kubesprayProxy],
  ['proxy.https', kubesprayProxy],
  ['storage.persistentVolumes', phases('persistent-volumes')],
  ['storage.servers', nfsServer],
]);
