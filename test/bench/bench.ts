// `npm run bench`: measures Playsmith against what a person would do without it. docs/benchmark.md says what and how.
import process from 'node:process';
import { elb } from './elb.ts';
import { table, type Figure } from './figure.ts';
import { benchLab } from './lab/bench-lab.ts';
import { fleet } from './fleet.ts';
import { installers } from './installers.ts';
import { instantiate } from './instantiate.ts';
import { kubespray } from './kubespray.ts';
import { memory } from './memory/memory.ts';
import { mesh } from './mesh.ts';
import { readOptions, type Bench, type PartName } from './options.ts';
import { plan } from './plan.ts';
import { push } from './push/push.ts';
import { render } from './render.ts';
import { run } from './run.ts';
import { scale } from './scale.ts';
import { slotted } from './slots.ts';
import { start } from './start.ts';
import { vip } from './vip/vip.ts';

/** A part says on the way what it does, and ends with its figures. */
const parts: Readonly<Record<PartName, (bench: Bench) => Promise<readonly Figure[]>>> = {
  start,
  render,
  kubespray,
  plan,
  fleet,
  mesh,
  slots: slotted,
  push,
  memory,
  run,
  vip,
  instantiate,
  installers,
  scale,
  elb,
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
