import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { program } from '../../../../tasks/runtime/program.ts';
import { renderChart } from '../../../../tasks/steps/definition/chart.ts';

let folder: string;
const path = process.env['PATH'] ?? '';
const chart = {
  chart: 'charts/web.tgz',
  release: 'web',
  namespace: 'tenant-a',
  version: '1.34.1',
  values: { replicas: 2 },
  set: ['image.tag=2'],
};

/** A stand-in for helm, which is in none of Debian's packages. */
async function helm(body: string): Promise<void> {
  await writeFile(join(folder, 'helm'), `#!/bin/sh\n${body}\n`);
  await chmod(join(folder, 'helm'), 0o755);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playsmith-helm-'));
  // zx looks for a shell when the first program starts, and here the path will soon hold none.
  await program(['true']);
});
beforeEach(() => {
  process.env['PATH'] = `${folder}${delimiter}${path}`;
});
afterAll(async () => {
  process.env['PATH'] = path;
  await rm(folder, { recursive: true });
});

describe('a chart', () => {
  test('is refused with the reason where there is no helm', async () => {
    await rm(join(folder, 'helm'), { force: true });
    process.env['PATH'] = folder;
    expect(await renderChart(chart, folder)).toEqual({
      ok: false,
      failure: 'the chart charts/web.tgz cannot be rendered: helm is not on this machine',
    });
  });

  test('is what helm makes of it with the values, for the version and the namespace', async () => {
    await helm('echo "$@" > "$0.words"; cat');
    expect(await renderChart(chart, folder)).toEqual({ ok: true, value: '{"replicas":2}\n' });
    expect(await readFile(join(folder, 'helm.words'), 'utf8')).toBe(
      `template web ${folder}/charts/web.tgz --namespace tenant-a --skip-tests --include-crds --values - --kube-version 1.34.1 --set image.tag=2\n`,
    );
  });

  test('says what helm says when it fails', async () => {
    await helm('echo "Error: no template" >&2; exit 1');
    expect(await renderChart(chart, folder)).toMatchObject({
      failure: 'the chart charts/web.tgz cannot be rendered: Error: no template',
    });
  });

  test('that makes something up each time is refused', async () => {
    await helm('echo "$$"; cat > /dev/null');
    const refused = await renderChart(chart, folder);
    expect(refused.ok ? '' : refused.failure).toContain('renders to something else each time');
  });
});
