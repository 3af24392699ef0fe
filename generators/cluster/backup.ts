/** Snapshots of etcd. */
export interface Backup {
  /** How many are kept on the Ansible server. */
  readonly keep: number;
  /** Public keys as age takes them; absent where snapshots are not encrypted, so that nothing else changes. */
  readonly encryptTo?: readonly string[];
  /** Variable with the text of a private key; absent where nothing says how they are decrypted. */
  readonly identityVariable?: string;
  /** Absent where there are none. */
  readonly copies?: readonly SnapshotCopy[];
}

/** A place off the Ansible server. */
export interface SnapshotCopy {
  readonly name: string;
  /** How many snapshots of this cluster are kept there. */
  readonly keep: number;
  readonly place: SftpPlace | S3Place;
}

export interface SftpPlace {
  readonly kind: 'sftp';
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** A file on the Ansible server. */
  readonly privateKey: string;
  /** `ssh-ed25519 AAAA…` */
  readonly hostKey: string;
  /** There; absolute, or below where the user arrives. */
  readonly directory: string;
}

export interface S3Place {
  readonly kind: 's3';
  /** `https://s3.example.org`, without a slash at its end. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  /** Variables that hold the key and its identifier. */
  readonly accessKeyIdVariable: string;
  readonly secretAccessKeyVariable: string;
  /** A file on the Ansible server, or empty. */
  readonly ca: string;
}
