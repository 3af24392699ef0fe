import { marked } from 'marked';
import { expect, test } from 'vitest';
import { reviewMark, reviewPage, type Review } from '../../../generators/report/review-page.ts';

const review: Review = {
  file: 'cluster.yml',
  checks: [
    { title: 'definition', outcome: 'passed', said: 'cluster.yml:3:1: a warning with ```` of its own' },
    { title: 'bundle', outcome: 'failed', said: '</details><script>alert(1)</script>\n| no table |' },
    { title: 'plan', outcome: 'skipped', said: '' },
  ],
  plan: '## Plan of cluster try: nothing to do\n\nPlan `0123456789ab`\n',
  difference: '',
};

test('a page begins with its mark, and says of each check how it ended', () => {
  const page = reviewPage(review, 60_000);
  expect(page.startsWith(`${reviewMark('cluster.yml')}\n# Review of cluster.yml\n`)).toBe(true);
  expect(page).toContain('| definition | passed |\n| bundle | **failed** |\n| plan | skipped |\n');
  expect(page).toContain('\n\nPlan `0123456789ab`\n');
});

test('what a check said is shown as it is, and ends with its fence', () => {
  const html = marked.parse(reviewPage(review, 60_000), { async: false });
  expect(html).toContain('&lt;/details&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).toContain('a warning with ```` of its own');
  expect(html).toContain('<h2>Plan of cluster try: nothing to do</h2>');
});

test('a page is never longer than it may be', () => {
  const long = { ...review, plan: 'x\n'.repeat(10_000) };
  const page = reviewPage(long, 4000);
  expect(page.length).toBeLessThanOrEqual(4000);
  expect(page).toContain('The rest does not fit here');
});

test('a page that is cut closes whatever is open, however long its fence is', () => {
  const open = { ...review, plan: `${'`'.repeat(12)}text\n${'x\n'.repeat(10_000)}` };
  const html = marked.parse(reviewPage(open, 4000), { async: false });
  expect(html).toContain('<strong>The rest does not fit here</strong>');
});

test('a name of a file cannot end the mark', () => {
  expect(reviewMark('a---> b.yml').slice(0, -'-->'.length)).not.toContain('-->');
  expect(reviewMark('a--> b.yml')).toBe('<!-- playsmith review of a- -> b.yml -->');
});
