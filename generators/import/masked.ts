import { maskSecrets } from '../source/mask.ts';
import { nearest } from '../source/nearest.ts';
import { showProblems, type Problems } from '../source/problems.ts';
import { roleVariables } from '../catalog/kubespray/role-variables.ts';
import { documentedVariables } from '../catalog/kubespray/variables.ts';
import { isHarmless, isLikeSecret, isPath, isPlainUrl } from './secret-values.ts';
import { readJson } from '../source/foreign/json.ts';
import type { ForeignNode, Text, TextPlace } from '../source/foreign/node.ts';

/** Problems of several files, each with its line; what may be a secret is shown as `*`. */
export const showAll = (problems: Problems, texts: readonly Text[]): string =>
  [...texts, ...strangers(problems, texts)]
    .map((source) =>
      showProblems(
        problems
          .filter(({ file }) => file === source.file)
          .toSorted((a, b) => a.line - b.line || a.column - b.column),
        isTyped(source) ? maskWords(source.text) : maskAssignments(source.text),
      ),
    )
    .filter((shown) => shown !== '')
    .join('\n');

/** What a person typed beside the task. */
const isTyped = ({ file }: Text): boolean => file === 'the command line' || file === 'the options';

/** Options, and words that can only be addresses. */
const maskWords = (text: string): string =>
  text.replaceAll(/\S+/g, (word) => (/^(?:--[a-z-]+|[\d.:,[\]/a-f-]+)$/i.test(word) ? word : hidden(word)));

/** Problems of files whose text is not at hand. */
const strangers = (problems: Problems, texts: readonly Text[]): Text[] =>
  [...new Set(problems.map(({ file }) => file))]
    .filter((file) => !texts.some((text) => text.file === file))
    .map((file) => ({ file, text: '' }));

/**
 * Data of somebody else without its secrets: they are never written, not even as a comment. A text is copied when its variable is
 * documented to hold no secret, or when it can be none; whatever looks like a key or a token never is.
 */
export function withoutSecrets(data: unknown, key = '', isKnown = false): unknown {
  if (Array.isArray(data)) return data.map((each) => withoutSecrets(each, key, isKnown));
  if (typeof data === 'object' && data !== null)
    return Object.fromEntries(
      Object.entries(data).map(([name, each]) => [
        isLikeSecret(name) ? leftOut(name) : name,
        withoutSecrets(each, name, isDocumented(name) || (isKnown && !isSecretName(name))),
      ]),
    );
  if (typeof data === 'number') return isPasswordName(key) ? leftOut(String(data)) : data;
  return typeof data === 'string' && data !== '' ? textWithoutSecrets(data, key, isKnown) : data;
}

function textWithoutSecrets(text: string, key: string, isKnown: boolean): string {
  if (/^(?:true|false|yes|no|on|off)$/i.test(text)) return text;
  if (isLikeSecret(text)) return leftOut(text);
  const plain = withoutCredentials(text);
  if (isPlainUrl(plain) && !isPasswordName(key)) return plain;
  const isCopied = isKnown || (!isSecretName(key) && (isHarmless(text) || isPath(text)));
  return isCopied ? plain : leftOut(text);
}

const isDocumented = (name: string): boolean =>
  documentedVariables.has(name) || roleVariables.has(name) || tackerKeys.has(name);

/** What Tacker's requests say of a VNF beside the cluster. */
const tackerKeys = new Set(
  'script_path helm_installation_script_path lcm-operation-user-data lcm-operation-user-data-class lcm-kubernetes-def-files namespace export_dir export_to mount_to pv_manifest_file_path certificate_path hosts_string transferring_inventory_path kubespray_root_path'.split(
    ' ',
  ),
);

/** The same URL without a user and a password in it. */
export const withoutCredentials = (text: string): string => text.replaceAll(/:\/\/[^/\s@]*@/g, '://');

/** Whether a key asks for a secret, be it misspelt. */
export function isSecretName(key: string): boolean {
  if (harmless.test(key)) return false;
  const words = [...key.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/), key.replaceAll(/[^A-Za-z]/g, '')];
  return secretKey.test(key) || words.some((word) => word.length > 4 && nearest(word, usual) !== undefined);
}

const usual = ['password', 'passwd', 'secret', 'token'];
const leftOut = (text: string): string => `(left out; ${text.length} characters)`;

/** A name that ends with the word for a secret itself: a number under it is one too. */
const isPasswordName = (key: string): boolean =>
  /(?:^|[^a-z])(?:pass|passwd|password|passphrase|pwd?|pin|psk|secret)$/i.test(
    key.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_'),
  );
const secretKey =
  /pass|pasw|secret|token|credential|(?:^|[_-])(?:pwd?|psk|pin|dsn|auth)(?:$|[_-])|(?:^|[_-])key(?:$|[_-]id$)|apikey|private_?key|access_?key|community|certificate_?key|encrypt/i;
const harmless = /file|path|enabled|secret_?name/i;

/** Only lines of a form that is known are shown: in any other a quote or a sign may be missing before a secret. */
const maskAssignments = (text: string): string => {
  const inOneLine = jsonLine(text.trimEnd());
  if (inOneLine !== undefined) return inOneLine;
  const masked = maskSecrets(text);
  return isOurs(text) ? masked : masked.replaceAll(/[^\r\n]+/g, isIni(text) ? iniLine : keyLine);
};

/** What was written here holds no secret. */
const isOurs = (text: string): boolean => text.startsWith('# yaml-language-server: ');

/** JSON in one line, as curl prints it: its keys, and values that can be no secret; undefined where it is something else. */
function jsonLine(line: string): string | undefined {
  const read = /^[{[][^\r\n]*$/.test(line) ? readJson({ file: '', text: line }) : undefined;
  if (!read?.ok) return undefined;
  const shown = shownPlaces(read.value, '').toSorted((a, b) => a.column - b.column);
  const ends = [...shown.map(({ column }) => column - 1), line.length];
  return shown.reduce(
    (text, { column, length }, index) => {
      const end = column - 1 + length;
      return text + line.slice(column - 1, end) + hidden(line.slice(end, ends[index + 1]));
    },
    hidden(line.slice(0, ends[0])),
  );
}

function shownPlaces(node: ForeignNode, key: string): readonly TextPlace[] {
  if (node.kind === 'list') return node.items.flatMap((item) => shownPlaces(item, key));
  if (node.kind === 'scalar')
    return isHarmless(node.text) && !isSecretName(key) && !isPasswordName(key) ? [node.place] : [];
  return node.entries.flatMap((each) => [
    ...(isLikeSecret(each.key) ? [] : [each.keyPlace]),
    ...shownPlaces(each.value, each.key),
  ]);
}

const isIni = (text: string): boolean => /^\s*\[[\w.:-]+\]?\s*$/m.test(text);

/** `"key": value`, or brackets; of everything else the words are hidden. */
function keyLine(line: string): string {
  const [, before = '', key = ''] =
    /^(\s*(?:- )?"?([\w. -]+?)"?\s*:)(?:\s*(?:"[^"]*"|'[^']*'|[^"']*))$/.exec(line.replace(/,\s*$/, '')) ??
    [];
  if (key === '') return hidden(line);
  const value = line.slice(before.length);
  return isSecretName(key) || isLikeSecret(value) ? before + stars(value) : line;
}

/** A host and `name=value`, of which a value is shown where its name is known to be harmless. */
function iniLine(line: string): string {
  if (/^\s*(?:[[#;]|$)/.test(line)) return line;
  const words = [...line.matchAll(/\S+=(?:"[^"]*"|'[^']*'|[^\s"'=]*)(?=\s|$)|\S+/g)];
  const isKnown = words.every(
    ({ 0: word }, index) => (index === 0 && !/[="']/.test(word)) || /^[^\s="']+=[^=]*$/.test(word),
  );
  if (!isKnown) return hidden(line);
  return line.replaceAll(/(\S+?)=("[^"]*"|'[^']*'|[^\s"']*)/g, (all, name: string) =>
    shownKey.test(name) ? all : name + '='.padEnd(all.length - name.length, '*'),
  );
}

const stars = (text: string): string => '*'.repeat(text.length);

const hidden = (line: string): string => line.replaceAll(/[^\s{}[\],:"'=]/g, '*');

const shownKey =
  /^(?:ansible_(?:ssh_)?(?:host|port|user|connection|private_key_file)|ip6?|access_ip6?|etcd_member_name|\w*(?:_ip|_address|_addresses|_subnet|_cidr|_port|_version|_vip|_enabled|_plugin))$/i;
