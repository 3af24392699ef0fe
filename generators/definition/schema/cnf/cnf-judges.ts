import { matching, portPattern, show } from '../judges.ts';
import type { ValueJudge, KeyVerdict } from '../key.ts';
import { objectName } from '../storage/storage-judges.ts';

/** A DNS label: namespaces, and what becomes a part of other names. */
export const label = matching(
  /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
  'a name that Kubernetes takes',
  'small letters, digits and hyphens, like tenant-a',
);

/** A class of storage, or an empty text. */
export const classOrNone: ValueJudge<string> = (value) => (value === '' ? undefined : objectName(value));

/** As VNFDs write them. */
export const aspectName = matching(
  /^[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?$/,
  'a name of an aspect',
  'letters, digits, `_`, `-` and `.`, like vdu1_aspect',
);

/** A path in which `*` may stand for any part of the name of the file, not of a folder. */
export const manifestPath: ValueJudge<string> = (value) => {
  if (!/^\S(?:.*\S)?$/u.test(value)) return { wrong: `${show(value)} is not a path`, right: 'manifests/web.yaml' };
  return /[*?[\]{}].*\//u.test(value)
    ? { wrong: `${show(value)} has a wildcard in the name of a folder`, right: 'manifests/web/*.yaml' }
    : undefined;
};

export const apiVersion = matching(
  /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?\/)?v[1-9]\d*(?:(?:alpha|beta)[1-9]\d*)?$/,
  'a version of an API of Kubernetes',
  'cert-manager.io/v1',
);

export const kindWord = matching(/^[A-Z][A-Za-z0-9]{0,62}$/, 'a kind of Kubernetes', 'Certificate');

export const conditionWord = matching(/^[A-Z][A-Za-z0-9]{0,62}$/, 'a type of a condition', 'Available');

/** As RBAC writes them: an empty text is the core group. */
export const apiGroup = matching(/^(?:\*|[a-z0-9.-]*)$/, 'a group of the API', '"" for the core group, or apps');
export const resourceWord = matching(/^(?:\*|[a-z0-9-]+(?:\/(?:\*|[a-z0-9-]+))?)$/, 'a resource of the API', 'pods or pods/log');
export const verbWord = matching(/^(?:\*|[a-z]+)$/, 'a verb of RBAC', 'get');

/** `80`, `8000-8080/UDP` or the name of a port of the pods, in which is a letter. */
export const policyPort: ValueJudge<string> = (value) => {
  const [, first = '', last = first] = portRange.exec(value) ?? [];
  if (first !== '' && Number(last) < Number(first))
    return { wrong: `${show(value)} ends before it begins`, right: '"8000-8080"' };
  return first !== '' || portName.test(value)
    ? undefined
    : { wrong: `${show(value)} is not a port`, right: '"80", "53/UDP", "8000-8080" or the name of a port of the pods' };
};

const portRange = new RegExp(`^(${portPattern})(?:-(${portPattern}))?(?:/(?:TCP|UDP|SCTP))?$`);
/** As Kubernetes takes it (`IsValidPortName`). */
const portName = /^(?=.{1,15}$)(?=.*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** What `helm template --set` takes. */
export const helmSetting = matching(/^[A-Za-z][\w.[\]\\-]*=.*$/u, 'a setting of a chart', 'image.tag=2');

export const resourceAmount = matching(
  /^\d+(?:\.\d+)?(?:[KMGTPE]i|[mkMGTPE])?$/,
  'an amount as Kubernetes writes it',
  '"500m" or 1Gi',
);

/** Amounts by the names of resources. */
export const amounts = (values: Readonly<Record<string, unknown>>): readonly KeyVerdict[] =>
  Object.entries(values).flatMap(([key, value]) => {
    if (!/^[a-z][a-z0-9./-]{0,100}$/.test(key))
      return [{ path: [key], wrong: `${show(key)} is no resource of Kubernetes`, right: 'pods, requests.cpu or limits.memory' }];
    const verdict = resourceAmount(String(value));
    return verdict ? [{ ...verdict, path: [key] }] : [];
  });
