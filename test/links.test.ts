import { describe, expect, test } from 'vitest';
import { page, pages } from './support/documents.ts';
import { brokenLinks } from './support/links.ts';

describe('links of the documentation', () => {
  test.each(pages.map((each) => [each.path, each] as const))('%s leads nowhere wrong', (_, each) => {
    expect(brokenLinks(each)).toEqual([]);
  });

  test.each([
    ['[a](nothing.md)', 'there is no docs/nothing.md'],
    ['[a](../../elsewhere.md)', 'leads out of the repository'],
    ['[a](/docs/lab.md)', 'absolute'],
    ['[a](lab.md#no-such-heading)', 'docs/lab.md has no heading #no-such-heading'],
    ['# One\n\n[a](#two)', 'docs/page.md has no heading #two'],
    ['[a](../package.json#scripts)', 'no page'],
    ['| a |\n| - |\n| [b](nothing.md) |', 'there is no docs/nothing.md'],
    ['![a](nothing.png)', 'there is no docs/nothing.png'],
  ])('%j is a fault', (text, fault) => {
    const found = brokenLinks(page('docs/page.md', text));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(fault);
  });

  test.each([
    '[a](lab.md)',
    '[a](../examples/)',
    '[a](lab.md#what-it-needs)',
    '# A `b`, c\n\n# A `b`, c\n\n[a](#a-b-c) [b](#a-b-c-1)',
    '[a](https://example.org/nothing)',
    '`[a](nothing.md)`',
  ])('%j is none', (text) => {
    expect(brokenLinks(page('docs/page.md', text))).toEqual([]);
  });
});
