import { endsPodsWhenLower, takenOverEmpty } from '../../catalog/kubernetes/kubelet-settings.ts';
import { isEncrypted } from '../../phases/kubeadm/api-server.ts';
import { isControlPlane } from '../../cluster/roles.ts';
import type { Change } from '../changes.ts';
import { isNode } from '../applied.ts';
import type { ChangeJudge, Meaning, Sides } from './meaning.ts';

/** Brought by the phase that reconfigures a running cluster; said with what begins anew, and where. */
const settings = (note: string): Meaning => ({ kind: 'phases', phases: ['kubernetes-settings'], note });

const heads = ({ after }: Sides): string => names(after.machines.filter(isControlPlane));
const nodes = ({ after }: Sides): string => names(after.machines.filter(isNode));
const names = (machines: readonly { readonly name: string }[]): string =>
  machines.map(({ name }) => name).join(', ');

const restarts =
  (component: string): ChangeJudge =>
  (_, sides) =>
    settings(`${component} restarts on ${heads(sides)}, one after the other`);

const certificate: ChangeJudge = (_, sides) =>
  settings(`the API servers of ${heads(sides)} get another certificate, without a restart`);

const tokensLost =
  'tokens that pods hold would no longer be believed, and every pod that asks the API would fail until it is recreated';

/** Arguments that decide how what is there already is found or believed. */
const losses: ReadonlyMap<string, string> = new Map([
  [
    'apiServer.etcd-prefix',
    'the API servers would look for everything in another place of etcd, and find nothing',
  ],
  ['apiServer.service-account-issuer', tokensLost],
]);

const programs: ReadonlyMap<string, string> = new Map([
  ['apiServer', 'kube-apiserver'],
  ['controllerManager', 'kube-controller-manager'],
  ['scheduler', 'kube-scheduler'],
  ['etcd', 'etcd'],
]);

/** A token is believed by any of its audiences; without the argument it has the issuer's name as kubeadm gives it. */
const audiences = (value = 'https://kubernetes.default.svc.cluster.local'): readonly string[] =>
  value.split(',');

const losesTokens = ({ before, after }: Change): boolean =>
  !audiences(before).some((each) => audiences(after).includes(each));

const lossOf = (key: string, change: Change): string | undefined =>
  key === 'apiServer.api-audiences' && losesTokens(change) ? tokensLost : losses.get(key);

const extraArguments: ChangeJudge = (change, sides) => {
  const [, , program = '', argument = ''] = change.path;
  const why = lossOf(`${program}.${argument}`, change);
  if (why !== undefined)
    return { kind: 'refused', why: `${why}: restore the old value, or rebuild the cluster` };
  return restarts(programs.get(program) ?? program)(change, sides);
};

const kubelet: ChangeJudge = (change, sides) => {
  const [, , field = ''] = change.path;
  return kubeletSettings(field, change, nodes(sides));
};

/** Until its request is approved, seconds after it has started, a kubelet serves nobody. */
const serving: ChangeJudge = ({ after = '' }, sides) => {
  const begins = `the kubelet restarts on ${nodes(sides)}, and pods keep running`;
  return settings(
    after === ''
      ? `${begins}; each serves with a certificate of its own again`
      : `${begins}; each serves logs, exec and metrics again once its certificate is approved, within seconds`,
  );
};

/** A kubelet asks the cloud for the identity of its node when that registers, and never again. */
const cloud: ChangeJudge = (_, { before, after }) => {
  const [was, is] = [before, after].map(({ kubernetes }) => kubernetes.externalCloudProvider !== undefined);
  return was === is
    ? { kind: 'phases', phases: ['cloud-controller'], note: 'objects that a manifest no longer holds stay' }
    : {
        kind: 'refused',
        why: `nodes get their providerID when they register, so those that run would ${is === true ? 'be unknown to the controller' : 'keep one that nobody looks after'}: change it back, or build a cluster beside this one`,
      };
};

/** `machines.<name>.kubelet.<field>` */
export const ownKubelet: ChangeJudge = (change) => {
  const [, name = '', , field = ''] = change.path;
  return kubeletSettings(field, change, name);
};

function kubeletSettings(field: string, change: Change, where: string): Meaning {
  const empty = takenOverEmpty.includes(field) || isLower(field, change);
  const first = empty ? 'each node is drained first, then ' : '';
  return settings(`${first}the kubelet restarts on ${where}; pods ${empty ? 'come back' : 'keep running'}`);
}

const isLower = (field: string, { before, after }: Change): boolean => {
  const own = endsPodsWhenLower[field];
  return own !== undefined && Number(after ?? own) < Number(before ?? own);
};

/** Without another key API servers restart once more, when they learn to read it. */
const encryption: ChangeJudge = ({ path, before = '', after = '' }, sides) => {
  const there = names(sides.after.machines.filter(isControlPlane));
  if (!isEncrypted(sides.before) && !isEncrypted(sides.after))
    return { kind: 'none', why: 'no Secret is encrypted' };
  const again = `kube-apiserver restarts on ${there}, one after the other, and every Secret is stored anew`;
  if (path.at(-1) !== 'keyVariable') return { kind: 'phases', phases: ['encryption-key'], note: again };
  if (before === '')
    return { kind: 'phases', phases: ['kubernetes-settings', 'encryption-key'], note: again };
  return after === ''
    ? settings(`kube-apiserver restarts on ${there}, one after the other`)
    : settings(again);
};

/** What `reconfigure` brings to a running cluster, or why it cannot. */
export const settingsRules: readonly (readonly [string, Meaning | ChangeJudge])[] = [
  ['kubernetes.clusterName', restarts('kube-controller-manager')],
  ['kubernetes.imageRepository', restarts('every component')],
  ['kubernetes.certificateSans', certificate],
  ['kubernetes.extraArguments', extraArguments],
  ['kubernetes.kubelet', kubelet],
  ['kubernetes.serverTLSBootstrap', serving],
  ['kubernetes.externalCloudProvider', cloud],
  [
    'kubernetes.kubeProxy',
    (_, sides) => settings(`kube-proxy restarts on ${nodes(sides)}, one after the other; connections stay`),
  ],
  ['kubernetes.audit', restarts('kube-apiserver')],
  ['kubernetes.encryption', encryption],
];
