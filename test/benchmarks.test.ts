import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../tasks/runtime/package.ts';
import { fleet } from './bench/fleet.ts';
import { plan } from './bench/plan.ts';
import { render } from './bench/render.ts';
import { start } from './bench/start.ts';
import { readOptions } from './bench/options.ts';

// Whether the parts of `npm run bench` still run; how long they take is for a quiet machine to say.
const { share } = readOptions(['--small']);
const small = { repetitions: 1, share, say: (): void => undefined };

describe('a part of the benchmark has figures of all that it measures', () => {
  test.each([
    ['start', start, 'start: npx task --help'],
    ['render', render, 'render of 100 nodes'],
    ['plan', plan, 'plan of 10 nodes and a new one'],
    ['fleet', fleet, 'plan of 5 clusters of 5 nodes and a new one'],
  ])('%s', async (_, part, name) => {
    const figures = await part(small);
    expect(figures.map((figure) => figure.name)).toContain(name);
    for (const figure of figures) expect(figure.value, figure.name).toBeGreaterThan(0);
  });
});

// It runs only where hosts are, so this is what notices a file that is called otherwise now.
test('the plain script that an installation is compared with takes files that a bundle has', () => {
  const script = readFileSync(join(packageRoot, 'test/support/hosts/plain-install.sh'), 'utf8');
  const copied = [...script.matchAll(/(?:\/tmp\/bundle|\$bundle\/files)\/([\w-]+(?:\/[\w.-]*\w)?)/g)].map(
    ([, path = '']) => path,
  );
  expect(copied.length).toBeGreaterThan(5);
  const files = join(packageRoot, 'playbooks/ha-stacked/files');
  expect(copied.filter((path) => !existsSync(join(files, path)))).toEqual([]);
});
