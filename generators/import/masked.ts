import { maskSecrets } from '../definition/mask.ts';
import { nearest } from '../definition/nearest.ts';
import { showFaults, type Faults } from '../definition/faults.ts';
import type { Text } from './source/node.ts';

/** Faults of several files, each with its line; what may be a secret is shown as `*`. */
export const showAll = (faults: Faults, texts: readonly Text[]): string =>
  [...texts, ...strangers(faults, texts)]
    .map(({ file, text }) =>
      showFaults(
        faults
          .filter((fault) => fault.file === file)
          .toSorted((a, b) => a.line - b.line || a.column - b.column),
        maskAssignments(text),
      ),
    )
    .filter((shown) => shown !== '')
    .join('\n');

/** Faults of files whose text is not at hand. */
const strangers = (faults: Faults, texts: readonly Text[]): Text[] =>
  [...new Set(faults.map(({ file }) => file))]
    .filter((file) => !texts.some((text) => text.file === file))
    .map((file) => ({ file, text: '' }));

/** Data of somebody else without its secrets: they are never written, not even as a comment. */
export function withoutSecrets(data: unknown, key = ''): unknown {
  if (Array.isArray(data)) return data.map((each) => withoutSecrets(each, key));
  if (typeof data === 'object' && data !== null)
    return Object.fromEntries(Object.entries(data).map(([name, each]) => [name, withoutSecrets(each, name)]));
  if (data === null || data === '') return data;
  if (isSecretName(key)) return leftOut;
  if (typeof data !== 'string') return data;
  return /(?:pass|pasw|secret|token|credential)\w*\s*[=:]/i.test(data) ? leftOut : withoutCredentials(data);
}

/** The same URL without a user and a password in it. */
export const withoutCredentials = (text: string): string => text.replaceAll(/:\/\/[^/\s@]*@/g, '://');

/** Whether a key asks for a secret, be it misspelt. */
export function isSecretName(key: string): boolean {
  if (harmless.test(key)) return false;
  const words = [...key.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/), key.replaceAll(/[^A-Za-z]/g, '')];
  return secretKey.test(key) || words.some((word) => word.length > 4 && nearest(word, usual) !== undefined);
}

const usual = ['password', 'passwd', 'secret', 'token'];
const leftOut = '(a secret; left out)';
const secretKey =
  /pass|pasw|secret|token|credential|private_?key|accesskey|community|certificate_?key|encrypt/i;
const harmless = /file|path|enabled|secret_?name/i;

/** Only lines of a form that is known are shown: in any other a quote or a sign may be missing before a secret. */
const maskAssignments = (text: string): string => {
  const masked = maskSecrets(text);
  return isOurs(text) ? masked : masked.replaceAll(/[^\r\n]+/g, isIni(text) ? iniLine : keyLine);
};

/** What was written here holds no secret. */
const isOurs = (text: string): boolean => text.startsWith('# yaml-language-server: ');

const isIni = (text: string): boolean => /^\s*\[[\w.:-]+\]?\s*$/m.test(text);

/** `"key": value`, or brackets; of everything else the words are hidden. */
function keyLine(line: string): string {
  const [, before = '', key = ''] =
    /^(\s*(?:- )?"?([\w. -]+?)"?\s*:)(?:\s*(?:"[^"]*"|'[^']*'|[^"']*))$/.exec(line.replace(/,\s*$/, '')) ??
    [];
  if (key === '') return hidden(line);
  return isSecretName(key) ? before + stars(line.slice(before.length)) : line;
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
