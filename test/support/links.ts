import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { anchorsOf, page, root, targetsOf, type Page } from './documents.ts';

/** Faults of the links of a page, a line each; addresses of other sites are not looked at. */
export const brokenLinks = (from: Page): readonly string[] =>
  ownTargets(from).flatMap((target) => {
    const fault = faultOf(from, target);
    return fault === undefined ? [] : [`${from.path}: ${target}: ${fault}`];
  });

const ownTargets = (from: Page): readonly string[] =>
  targetsOf(from).filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target));

/** Links of a page to what is not among some files, nor a folder of any. */
export const linksBeyond = (from: Page, files: readonly string[]): readonly string[] =>
  ownTargets(from)
    .filter((target) => {
      const [path = ''] = target.split('#');
      const to = normalize(join(dirname(from.path), path)).replace(/\/$/, '');
      return path !== '' && !files.some((file) => file === to || file.startsWith(`${to}/`));
    })
    .map((target) => `${from.path}: ${target}`);

function faultOf(from: Page, target: string): string | undefined {
  const [path = '', anchor] = target.split('#');
  if (path.startsWith('/')) return 'absolute; link relative to the page';
  const file = path === '' ? from.path : normalize(join(dirname(from.path), path));
  if (file.startsWith('..')) return 'leads out of the repository';
  if (path !== '' && !existsSync(join(root, file))) return `there is no ${file}`;
  if (anchor === undefined) return undefined;
  if (!file.endsWith('.md')) return 'an anchor of a file that is no page';
  const there = path === '' ? from : page(file, readFileSync(join(root, file), 'utf8'));
  return anchorsOf(there).has(anchor) ? undefined : `${file} has no heading #${anchor}`;
}
