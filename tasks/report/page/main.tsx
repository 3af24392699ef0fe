import type { Report } from '../../../generators/report/report.ts';
import { App } from './app.tsx';
import { render } from './dom.ts';
import { listen } from './listen.ts';

const root = document.getElementById('page');
const data = document.getElementById('report');
if (root === null || data === null) throw new Error('this page is not whole');
const draw = (report: Report, connection: string): void => {
  render(<App report={report} connection={connection} />, root);
};
const first = JSON.parse(data.textContent) as Report;
draw(first, first.live ? 'following' : '');
if (first.live) listen(first, draw);
performance.mark('playsmith-interactive');
