import * as z from 'zod';
import { defaults } from '../../defaults.ts';
import { absolutePath, host, matching, name, user } from '../judges.ts';
import { list, map, oneOf, text, whole } from '../key.ts';
import { publicKey } from '../machines/host-key.ts';
import { secret } from '../secret.ts';
import { endpointUrl, recipient, remoteFolder } from './backup-judges.ts';

const { backup: own } = defaults.kubernetes;

const sftp = map(
  {
    host: text(host, { description: 'Its name or address', examples: ['backup.example.org'] }),
    port: whole(1, 65_535, { description: 'Its port', examples: [22], default: 22 }).optional(),
    user: text(user, { description: 'Who logs in there', examples: ['edge-a'] }),
    privateKey: text(absolutePath, {
      description: 'The private key for that, a file on the Ansible server without a passphrase',
      examples: ['~/.ssh/backup'],
    }),
    hostKey: text(publicKey, {
      description: 'The public host key of that server: no other is accepted',
      examples: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHpaCoSjuFvL7LqCbj2HiRUKUvMv8xH/c6bZ9GeC+fXb'],
    }),
    directory: text(remoteFolder, {
      description: 'A folder there, which is made if it is not there; each cluster has one of its own in it',
      examples: ['/srv/etcd'],
    }),
  },
  {
    description: "A folder of an SFTP server, reached from the Ansible server by OpenSSH's own `sftp`",
    examples: [
      { host: 'backup.example.org', user: 'edge-a', privateKey: '~/.ssh/backup', hostKey: '…', directory: '/srv/etcd' },
    ],
  },
).optional();

const s3 = map(
  {
    endpoint: text(endpointUrl, {
      description: 'The URL of the server, without the bucket, which is put behind it',
      examples: ['https://s3.example.org'],
    }),
    allowHttp: z
      .literal(true)
      .meta({
        description:
          'Allows an `endpoint` with `http://`: snapshots are encrypted and requests are signed all the same, but nobody knows who answers',
        examples: [true],
        absent: '`https://` alone',
      })
      .optional(),
    region: text(matching(/^[a-z0-9][a-z0-9-]{0,62}$/, 'a region', 'us-east-1'), {
      description: 'The region that requests are signed for',
      examples: ['eu-central-1'],
      default: own.region,
    }).optional(),
    bucket: text(matching(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'a name of a bucket', 'etcd'), {
      description: 'The bucket, which exists',
      examples: ['etcd'],
    }),
    prefix: text(matching(/^[\w-][\w.-]*\/(?:[\w-][\w.-]*\/)*$/, 'a prefix that ends with a slash', 'clusters/'), {
      description: 'What all keys begin with; each cluster has a prefix of its own behind it',
      examples: ['clusters/'],
      absent: 'nothing',
    }).optional(),
    accessKeyId: secret('The identifier of the key for that', 'S3_ACCESS_KEY_ID'),
    secretAccessKey: secret('The key', 'S3_SECRET_ACCESS_KEY'),
    ca: text(absolutePath, {
      description: 'A file on the Ansible server with the certificates of the authorities that vouch for that server',
      examples: ['/etc/playsmith/s3-ca.pem'],
      absent: 'those that the Ansible server trusts anyway',
    }).optional(),
  },
  {
    description: 'A bucket of S3, or of what speaks its protocol (Ceph, MinIO, Garage, …)',
    examples: [
      {
        endpoint: 'https://s3.example.org',
        bucket: 'etcd',
        accessKeyId: { env: 'S3_ACCESS_KEY_ID' },
        secretAccessKey: { env: 'S3_SECRET_ACCESS_KEY' },
      },
    ],
  },
).optional();

const copy = oneOf(
  {
    name: text(name, {
      description: 'Its name, by which `restore` is told where to fetch from',
      examples: ['offsite'],
    }),
    keep: whole(1, 1000, {
      description: 'How many snapshots of this cluster are kept there; older ones are deleted',
      examples: [30],
      default: own.keepCopies,
    }).optional(),
    sftp,
    s3,
  },
  {
    description: 'One place, of one kind',
    examples: [{ name: 'offsite', keep: 30, sftp: { host: 'backup.example.org' } }],
  },
  ['sftp', 's3'],
);

export const backup = map(
  {
    keep: whole(1, 1000, {
      description: 'How many snapshots are kept on the Ansible server; older ones are deleted',
      examples: [7],
      default: own.keep,
    }).optional(),
    encryptTo: list(
      text(recipient, {
        description: 'A public key: of age, or of SSH where that is Ed25519',
        examples: ['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'],
      }),
      {
        description:
          'Public keys to which snapshots are encrypted on the control plane, before they leave it. Any one of the private keys decrypts them',
        examples: [['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p']],
        absent: 'they are not encrypted',
      },
    ).optional(),
    decryptWith: secret(
      'One of the private keys: the whole file that `age-keygen` wrote, or a private key of SSH without a passphrase. Only `restore` asks for it',
      'BACKUP_IDENTITY',
    ).optional(),
    copies: list(copy, {
      description: 'Where each new snapshot is copied to, off the Ansible server. Only encrypted ones are',
      examples: [[{ name: 'offsite', sftp: { host: 'backup.example.org' } }]],
      absent: 'nowhere',
    }).optional(),
  },
  { description: 'Snapshots of etcd, which `npx task backup` makes', examples: [{ keep: 7 }] },
);

export type BackupDefinition = z.output<typeof backup>;
