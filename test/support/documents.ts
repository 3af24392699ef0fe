import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import GitHubSlugger from 'github-slugger';
import { lexer, walkTokens, type Token } from 'marked';

export const root = join(import.meta.dirname, '../..');

/** One page of documentation: its path in the repository and what Markdown sees in it, outermost first. */
export interface Page {
  readonly path: string;
  readonly tokens: readonly Token[];
}

/** README, CONTRIBUTING and everything below docs/, in the order of their paths. */
export const pages: readonly Page[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))
    .sort(),
].map((path) => page(path, readFileSync(join(root, path), 'utf8')));

export function page(path: string, text: string): Page {
  const tokens: Token[] = [];
  void walkTokens(lexer(text), (token) => {
    tokens.push(token);
  });
  return { path, tokens };
}

/** A block between fences: the words after the first fence, and the text. */
export interface Fence {
  readonly language: string;
  readonly text: string;
}

export const fencesOf = ({ tokens }: Page): readonly Fence[] =>
  tokens.flatMap((token) =>
    token.type === 'code' ? [{ language: String(token.lang ?? ''), text: String(token.text) }] : [],
  );

/** What stands between backticks within a line. */
export const inlineCodeOf = ({ tokens }: Page): readonly string[] =>
  tokens.flatMap((token) => (token.type === 'codespan' ? [String(token.text)] : []));

/** Where links and images lead, as written. */
export const targetsOf = ({ tokens }: Page): readonly string[] =>
  tokens.flatMap((token) =>
    token.type === 'link' || token.type === 'image' ? [decodeURI(String(token.href))] : [],
  );

/** The names that GitHub gives to the headings of a page, to be linked to. */
export function anchorsOf({ tokens }: Page): ReadonlySet<string> {
  const slugger = new GitHubSlugger();
  return new Set(
    tokens.flatMap((token) => (token.type === 'heading' ? [slugger.slug(plain(token.text as string))] : [])),
  );
}

/** A heading without its marks; the slugger itself drops what is left of punctuation. */
const plain = (heading: string): string => heading.replaceAll(/\[([^\]]*)\]\([^)]*\)|`/g, '$1');
