// `npm run bench`: measures Playsmith against what a person would do without it. docs/benchmark.md says what and how.
import process from 'node:process';
import { table, type Figure } from './figure.ts';
import { benchLab } from './lab/bench-lab.ts';
import { readOptions, type Bench, type PartName } from './options.ts';
import { push } from './push.ts';
import { render } from './render.ts';
import { run } from './run.ts';
import { vip } from './vip.ts';

/** A part says on the way what it does, and ends with its figures. */
const parts: Readonly<Record<PartName, (bench: Bench) => Promise<readonly Figure[]>>> = {
  render,
  push,
  run,
  vip,
};

const options = readOptions(process.argv.slice(2));
const lab = benchLab(options.say);
const figures: Figure[] = [];
try {
  for (const name of options.only) figures.push(...(await parts[name]({ ...options, lab: lab.open })));
} finally {
  await lab.close();
  process.stdout.write(`${options.json ? JSON.stringify(figures, null, 2) : table(figures)}\n`);
}
process.exitCode = figures.some(({ met }) => met === false) ? 1 : 0;
