// The page of a report: one script and one style sheet, with everything that they use, for every browser of the last years.
import { build } from 'esbuild';
import { argv } from 'node:process';

await build({
  entryPoints: { page: 'tasks/report/page/main.tsx', style: 'tasks/report/page/style.css' },
  outdir: `${argv[2] ?? 'dist'}/report`,
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['es2022'],
  tsconfig: 'tasks/report/page/tsconfig.json',
  charset: 'utf8',
  legalComments: 'inline',
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
});
