import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { page } from '../../../generators/report/page.ts';
import type { Report } from '../../../generators/report/report.ts';

const report = (more: Partial<Report> = {}): Report => ({
  ...{ cluster: 'a</script><b>', written: '', live: false, notes: [], history: [], versions: [] },
  ...more,
});

test('no text of a host ends the element that it stands in, and the data comes back as it was', () => {
  const html = page(report(), { script: 'go()', style: '' });
  expect(html).not.toContain('a</script><b>');
  expect(html).toContain('<title>a&lt;/script>&lt;b></title>');
  const data = /<script id="report" type="application\/json">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
  expect(JSON.parse(data)).toEqual(report());
});

test('the policy allows one script, and speaks to nobody unless the page is live', () => {
  const digest = createHash('sha256').update('go()').digest('base64');
  const html = page(report(), { script: 'go()', style: '' });
  expect(html).toContain(`script-src 'sha256-${digest}'`);
  expect(html).toContain(`connect-src 'none'`);
  expect(page(report({ live: true }), { script: '', style: '' })).toContain(`connect-src 'self'`);
});
