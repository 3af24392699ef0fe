import { jumpHost } from '../definition/schema/judges.ts';
import { parseAddress } from '../source/networks.ts';
import { unquote } from './inventory/ini.ts';

/** The way to a host, as arguments of ssh say it. */
export interface JumpRoute {
  /** As OpenSSH writes a jump host; undefined: the host is reached directly. */
  readonly host: string | undefined;
  /** Whether they say nothing besides, but for how host keys are verified, which happens all the same. */
  readonly isAlone: boolean;
}

/**
 * The jump host of `-J`, of `ProxyJump`, or of a `ProxyCommand` with `-W`; of several the first counts, as for ssh.
 * Undefined where none is named, or a way that is no single jump host.
 */
export function jumpIn(args: string): JumpRoute | undefined {
  const said = argumentsIn(wordsIn(withoutJinja(args)));
  const way = said.options.find(isRoute);
  if (way === undefined) return undefined;
  const { isCommand, text } = routeOf(way);
  const besides = { ...said, options: said.options.filter((each) => each !== way) };
  const isAlone = isPlain(besides, []);
  if (text.toLowerCase() === 'none') return { host: undefined, isAlone };
  if (!isCommand) return routeTo(text, isAlone);
  // Without quotes the rest of the command stands among the arguments.
  if (text === 'ssh') return routeBy(besides, true);
  const [program = '', ...words] = wordsIn(text);
  return /(?:^|\/)ssh$/.test(program) ? routeBy(argumentsIn(words), isAlone) : undefined;
}

/** Whether they name a way to the host, be it one that no definition could say. */
export const namesRoute = (args: string): boolean =>
  argumentsIn(wordsIn(withoutJinja(args))).options.some(isRoute);

interface SshOption {
  readonly letter: string;
  readonly value: string;
}

interface SshArguments {
  readonly options: readonly SshOption[];
  /** The host, and a command for it. */
  readonly words: readonly string[];
}

/** kubespray's own no_floating.yml names a key at the end, if there is one; quotes inside of an expression are its own. */
const withoutJinja = (text: string): string =>
  text.replaceAll(/\{%-?\s*if\b[^]*?\bendif\s*-?%\}/g, ' ').replaceAll(/\{\{[^]*?\}\}/g, '{{}}');

/** As a shell splits them. */
const wordsIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*'|["'\\])+/g)].map(([raw]) => unquote(raw));

/** As ssh reads them: options stand before and behind the host, and those without a value may be joined. */
function argumentsIn(all: readonly string[]): SshArguments {
  const options: SshOption[] = [];
  const words: string[] = [];
  for (let at = 0; at < all.length; at += 1) {
    const word = all[at] ?? '';
    const [, flags, letter, value = ''] = optionWord.exec(word) ?? [];
    if (flags === undefined && !word.startsWith('-')) words.push(word);
    else options.push(...(flags?.split('') ?? [word]).map((each) => ({ letter: each, value: '' })));
    if (letter === undefined) continue;
    if (value === '') at += 1;
    options.push({ letter, value: value === '' ? (all[at] ?? '') : value });
  }
  return { options, words };
}

const optionWord = /^-([46AaCfGgKkMNnqsTtVvXxYy]*)(?:([BbcDEeFIiJLlmOoPpQRSWw])(.*))?$/s;

const isRoute = ({ letter, value }: SshOption): boolean =>
  letter === 'J' || (letter === 'o' && /^proxy(?:jump|command)\b/i.test(value));

function routeOf({ letter, value }: SshOption): { readonly isCommand: boolean; readonly text: string } {
  const [, kind = 'jump', text = value] =
    (letter === 'o' ? /^proxy(jump|command)[\s=]*(.*)$/is.exec(value) : undefined) ?? [];
  return { isCommand: kind.toLowerCase() === 'command', text: text.trim() };
}

/** The host of a command that leads on with `-W`, with the user and the port that stand before or behind it. */
function routeBy(command: SshArguments, isAlone: boolean): JumpRoute | undefined {
  const [said = '', ...more] = command.words;
  const valueOf = (wanted: string): string | undefined =>
    command.options.find(({ letter }) => letter === wanted)?.value;
  if (more.length > 0 || valueOf('W') === undefined || command.options.some(isElsewhere)) return undefined;
  const at = said.lastIndexOf('@');
  const user = at < 0 ? valueOf('l') : said.slice(0, at);
  const host = said.slice(at + 1);
  const name = parseAddress(host)?.family === 6 ? `[${host}]` : host;
  const port = valueOf('p') ?? '22';
  return routeTo(
    `${user === undefined ? '' : `${user}@`}${name}${port === '22' ? '' : `:${port}`}`,
    isAlone && isPlain({ ...command, words: [] }, ['W', 'l', 'p']),
  );
}

/** What leads through another host, or somewhere else than the words say. */
const isElsewhere = (option: SshOption): boolean =>
  isRoute(option) || (option.letter === 'o' && /^(?:host(?:name)?|port|user)\b/i.test(option.value));

const routeTo = (host: string, isAlone: boolean): JumpRoute | undefined =>
  jumpHost(host) === undefined ? { host, isAlone } : undefined;

/** Whether they say nothing but these options, and how host keys are verified. */
const isPlain = ({ options, words }: SshArguments, letters: readonly string[]): boolean =>
  words.length === 0 &&
  options.every(
    ({ letter, value }) =>
      letter === 'q' ||
      letters.includes(letter) ||
      (letter === 'o' && /^(?:StrictHostKeyChecking|UserKnownHostsFile)\b/i.test(value)),
  );
