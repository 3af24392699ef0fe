import { expect, test } from 'vitest';
import { minors } from '../../../generators/catalog/kubernetes/minors.ts';
import { versions } from '../../../tasks/commands/define/versions.ts';
import type { World } from '../../../tasks/runtime/world.ts';

async function printed(json: boolean): Promise<string> {
  const lines: string[] = [];
  const world: World = {
    cwd: '/',
    report: () => undefined,
    print: (text) => lines.push(text),
    json,
    isTerminal: false,
    ask: () => Promise.resolve(undefined),
    commandLine: ['task', 'versions'],
  };
  expect(await versions.run({} as never, world)).toEqual({ ok: true, value: undefined });
  return lines.join('\n');
}

test('each Kubernetes stands in a line with what goes with it, the newest first', async () => {
  const lines = (await printed(false)).split('\n');
  expect(lines[1]).toMatch(/^1\.37 +1\.37\.2 +2027-10-28.* +3\.7\.0-0 +v1\.14\.6 +2\.4\.0, 2\.3\.0 /);
  expect(lines.slice(1, 1 + minors.length).at(-1)).toMatch(/^1\.31 .* 2025-11-11 \(over\) .* nothing$/);
});

test('programs get one object a line', async () => {
  const [newest] = (await printed(true))
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(newest).toMatchObject({
    minor: '1.37',
    newest: '1.37.2',
    endOfLife: '2027-10-28',
    containerd: { atLeast: ['2.4.0', '2.3.0'], recommended: '2.3.7' },
  });
});
