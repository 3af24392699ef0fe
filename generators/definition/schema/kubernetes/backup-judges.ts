import { show } from '../judges.ts';
import type { ValueJudge } from '../key.ts';
import { publicKey } from '../machines/host-key.ts';

/** A public key to which age encrypts: its own kind, or one of SSH that is Ed25519. */
export const recipient: ValueJudge<string> = (value) => {
  // A private key is never repeated.
  if (/^AGE-SECRET-KEY|PRIVATE KEY/i.test(value))
    return { wrong: 'this is a private key, which never belongs in a definition', right: publicHalf };
  if (value.startsWith('ssh-ed25519 ')) return publicKey(value) === undefined ? undefined : noRecipient(value);
  return isRecipient(value) ? undefined : noRecipient(value);
};

const noRecipient = (value: string): { readonly wrong: string; readonly right: string } => ({
  wrong: `${show(value)} is no public key that snapshots are encrypted to, or a letter of it is wrong`,
  right: publicHalf,
});

const publicHalf = 'what `age-keygen` says behind `Public key:`, like age1…, or a key like ssh-ed25519 AAAA…';

/** `age1` and 32 bytes in Bech32, whose last six letters are a checksum of the others. */
function isRecipient(value: string): boolean {
  const values = Array.from(value.slice('age1'.length), (letter) => letters.indexOf(letter));
  if (!value.startsWith('age1') || values.length !== 58 || values.includes(-1)) return false;
  const [a, g, e] = [1, 7, 5];
  return checksum([3, 3, 3, 0, a, g, e, ...values]) === 1;
}

const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

/** As BIP 173 says. */
const checksum = (values: readonly number[]): number =>
  values.reduce((sum, value) => {
    const shifted = ((sum & 0x1_ff_ff_ff) << 5) ^ value;
    return generator.reduce((each, term, bit) => (((sum >>> 25) >> bit) & 1 ? each ^ term : each), shifted);
  }, 1);

const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** A scheme, a host and perhaps a port: the bucket is put behind it. */
export const endpointUrl: ValueJudge<string> = (value) =>
  value.includes('@')
    ? { wrong: 'a user or a password in this URL would be readable in every file', right: exampleEndpoint }
    : /^https?:\/\/(?:[A-Za-z0-9][\w.-]*|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?\/?$/.test(value) && URL.canParse(value)
      ? undefined
      : { wrong: `${show(value)} is not the URL of an S3 server alone`, right: exampleEndpoint };

const exampleEndpoint = 'https://s3.example.org';

/** Absolute, or below the folder where the user arrives, which most servers make the root. */
export const remoteFolder: ValueJudge<string> = (value) =>
  /^\/?[\w@+-][\w.@+-]*(?:\/(?!\.{1,2}(?:\/|$))[\w.@+-]+)*$/.test(value)
    ? undefined
    : {
        wrong: `${show(value)} is not a folder that is safe to name`,
        right: 'an absolute one, or one below the home of the user, without spaces and `..`, like /srv/etcd',
      };
