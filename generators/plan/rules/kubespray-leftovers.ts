import type { Cluster } from '../../cluster/cluster.ts';
import { hasCrioRegistries, hasMirrorHeaders, hasMirrorList } from '../../catalog/kubespray/features.ts';
import { minorOf } from '../../catalog/kubespray/releases.ts';
import { phases, type ChangeJudge, type Meaning, type Sides } from './meaning.ts';

/** What kubespray wrote on nodes and neither rewrites nor takes away, with the way to be rid of it. */
const withNote = (names: readonly string[], note: string): Meaning => ({
  kind: 'phases',
  phases: names,
  note,
});

/** A registry has a file of its own with some container managers. */
export const registries: ChangeJudge = (change, sides) => {
  const [, , host = '', field = ''] = change.path;
  const isThere = sides.after.containerd.registries.some((registry) => registry.host === host);
  const isToldHere = field === (isThere ? 'mirrors' : 'host');
  const isLeft = isToldHere && hasFile(sides.before, host) && !hasFile(sides.after, host);
  return isLeft && sides.after.kubernetes.installer === 'kubespray'
    ? withNote(bringers, `kubespray takes no registry away: on each node ${removalOf(host, sides.after)}`)
    : phases(...bringers);
};

const bringers = ['containerd', 'kubespray-cluster'];

function hasFile({ containerd, kubespray }: Cluster, host: string): boolean {
  const registry = containerd.registries.find((each) => each.host === host);
  const minor = minorOf(kubespray.version);
  const isMirrored = registry !== undefined && registry.mirrors.length > 0;
  if (kubespray.containerManager === 'crio') return isMirrored && hasCrioRegistries(minor);
  if (kubespray.containerManager !== 'containerd' || !hasMirrorList(minor)) return false;
  return hasMirrorHeaders(minor) ? registry !== undefined : isMirrored;
}

const removalOf = (host: string, { kubespray }: Cluster): string =>
  kubespray.containerManager === 'crio'
    ? `rm /etc/containers/registries.conf.d/10-${host.replace(':', '_')}.conf, then systemctl restart crio`
    : `rm -r /etc/containerd/certs.d/${host}`;

/** It writes the container manager's proxy where there is one, and that of apt where apt has none. */
export const kubesprayProxy: ChangeJudge = ({ path: [, key = ''], before = '', after = '' }, sides) => {
  if (sides.after.kubernetes.installer !== 'kubespray' || before === '') return phases();
  const ofApt = `the line Acquire::${key}::proxy of /etc/apt/apt.conf on each node stays ${before} until somebody ${after === '' ? 'deletes' : 'changes'} it`;
  return withNote([], isFirstGone(key, sides) ? `${ofApt}; ${ofManager(sides.after)}` : ofApt);
};

/** Where no proxy is left, told once. */
function isFirstGone(key: string, { before, after }: Sides): boolean {
  const isGone = after.proxy.http + after.proxy.https === '';
  return isGone && key === (before.proxy.http === '' ? 'https' : 'http');
}

function ofManager({ kubespray: { containerManager: manager } }: Cluster): string {
  return `kubespray takes it from no container manager: rm /etc/systemd/system/${manager}.service.d/http-proxy.conf there, then systemctl daemon-reload and systemctl restart ${manager}, one node after the other`;
}
