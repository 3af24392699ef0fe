import { createHash, randomBytes } from 'node:crypto';
import type { Lab } from '../../../lab/index.ts';
import { etcdctl } from './etcd.ts';

/** The definition of a lab with an audit log and with Secrets encrypted under what `variable` holds. */
export const guarded = (definition: string, variable: string): string =>
  definition.replace(
    'installer: { kubeadm: { ',
    `$&audit: { level: request, keepDays: 3, keepFiles: 2, megabytes: 40 }, encryption: { secretKey: { env: ${variable} } }, `,
  );

/** A new key, as a person makes one. */
export const newKey = (): string => randomBytes(32).toString('base64');

/** What begins everything that is stored under a key. */
export const markOf = (key: string): string =>
  `k8s:enc:secretbox:v1:key-${createHash('sha256').update(key).digest('hex').slice(0, 8)}:`;

/** The Secrets among what etcd holds that are not stored under the key. */
export const otherwise = (stored: string, key: string): readonly string[] =>
  [...stored.matchAll(/^\/registry\/secrets\/(\S+)\n([^\n]{0,80})/gm)].flatMap(
    ([, secret = '', value = '']) => (value.startsWith(markOf(key)) ? [] : [secret]),
  );

/** What the etcd member of a control plane holds of Secrets, as text: all of them, or one. */
export const storedSecrets = (lab: Lab, host: string, secret = ''): Promise<string> =>
  etcdctl(lab, host, 'get', '--prefix', `/registry/secrets/${secret}`);
