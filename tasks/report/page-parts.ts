import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { page, type PageParts } from '../../generators/report/page.ts';
import type { Report } from '../../generators/report/report.ts';
import { packageRoot } from '../runtime/package.ts';

/** Script and style of the page, as the build made them. */
export async function pageParts(): Promise<PageParts> {
  const folder = join(packageRoot, 'dist', 'report');
  const [script, style] = await Promise.all([
    readFile(join(folder, 'page.js'), 'utf8'),
    readFile(join(folder, 'style.css'), 'utf8'),
  ]);
  // A script ends at the first of these, whatever it stands in.
  return {
    script: script.replaceAll('</script', '<\\/script'),
    style: style.replaceAll('</style', '<\\/style'),
  };
}

/** A report as the text of one file. */
export const pageOf = async (report: Report): Promise<string> => page(report, await pageParts());
