import { parseAddress, parseBlock } from '../../../source/networks.ts';
import { host, matching, show, subnet } from '../judges.ts';
import type { ValueJudge } from '../key.ts';

export const devicePath = matching(
  /^\/dev(?:\/(?!\.{1,2}(?:\/|$))[\w.:+@=-]+)+$/,
  'a path of a device',
  '/dev/vdb or /dev/disk/by-id/virtio-3f2c1a7e-0b40-4c1d-9',
);

export const serialNumber = matching(/^[\w.:-]{1,64}$/, 'a serial number', 'what `lsblk --output NAME,SERIAL` prints');

export const cinderVolume = matching(
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/,
  'an id of a Cinder volume',
  'the id that `openstack volume list` prints, like 3f2c1a7e-0b40-4c1d-9e5f-5d2b8a7c6e10',
);

/** A folder of a server, without anything that /etc/exports, systemd or a shell gives a meaning. */
export const plainFolder: ValueJudge<string> = (value) =>
  /^(?:\/(?!\.{1,2}(?:\/|$))[\w.-]+)+$/.test(value)
    ? undefined
    : {
        wrong: `${show(value)} is not a path that is safe in every file`,
        right: 'an absolute one of letters, digits, `.`, `_` and `-`, without a slash at its end, like /volume/pv1',
      };

/** Who may mount: no wildcard, since nobody can tell whom it lets in. */
export const nfsClient: ValueJudge<string> = (value) => {
  if (value.includes('/')) return subnet(value);
  if (value.includes('*') || value.includes('?'))
    return { wrong: `${show(value)} lets in whoever has such a name`, right: 'networks, addresses and names of hosts' };
  return host(value);
};

/** Whether a client as written is a network that has every address of its family in it. */
export const isEverybody = (client: string): boolean => parseBlock(client)?.prefix === 0;

/** Whether a client as written is a name, of which nothing is known here. */
export const isClientName = (client: string): boolean => !parseBlock(client) && !parseAddress(client);

/** More than nothing. */
export const quantity = matching(
  /^(?=[\d.]*[1-9])\d{1,18}(?:\.\d{1,18})?(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,2})?$/,
  'an amount as Kubernetes writes it',
  '5Gi',
);

/** What NFS offers of the access modes. */
export const accessModes = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany'] as const;

export const reclaimPolicies = ['Retain', 'Recycle', 'Delete'] as const;

export const objectName = matching(
  /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/,
  'a name of an object of Kubernetes',
  'small letters, digits, hyphens and dots, like pv1',
);

export const mountOption = matching(/^[a-z][\w.=:-]*$/, 'a mount option', 'nfsvers=4.1');

export const fileMode = matching(/^0[0-7]{3}$/, 'a mode of four octal digits', '"0770"');

/** What `npx task run nfs-server` says that a device holds. */
export const signature = matching(
  /^[\w.:-]+(?: [\w.:+-]+)*$/,
  'what is said that a device holds',
  'the words of the refusal, like "xfs 8c3e0c1d-5f4e-4a64-9d60-2a8f7c1b9e11"',
);

export const exportWords = [
  'rw',
  'ro',
  'root_squash',
  'no_root_squash',
  'all_squash',
  'secure',
  'insecure',
  'sync',
  'async',
  'no_subtree_check',
  'subtree_check',
] as const;

/** A word of exports(5) that means something here. */
export const exportOption: ValueJudge<string> = (value) =>
  (exportWords as readonly string[]).includes(value) || isAnonymous(value)
    ? undefined
    : { wrong: `${show(value)} is not an option that is known here`, right: `${exportWords.join(', ')}, anonuid=65534` };

/** 4294967295 is -1, which is nobody's number. */
const isAnonymous = (value: string): boolean =>
  /^anon[ug]id=(?:0|[1-9]\d{0,9})$/.test(value) && Number(value.split('=')[1]) < 4_294_967_295;
