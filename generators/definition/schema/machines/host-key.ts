import { show } from '../judges.ts';
import type { ValueJudge } from '../key.ts';

/** A public host key as `ssh-keyscan` prints it, without the host; a comment at its end is allowed. */
export const publicKey: ValueJudge<string> = (value) =>
  isPublicKey(value)
    ? undefined
    : value.startsWith('SHA256:')
      ? { wrong: 'a fingerprint is not enough here: known_hosts holds whole keys', right: example }
      : { wrong: `${show(value)} is not a public host key`, right: example };

export const publicKeyOrFingerprint: ValueJudge<string> = (value) =>
  /^SHA256:[A-Za-z0-9+/]{43}=?$/.test(value) ? undefined : publicKey(value);

/** `type base64`, without the comment. */
export const withoutComment = (key: string): string => key.split(' ').slice(0, 2).join(' ');

function isPublicKey(value: string): boolean {
  const [type = '', base64 = ''] = value.split(' ');
  const fields = types.get(type);
  if (fields === undefined || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return false;
  const found = fieldsOf(Buffer.from(base64, 'base64'));
  return found?.[0] === type && found.length === fields && (type !== 'ssh-ed25519' || found[1]?.length === 32);
}

/** An SSH public key is a row of fields, each after its length in four bytes; undefined if it is cut. */
function fieldsOf(blob: Buffer): string[] | undefined {
  const fields: string[] = [];
  let at = 0;
  while (at + 4 <= blob.length) {
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) return undefined;
    fields.push(blob.toString('latin1', at + 4, end));
    at = end;
  }
  return at === blob.length ? fields : undefined;
}

const types = new Map([
  ['ssh-ed25519', 2],
  ['ecdsa-sha2-nistp256', 3],
  ['ecdsa-sha2-nistp384', 3],
  ['ecdsa-sha2-nistp521', 3],
  ['ssh-rsa', 3],
  ['sk-ssh-ed25519@openssh.com', 3],
  ['sk-ecdsa-sha2-nistp256@openssh.com', 4],
]);

const example = 'a line of `ssh-keyscan -t ed25519 HOST` without the host, like ssh-ed25519 AAAA…';
