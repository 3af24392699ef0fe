import { load as parseYaml } from 'js-yaml';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';

/** What a file that the Ansible server gives may say: keys → what stands below each. */
type CredentialShape = 'text' | ShapeFields | readonly [CredentialShape];
interface ShapeFields {
  readonly [key: string]: CredentialShape;
}

/** A list of them. */
const textCredential = (key: string, fields: ShapeFields): CredentialShape => [
  { name: 'text', [key]: fields },
];

/**
 * All that kubeadm and our playbooks write. Every other key of the format is refused, since kubectl would act on it: `exec`
 * and `auth-provider` run programs, `proxy-url` and `insecure-skip-tls-verify` lead elsewhere, names of files read files here.
 */
const kubeconfig: ShapeFields = {
  apiVersion: 'text',
  kind: 'text',
  'current-context': 'text',
  preferences: {},
  clusters: textCredential('cluster', {
    server: 'text',
    'certificate-authority-data': 'text',
    'tls-server-name': 'text',
  }),
  contexts: textCredential('context', { cluster: 'text', user: 'text', namespace: 'text' }),
  users: textCredential('user', {
    'client-certificate-data': 'text',
    'client-key-data': 'text',
    token: 'text',
  }),
};

const vim: ShapeFields = {
  auth_url: 'text',
  project_name: 'text',
  bearer_token: 'text',
  ssl_ca_cert: 'text',
  type: 'text',
};

/** Whether a kubeconfig of the server holds credentials and nothing that acts. */
export const judgeKubeconfig = (text: string): Result<void, Failure> => judge('kubeconfig', text, kubeconfig);

/** The same of the file that registers a VIM at Tacker. */
export const judgeVim = (text: string): Result<void, Failure> => judge('file for Tacker', text, vim);

function judge(what: string, text: string, shape: ShapeFields): Result<void, Failure> {
  const strange = text.length > mostCharacters ? ['more than 1 MB'] : strangeIn(text, shape);
  return strange.length === 0
    ? ok(undefined)
    : failed({
        kind: 'server',
        message: `the ${what} on the Ansible server holds what no playbook writes: ${strange.slice(0, 5).join(', ')}; nothing was kept here`,
        evidence: '',
        next: 'Do not use it before you know who wrote it: look at the file and at who reaches the Ansible server',
      });
}

const mostCharacters = 1_000_000;

function strangeIn(text: string, shape: ShapeFields): readonly string[] {
  try {
    // Aliases would let a small text stand for a large one.
    return /(?:^|[\s[{,:-])[&*][^\s,\]}]/m.test(text) ? ['anchors'] : differing(parseYaml(text), shape, '');
  } catch {
    return ['no YAML'];
  }
}

function differing(value: unknown, shape: CredentialShape, at: string): readonly string[] {
  if (shape === 'text')
    return value === null || ['string', 'number'].includes(typeof value) ? [] : [showPath(at)];
  if (isList(shape)) {
    if (value === null) return [];
    return Array.isArray(value) ? value.flatMap((each) => differing(each, shape[0], at)) : [showPath(at)];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [showPath(at)];
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = at === '' ? key : `${at}.${key}`;
    const wanted = Object.hasOwn(shape, key) ? shape[key] : undefined;
    return wanted === undefined ? [showPath(path)] : differing(inner, wanted, path);
  });
}

const isList = (shape: CredentialShape): shape is readonly [CredentialShape] => Array.isArray(shape);

/** A key of a stranger's, as it may be printed. */
const showPath = (path: string): string => {
  if (path === '') return 'no mapping';
  return /^[\w.-]{1,80}$/.test(path) ? path : 'a key with odd characters';
};
