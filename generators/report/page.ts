import { createHash } from 'node:crypto';
import type { Report } from './report.ts';

/** What a page is made of besides its data: text of one script and one style sheet. */
export interface PageParts {
  readonly script: string;
  readonly style: string;
}

/**
 * A report as one HTML file that asks nobody for anything: everything is in it, and its policy lets it load nothing and
 * run no script but its own. A live page may speak to the server that it came from.
 */
export function page(report: Report, { script, style }: PageParts): string {
  const title = report.run ? `${report.cluster}: ${report.run.playbook} (${report.run.id})` : report.cluster;
  const policy = [
    `default-src 'none'`,
    `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    `style-src 'unsafe-inline'`,
    'img-src data:',
    `connect-src ${report.live ? `'self'` : `'none'`}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="${icon}">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<noscript><main class="card"><h1>${escapeHtml(title)}</h1><p>This page draws itself: allow JavaScript for it. It loads nothing.</p></main></noscript>
<script id="report" type="application/json">${inScript(report)}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** No text of a host can end the element that it stands in. */
const inScript = (report: Report): string => JSON.stringify(report).replaceAll('<', '\\u003c');

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%232f5bd7'/%3E%3Cpath d='M3 5h6M5 8h8M3 11h5' stroke='white' stroke-width='2' stroke-linecap='round'/%3E%3C/svg%3E";
