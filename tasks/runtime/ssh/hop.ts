import type { Secret } from '../secrets/secret.ts';
import { hostInUrl } from '../../../generators/source/networks.ts';

/** One machine on the way to the Ansible server, or the server itself; nothing is left to be looked up. */
export interface Hop {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly auth: Auth;
  readonly trust: Trust;
}

export interface Auth {
  /** Socket of an SSH agent, or empty. */
  readonly agent: string;
  /** The agent may offer only the keys below. */
  readonly identitiesOnly: boolean;
  readonly keys: readonly {
    readonly path: string;
    readonly passphrase: Secret | undefined;
    readonly asked: boolean;
  }[];
  readonly password: Secret | undefined;
}

/** What tells whether a host key is the right one. There is no value that accepts all. */
export interface Trust {
  /** `SHA256:…` or `ssh-ed25519 AAAA…`; empty: the files decide. */
  readonly pin: string;
  readonly files: readonly string[];
  /** The name that the files know it by: a host, or an alias that the user's configuration gives. */
  readonly name: string;
  readonly port: number;
}

export const hopName = ({ user, host, port }: Pick<Hop, 'user' | 'host' | 'port'>): string =>
  `${user}@${hostInUrl(host)}${port === 22 ? '' : `:${port}`}`;
