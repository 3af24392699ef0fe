import { releaseOf, releases } from '../../../catalog/kubespray/releases.ts';
import { matching, show } from '../judges.ts';
import type { ValueJudge } from '../key.ts';
import { httpUrl } from '../kubernetes/kubernetes-judges.ts';

/** A tag of which something is known: a later patch of a minor version that is known will do. */
export const kubesprayVersion: ValueJudge<string> = (value) => {
  if (threeNumbers.test(value)) return { wrong: 'a tag of kubespray begins with `v`', right: `v${value}` };
  if (!value.startsWith('v') || !threeNumbers.test(value.slice(1))) return { wrong: `${show(value)} is not a tag of kubespray`, right: newest };
  return releaseOf(value) ? undefined : { wrong: `kubespray ${value} is not supported`, right: knownTags };
};

/** No release has a number with a zero first. */
const threeNumbers = /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/;

const tags = releases.map(({ tag }) => tag);
const newest = tags.at(-1) ?? '';
const knownTags = `a tag from ${tags[0] ?? ''} to ${newest}`;

/** As git takes it, without a user: what it asks for belongs to the Ansible server's own git. */
export const gitUrl: ValueJudge<string> = (value) =>
  /^(?:ssh:\/\/)?git@[A-Za-z0-9][\w.-]*[:/][\w./~-]+$/.test(value) ? undefined : httpUrl(value);

export const commit = matching(/^[0-9a-f]{40}$/, 'an id of git, all 40 digits of it', 'what `git rev-parse HEAD` says');

export const python = matching(
  /^(?:python3(?:\.\d{1,2})?|(?:\/(?!\.{1,2}(?:\/|$))[\w.+-]+)+)$/,
  'a Python of the Ansible server',
  'python3.11, or /opt/python3.9/bin/python3.9',
);

export const memberName = matching(/^[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?$/, 'a name of a member of etcd', 'etcd1');

/** A group of its inventory, by the name that it has since v2.16. */
export const groupName: ValueJudge<string> = (value) =>
  ['k8s_cluster', 'kube_control_plane', 'kube_node', 'etcd'].includes(value)
    ? undefined
    : { wrong: `${show(value)} is no group of kubespray`, right: 'k8s_cluster, kube_control_plane, kube_node or etcd' };
