import { matching, portPattern, show } from '../schema/judges.ts';
import type { ValueJudge } from '../schema/key.ts';

/** A host as OpenStack-Ansible names it; the name of its container is made of it. */
export const osaHost: ValueJudge<string> = (value) => {
  if (!/^[A-Za-z](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(value))
    return { wrong: `${show(value)} is not a name of a host`, right: 'infra1' };
  return value.length <= longestHost
    ? undefined
    : {
        wrong: `${show(value)} has ${value.length} characters: its container would be called longer than 52`,
        right: `at most ${longestHost} characters`,
      };
};

/** 52 without `-k8s-container`: OpenStack-Ansible's inventory refuses longer names of containers. */
const longestHost = 38;

export const osaGroup = matching(/^[a-z][a-z0-9_-]*$/, 'a group of the inventory', 'compute_hosts');

const threeNumbers = /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/;

/** Three numbers: the roles look up check sums by it. */
export const exactVersion: ValueJudge<string> = (value) =>
  threeNumbers.test(value)
    ? undefined
    : { wrong: `${show(value)} is not an exact version`, right: 'three numbers, like 1.28.13' };

export const driverTag = matching(
  /^v?(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/,
  'a released driver',
  'v0.24.2',
);

export const imageVersion = matching(
  /^v(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/,
  'a version of Kubernetes',
  'v1.28.13',
);

/** A name or an address, and maybe a port. */
const server = String.raw`(?:[A-Za-z0-9][\w.-]*|\[[0-9a-fA-F:.]+\])(?::${portPattern})?`;

export const httpUrl = matching(
  new RegExp(String.raw`^https?://${server}(?:/[\w./~%+#@=&-]*)?$`),
  'a URL',
  'https://github.com/vexxhost/magnum-cluster-api',
);

/** No password in it: git has helpers for these. */
export const gitPlace = matching(
  new RegExp(String.raw`^(?:/|file:///|(?:https?|ssh|git)://(?:[\w.-]+@)?${server}/)[\w./~+-]*\w$`),
  'a directory or a URL that git pushes to',
  '/srv/mirror/git or ssh://git@git.example.org/mirror',
);

export const gitRef = matching(
  /^[\w][\w./-]*$/,
  'a commit, tag or branch',
  '0f058db4a27d1be14d05aefe2536c9c32d7eb7d5',
);

export const collectionName = matching(
  /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/,
  'a collection',
  'vexxhost.kubernetes',
);

export const sha256 = matching(/^[0-9a-f]{64}$/, 'a SHA-256 sum', '64 digits from 0 to f');

/** What Cluster API and Magnum take as a part of names of their own. */
export const workloadName = matching(
  /^[a-z](?:[a-z0-9-]{0,40}[a-z0-9])?$/,
  'a name for a cluster or a template',
  'small letters, digits and hyphens, at most 42, like demo',
);

/** A name or an id of something in OpenStack; it never begins like an option. */
export const resourceName = matching(
  /^[A-Za-z0-9_](?:[\w.:@-]{0,120})$/,
  'a name or an id that is safe on a command line',
  'm1.medium',
);

/** The command line splits labels at commas and semicolons, unless there is one label an option. */
export const labelValue = matching(
  /^[\w.:/@,+~ -]{1,255}$/,
  'a value of a label',
  'text without quotes, = and ;',
);

/** A registry, maybe with a port and a path; no scheme, no tag. */
export const registryPrefix = matching(
  new RegExp(
    String.raw`^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::${portPattern})?(?:/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$`,
  ),
  'a registry with a path',
  'registry.example.org/osa',
);
