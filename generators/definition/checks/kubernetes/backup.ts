import { keyProblemAt, problemAt, type Finding, type Path } from '../../../source/finding.ts';
import { defaults } from '../../defaults.ts';
import type { Draft } from '../../schema/schema.ts';
import { hole, type Facts } from '../facts.ts';

/** Only what is encrypted leaves the Ansible server, each copy has a place of its own, and none is where others are deleted. */
export function backup({ draft }: Facts): readonly Finding[] {
  const written = draft.installer?.kubeadm?.backup;
  if (!written) return [];
  const path: Path = ['installer', 'kubeadm', 'backup'];
  const copies = (written.copies ?? []).map((copy, index) => ({ copy, path: [...path, 'copies', index] }));
  return [
    ...(written.copies !== undefined && written.encryptTo === undefined && !hole(written, 'encryptTo')
      ? [withoutEncryption([...path, 'copies'])]
      : []),
    ...repeatedKeys(written.encryptTo ?? [], [...path, 'encryptTo']),
    ...copies.flatMap((each) => [...overHttp(each), ...withinKept(each, draft)]),
    ...twice(copies, ({ name }) => name).map(([{ path: at }, name]) =>
      problemAt([...at, 'name'], `another copy is called ${name} as well`, 'a name of its own'),
    ),
    ...twice(copies, placeOf).map(([{ copy, path: at }]) =>
      problemAt(
        [...at, copy?.sftp ? 'sftp' : 's3'],
        'another copy lies in the same place',
        'another place, or remove the copy',
      ),
    ),
  ];
}

type CopyDraft = NonNullable<
  NonNullable<NonNullable<NonNullable<Draft['installer']>['kubeadm']>['backup']>['copies']
>[number];

interface CopyAt {
  readonly copy: CopyDraft;
  readonly path: Path;
}

const withoutEncryption = (path: Path): Finding =>
  keyProblemAt(
    path,
    'copies would hold every Secret of the cluster in plain text: no key is given to encrypt them to',
    'encryptTo: [age1…], with what `age-keygen` says behind `Public key:`',
  );

const repeatedKeys = (keys: readonly (string | undefined)[], path: Path): readonly Finding[] =>
  keys.flatMap((key, index) =>
    key !== undefined && keys.indexOf(key) < index
      ? [problemAt([...path, index], 'this key is listed twice', 'once')]
      : [],
  );

const overHttp = ({ copy, path }: CopyAt): readonly Finding[] =>
  copy?.s3?.endpoint?.startsWith('http://') === true &&
  copy.s3.allowHttp === undefined &&
  !hole(copy.s3, 'allowHttp')
    ? [
        problemAt(
          [...path, 's3', 'endpoint'],
          'without TLS nobody knows who answers there, and anybody on the way may delete copies',
          'https://…, or beside it `allowHttp: true` where that is known and wanted',
        ),
      ]
    : [];

/** On the Ansible server itself, inside the folder whose oldest files `keep` deletes. */
function withinKept({ copy, path }: CopyAt, draft: Draft): readonly Finding[] {
  const { host, directory } = copy?.sftp ?? {};
  const server = serverOf(draft);
  if (
    host === undefined ||
    directory === undefined ||
    !['localhost', '127.0.0.1', '::1', server.host].includes(host)
  )
    return [];
  const kept = `${server.directory ?? defaults.serverDirectory}/kept`;
  return isWithin(directory, kept)
    ? [
        problemAt(
          [...path, 'sftp', 'directory'],
          `this folder is inside of ${kept} on the Ansible server, where \`keep\` deletes the oldest: that is no copy`,
          'a folder on another server',
        ),
      ]
    : [];
}

/** Where a home is nobody knows here: what follows it is enough. */
const isWithin = (directory: string, folder: string): boolean =>
  folder.startsWith('~')
    ? `/${directory}/`.replace('//', '/').includes(`${folder.slice(1)}/`)
    : `${directory}/`.startsWith(`${folder}/`);

const serverOf = ({
  ansibleServer,
}: Draft): { readonly host?: string | undefined; readonly directory?: string | undefined } =>
  typeof ansibleServer === 'object' ? ansibleServer : {};

/** Each copy for which an earlier one says the same, and what that is. */
function twice(
  copies: readonly CopyAt[],
  of: (copy: NonNullable<CopyDraft>) => string | undefined,
): readonly (readonly [CopyAt, string])[] {
  const said = copies.map(({ copy }) => (copy ? of(copy) : undefined));
  return copies.flatMap((each, index) => {
    const text = said[index];
    return text !== undefined && said.indexOf(text) < index ? [[each, text] as const] : [];
  });
}

const placeOf = ({ sftp, s3 }: NonNullable<CopyDraft>): string | undefined => {
  if (hole(sftp, 'port') || hole(s3, 'prefix')) return undefined;
  const words = sftp
    ? [sftp.host, String(sftp.port ?? 22), sftp.directory]
    : [s3?.endpoint?.replace(/\/$/, ''), s3?.bucket, s3?.prefix ?? ''];
  return words.includes(undefined) ? undefined : words.join(' ');
};
