import {
  constants,
  createCipheriv,
  createHash,
  createPublicKey,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import type { SealedForNode } from '../agent/mesh-messages.ts';
import type { SealedSecrets } from '../agent/run-records.ts';

/** Seals secrets to one node: only its private key opens them, and only for the run with this token. `key` is PEM. */
export function sealForNode(
  secrets: SealedSecrets,
  { key, token }: { readonly key: string; readonly token: string },
): SealedForNode {
  const own = randomBytes(32);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', own, nonce).setAAD(Buffer.from(token));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(secrets)), cipher.final(), cipher.getAuthTag()]);
  const wrapped = publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, own);
  return {
    key: wrapped.toString('base64'),
    nonce: nonce.toString('base64'),
    sealed: sealed.toString('base64'),
  };
}

/** What a public key in PEM is compared by, in the form that OpenSSH gives to its own; empty where it is none. */
export function fingerprintOf(key: string): string {
  try {
    const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
    return `SHA256:${createHash('sha256').update(der).digest('base64').replace(/=+$/, '')}`;
  } catch {
    return '';
  }
}
