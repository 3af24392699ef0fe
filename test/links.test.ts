import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { page, pages, root } from './support/documents.ts';
import { brokenLinks, linksBeyond } from './support/links.ts';

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

describe('links of the npm package', () => {
  const packed = (): readonly string[] => {
    const words = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const said = execFileSync('npm', words, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [made] = JSON.parse(said) as readonly { readonly files: readonly { readonly path: string }[] }[];
    return made?.files.map(({ path }) => path) ?? [];
  };

  test('lead to what is in it, or to another site', () => {
    const files = packed();
    const texts = files.filter((path) => path.endsWith('.md'));
    expect(texts).toContain('docs/runs.md');
    const beyond = texts.flatMap((path) =>
      linksBeyond(page(path, readFileSync(join(root, path), 'utf8')), files),
    );
    expect(beyond).toEqual([]);
  });

  test.each([
    ['[a](../playbooks/)', 1],
    ['[a](lab.md#what-it-needs) [b](../examples/) [c](#d) [e](https://example.org/f)', 0],
  ])('%j: %d beyond it', (text, count) => {
    const files = ['docs/lab.md', 'examples/full.yml', 'playbooks.md'];
    expect(linksBeyond(page('docs/page.md', text), files)).toHaveLength(count);
  });
});
