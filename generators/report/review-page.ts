import { codeBlock, fenceAround, inlineText } from '../markdown.ts';

/** One thing that a review looks at. */
export interface ReviewCheck {
  readonly title: string;
  /** `skipped`: there is nothing to look at, for the reason that is said. */
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** What it said, as plain text: problems or warnings. */
  readonly said: string;
}

/** What a review found, in the order of the page. */
export interface Review {
  /** The definition as a person names it. */
  readonly file: string;
  readonly checks: readonly ReviewCheck[];
  /** Markdown of the plan and of the difference; empty: there is none. */
  readonly plan: string;
  readonly difference: string;
}

/** The first line of a page, by which a later review of the same definition finds it. */
export const reviewMark = (file: string): string =>
  `<!-- playsmith review of ${file.replaceAll(/-(?=-)/g, '- ')} -->`;

/** A review as Markdown for a merge request, in at most `limit` characters, from 2000 on. */
export function reviewPage(review: Review, limit: number): string {
  const page = sectionsOf(review)
    .map((section) => section.trimEnd())
    .filter((section) => section !== '')
    .join('\n\n');
  if (page.length < limit) return `${page}\n`;
  const end = endOf(page);
  return `${page.slice(0, limit - end.length)}${end}`;
}

/** Closes what may be open where a page is cut. */
const endOf = (page: string): string =>
  `\n${fenceAround(page)}\n\n</details>\n\n**The rest does not fit here**: the same task prints it all.\n`;

const sectionsOf = ({ file, checks, plan, difference }: Review): readonly string[] => [
  `${reviewMark(file)}\n# Review of ${inlineText(file)}`,
  ['| check | result |', '| --- | --- |', ...checks.map(row)].join('\n'),
  ...checks.map(detail),
  plan,
  difference,
];

const row = ({ title, outcome }: ReviewCheck): string =>
  `| ${title} | ${outcome === 'failed' ? '**failed**' : outcome} |`;

/** What failed is open, what only warns is folded away. */
function detail({ title, outcome, said }: ReviewCheck): string {
  if (said === '') return '';
  const text = codeBlock('text', said.length > longest ? `${said.slice(0, longest)}\n…` : said.trimEnd());
  return outcome === 'failed'
    ? `### ${title}: failed\n\n${text}`
    : `<details><summary>${title}: what it says</summary>\n\n${text}\n\n</details>`;
}

/** Characters of what a check said; the log has the rest. */
const longest = 6000;
