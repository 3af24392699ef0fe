/**
 * Where a secret comes from. The value never enters a cluster, a bundle or a record. Paths are absolute, `~/…`, or
 * relative to the folder of the definition.
 */
export type SecretReference =
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'command'; readonly argv: readonly string[] }
  /** A key of an Ansible Vault file that the user keeps in git; `password` opens it. */
  | {
      readonly kind: 'vault';
      readonly path: string;
      readonly key: string;
      readonly password: SecretReference;
    };

export interface SecretUse {
  /** `vault_…`, the only thing about it that a playbook knows. */
  readonly variable: string;
  /** Where in the definition it is asked for, like `controlPlaneEndpoint.loadBalancer.haproxy.stats.password`. */
  readonly path: string;
  readonly reference: SecretReference;
  /** The only runs that it is fetched for; absent: every run of this cluster. */
  readonly runs?: readonly SecretRun[];
}

/** Runs of a playbook; with `given` only those that are told this variable. */
export interface SecretRun {
  readonly playbook: string;
  readonly given?: string;
}

/** Which runs `npx task gc` keeps: the latest ones, and all that are younger than so many days. */
export interface Retention {
  readonly runs: number;
  readonly days: number;
}

export type AnsibleServer =
  | {
      readonly kind: 'local';
      readonly directory: string;
      readonly retention: Retention;
      readonly ansible: AnsibleInstallation;
    }
  | {
      readonly kind: 'ssh';
      /** A name of the user's `~/.ssh/config` works here too. */
      readonly host: string;
      /** 0 and empty texts below: whatever `~/.ssh/config` says, else OpenSSH's defaults. */
      readonly port: number;
      readonly user: string;
      readonly auth: ServerAuth;
      /** `SHA256:…` or `ssh-ed25519 AAAA…`; empty: the user's known_hosts decides. */
      readonly hostKey: string;
      readonly proxyJump: string;
      /** Holds bundles, runs, locks and records: absolute, or `~/…` in the home of who logs in there. */
      readonly directory: string;
      readonly retention: Retention;
      /** The password for sudo there; only bootstrap needs it. */
      readonly becomePassword: SecretReference | null;
      readonly ansible: AnsibleInstallation;
    };

/** How `npx task bootstrap` installs Ansible on the Ansible server. */
export type AnsibleInstallation =
  | { readonly kind: 'packages' }
  | { readonly kind: 'venv'; readonly ansibleCore: string; readonly ansibleRunner: string };

export type ServerAuth =
  /** Agent first, then the keys that `~/.ssh/config` or OpenSSH's defaults name. */
  | { readonly kind: 'default' }
  | { readonly kind: 'agent' }
  | { readonly kind: 'privateKey'; readonly path: string; readonly passphrase: SecretReference | null }
  | { readonly kind: 'password'; readonly password: SecretReference };
