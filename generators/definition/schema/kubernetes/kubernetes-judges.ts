import { parseAddress } from '../../../source/networks.ts';
import { matching, portPattern, show } from '../judges.ts';
import type { ValueJudge } from '../key.ts';

/** A version with its patch, of those that an installer may know. */
export const kubernetesVersion: ValueJudge<string> = (value) => {
  const [, minor = '', patch] = /^v?1\.(0|[1-9]\d?)(?:\.(0|[1-9]\d?))?$/.exec(value) ?? [];
  if (minor === '') return { wrong: `${show(value)} is not a version of Kubernetes`, right: '1.37.2' };
  if (Number(minor) < 20) return { wrong: `${value} is older than any supported version`, right: '1.20.0 or later' };
  if (patch === undefined)
    return { wrong: `${show(value)} has no patch version, so it does not say what to install`, right: withPatch };
  return value.startsWith('v') ? { wrong: 'versions are written without `v`', right: value.slice(1) } : undefined;
};

/** The versions that kubeadm's configuration is written for; those before have been out of support since 2025. */
export const kubeadmVersion: ValueJudge<string> = (value) =>
  kubernetesVersion(value) ??
  (Number(value.split('.')[1]) < 31
    ? { wrong: `${value} is out of support, and not supported by Playsmith`, right: '1.31.0 or later' }
    : undefined);

export const withPatch = 'a version with its patch, like 1.37.2';

/** Nothing in it needs quoting in a shell, an INI file or an apt source. */
export const httpUrl: ValueJudge<string> = (value) =>
  value.includes('@')
    ? { wrong: 'a user or a password in this URL would be readable in every file', right: exampleUrl }
    : urlPattern.test(value) &&
        URL.canParse(value)
      ? undefined
      : { wrong: `${show(value)} is not a URL`, right: exampleUrl };

const urlPattern = new RegExp(
  String.raw`^https?://(?:[A-Za-z0-9][\w.-]*|\[[0-9a-fA-F:.]+\])(?::${portPattern})?(?:/[\w.~:%+-]+)*/?$`,
);

/** Of a key of OpenPGP, as `gpg --show-keys` prints it. */
export const fingerprint = matching(
  /^[0-9A-F]{40}$/,
  'the fingerprint of a key',
  'the 40 hexadecimal digits, in capitals and without blanks, that `gpg --show-keys Release.key` prints',
);
export const sha256 = matching(/^[0-9a-f]{64}$/, 'a SHA-256 checksum', 'the 64 hexadecimal digits that `sha256sum` prints');

const host = String.raw`[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::${portPattern})?`;

/** A registry without a path. */
export const registryHost = matching(
  new RegExp(`^${host}$`),
  'the host of a registry',
  'docker.io or registry.example.org:5000',
);

/** A registry and a path in it, without a name of an image. */
export const imageRepository = matching(
  new RegExp(`^${host}(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$`),
  'a registry, with or without a path',
  'registry.example.org/kubernetes',
);

export const imageReference = matching(
  new RegExp(`^${host}(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)+(?::\\w[\\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$`),
  'an image with its registry',
  'registry.k8s.io/pause:3.10.1',
);

export const imageTag = matching(/^\w[\w.-]{0,127}$/, 'a tag of an image', 'v1.9.1-flannel1');

/** What kubeadm takes for the name of a cluster is any text; it is an argument, and a name in kubeconfigs. */
export const kubeadmClusterName = matching(
  /^[A-Za-z0-9](?:[\w.-]{0,251}[A-Za-z0-9])?$/,
  'a name of letters, digits, dots, dashes and underscores',
  'kubernetes',
);

/** A DNS name, possibly with a wildcard, or an address. */
export const certificateName: ValueJudge<string> = (value) =>
  isCertificateName(value)
    ? undefined
    : { wrong: `${show(value)} is neither a DNS name nor an address`, right: 'api.example.org or 203.0.113.80' };

export const isCertificateName = (value: string): boolean =>
  parseAddress(value) !== undefined || (dnsName.test(value) && !/^[\d.]+$/.test(value) && value.length <= 253);

const dnsName = /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** Certificates alone: a private key in a definition would be everybody's. */
export const certificates: ValueJudge<string> = (value) =>
  value.includes('PRIVATE KEY')
    ? { wrong: 'this holds a private key, which never belongs in a definition', right: 'the certificate alone' }
    : /^(?:-----BEGIN CERTIFICATE-----\n(?:[A-Za-z0-9+/]{1,76}={0,2}\n)+-----END CERTIFICATE-----\n?)+$/.test(value)
      ? undefined
      : {
          wrong: 'this is not a certificate in PEM form',
          right: 'ca: | and below it, indented, the lines from BEGIN CERTIFICATE to END CERTIFICATE',
        };

/** What is kept in /etc/containerd, /etc/kubernetes and command lines as one word. */
export const labelValue: ValueJudge<string> = (value) =>
  /^(?:[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?)?$/.test(value)
    ? undefined
    : {
        wrong: `${show(value)} cannot be the value of a label`,
        right: 'up to 63 letters, digits, `-`, `_` and `.`, a letter or digit first and last',
      };

/** `name` or `prefix/name` */
export const labelKey: ValueJudge<string> = (value) => {
  const [name = '', prefix, ...more] = value.split('/').toReversed();
  const isSound =
    more.length === 0 &&
    /^[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?$/.test(name) &&
    (prefix === undefined || (prefix.length <= 253 && dnsName.test(prefix) && !prefix.startsWith('*')));
  return isSound
    ? undefined
    : { wrong: `${show(value)} cannot be the key of a label or a taint`, right: 'disk or example.org/disk' };
};

/** Labels that kubelet and kubeadm give a node, and would give it again. */
export const reservedLabel: ValueJudge<string> = (key) =>
  /^(?:kubernetes\.io\/(?:hostname|os|arch)|beta\.kubernetes\.io\/.*)$/.test(key)
    ? { wrong: `the kubelet itself says ${key}`, right: 'a key of your own, like example.org/disk' }
    : /^node-role\.kubernetes\.io\/(?:control-plane|master)$/.test(key)
      ? { wrong: `${key} follows from \`roles\``, right: 'remove the key' }
      : undefined;

export const reservedTaint: ValueJudge<string> = (key) =>
  key.startsWith('node.kubernetes.io/')
    ? { wrong: `Kubernetes gives and takes ${key} by itself`, right: 'a key of your own, like dedicated' }
    : reservedLabel(key);

const exampleUrl = 'https://mirror.example.org/kubernetes';
