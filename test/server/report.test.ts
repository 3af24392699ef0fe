import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fleetTopology } from '../../generators/topology/topology.ts';
import type { RunRecord } from '../../tasks/runtime/agent/run-records.ts';
import type { ClusterRuns } from '../../tasks/fleet/runs.ts';
import { line } from '../../tasks/fleet/lines.ts';
import { pageOf } from '../../tasks/report/page-parts.ts';
import { browser, open, type Opened } from '../support/browser.ts';
import { exampleClusters } from '../support/definitions/examples.ts';
import { project, type Project } from '../support/project.ts';
import { clusterOf, keepRun, recordOf, type Played } from '../support/definitions/reports.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let chromium: Browser;
const projects: Project[] = [];

beforeAll(async () => {
  chromium = await browser();
});
afterAll(async () => {
  await chromium.close();
  await Promise.all(projects.map(({ remove }) => remove()));
});

/** The page of a run, written by the command line from the copy of its record. */
async function written(played: Played, more: Partial<RunRecord> = {}): Promise<string> {
  const here = await project(clusterOf(played.hosts));
  projects.push(here);
  const { run } = keepRun(here.folder, played, more);
  const { status, said } = await here.task('report', run, '--to', 'report.html');
  expect(status, said).toBe(0);
  return join(here.folder, 'report.html');
}

const opened = (path: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Opened> =>
  open({ newPage: () => chromium.newPage(options) }, pathToFileURL(path).href);

/** What axe finds wrong, in words. */
async function faults(page: Page): Promise<readonly string[]> {
  // The policy of the page runs no script but its own; what is evaluated comes from outside.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    (
      globalThis as unknown as {
        axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      }
    ).axe.run(),
  );
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map(({ html }) => html)
        .slice(0, 3)
        .join(' ')}`,
  );
}

describe.each([
  ['3 hosts', { hosts: 3, tasks: 24 }],
  ['50 hosts, failed', { hosts: 50, tasks: 40, failsOn: 9 }],
  ['1,000 hosts and a hundred thousand events, failed', { hosts: 1000, tasks: 100, failsOn: 500 }],
])('the page of a run: %s', (_, played: Played) => {
  let path = '';
  beforeAll(async () => {
    path = await written(played);
  });

  test('is one file below 5 MB that asks nobody for anything and reports no error', async () => {
    expect(statSync(path).size).toBeLessThan(5e6);
    const { page, errors, requests } = await opened(path);
    const text = await page.locator('main').innerText();
    expect(text).toContain('Slowest tasks');
    expect(await page.locator('#hosts [role=status]').innerText()).toBe(
      `${played.hosts.toLocaleString('en')} hosts`,
    );
    expect(await page.locator('#topology svg').getAttribute('aria-label')).toContain('Control plane: 3');
    expect(await page.locator('.chart canvas').count()).toBe(1);
    expect(await page.evaluate(() => performance.getEntriesByName('playsmith-interactive').length)).toBe(1);
    expect([errors, requests]).toEqual([[], []]);
    await page.close();
  });

  test.each(['light', 'dark'] as const)('is accessible, %s', async (colorScheme) => {
    const { page } = await opened(path, { colorScheme });
    expect(await faults(page)).toEqual([]);
    await page.close();
  });
});

describe('the page of a failed run', () => {
  test('says first what failed, why, and shows the output as text', async () => {
    const { page } = await opened(await written({ hosts: 5, tasks: 20, failsOn: 4 }));
    expect(await page.locator('main > section').first().getAttribute('id')).toBe('failures');
    const failure = page.locator('.failure').first();
    expect(await failure.innerText()).toContain('on worker0002');
    expect(await failure.locator('.message').innerText()).toContain('<b>the port</b> 10250 is in use');
    expect(await failure.innerText()).toContain('$ kubeadm join');
    await page.close();
  });
});

describe('the page of a drill', () => {
  test('says fault by fault what clients felt, beside the last drill, accessibly', async () => {
    const round = (longest: number): object => ({
      ...{ what: 'HAProxy stopped', host: 'master1', witness: 'worker0001', asked: 900, failed: 38 },
      ...{ longest, held: 21, by: 'run', answered: true, recovered: 2.3 },
    });
    const said = (longest: number): RunRecord['results'] => ({
      drill: {
        ...{ name: 'vip', limit: 3, rounds: { haproxy: round(longest), keepalived: round(1) } },
        findings: { master2: 'admin.conf expires first' },
      },
    });
    const results = { results: said(3.5), previous: { run: 'r1', results: said(1.9) } };
    const { page, errors } = await opened(
      await written({ hosts: 5, tasks: 20 }, results as Partial<RunRecord>),
    );
    expect(await page.locator('main > section').first().getAttribute('id')).toBe('drill');
    const text = (await page.locator('#drill').innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toContain('3.5 s ! over the limit 1.9 s 38 of 900 21 s the run 2.3 s');
    expect(text).toContain('master2: admin.conf expires first');
    expect([await faults(page), errors]).toEqual([[], []]);
    await page.close();
  });
});

describe('what a reader does', () => {
  test('the keyboard reaches the content, zooms the timeline, sorts hosts and opens a difference', async () => {
    const { page, errors } = await opened(await written({ hosts: 8, tasks: 30 }));
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('Skip to the content');
    await page.getByRole('button', { name: 'Zoom in' }).press('Enter');
    await page.getByRole('button', { name: 'Whole run' }).press('Enter');
    await page.getByRole('radio', { name: 'tasks' }).check();
    await page.getByRole('button', { name: 'Host', exact: true }).press('Enter');
    expect(await page.locator('#hosts tbody th').allInnerTexts()).toEqual([
      'master1',
      'master2',
      'master3',
      'worker0001',
      'worker0002',
      'worker0003',
      'worker0004',
      'worker0005',
    ]);
    await page.getByRole('searchbox').fill('worker');
    expect(await page.locator('#hosts tbody tr').count()).toBe(5);
    await page.locator('#changes select').selectOption('worker0003');
    await page.locator('#changes .changes summary').first().press('Enter');
    expect(await page.locator('#changes .diff').first().innerText()).toContain('+new 4');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('colours follow the system, and the reader may say otherwise', async () => {
    const { page } = await opened(await written({ hosts: 3, tasks: 10 }), { colorScheme: 'dark' });
    const background = (): Promise<unknown> =>
      page.evaluate('getComputedStyle(document.body).backgroundColor');
    const dark = await background();
    await page.getByRole('button', { name: /^Colours/ }).click();
    await expect.poll(background).not.toBe(dark);
    await page.emulateMedia({ media: 'print' });
    await expect.poll(background).toBe('rgb(255, 255, 255)');
    await page.close();
  });
});

test('without its server, the cluster itself is told with what lies here, and says so', async () => {
  const here = await project(clusterOf(4));
  projects.push(here);
  keepRun(here.folder, { hosts: 4, tasks: 10 }, { options: { check: true } });
  const unreachable = readFileSync(join(here.folder, 'cluster.yml'), 'utf8').replace(
    'host: 198.51.100.5, user',
    'host: 127.0.0.1, port: 9, user',
  );
  await here.define(unreachable);
  const { status, said } = await here.task('report', 'cluster', '--to', 'cluster.html');
  expect(status, said).toBe(0);
  const { page } = await opened(join(here.folder, 'cluster.html'));
  const text = await page.locator('body').innerText();
  expect(text).toContain('The Ansible server did not answer');
  expect(text).toContain('8 tasks would have changed a host');
  await page.close();
});

describe('the page of a fleet of 300 clusters', () => {
  const site = (index: number): string => `site${index % 20}`;
  const clusters = Array.from({ length: 300 }, (_, index): ClusterRuns => ({
    cluster: {
      ...{
        name: `edge-${index}`,
        definition: `edge-${index}.yml`,
        site: site(index),
        node: `node-${site(index)}`,
      },
      labels: [{ key: 'tier', value: index === 0 ? 'canary' : 'rest' }],
    },
    runs:
      index === 7
        ? []
        : [recordOf({ hosts: 3, tasks: 10 }, { status: index === 42 ? 'failed' : 'successful' })],
    lock: undefined,
    problem: index === 7 ? 'node-site7 is not reached over the mesh' : '',
  }));
  let path = '';

  beforeAll(async () => {
    const found = exampleClusters.find(({ name }) => name === 'fleet');
    if (found?.fleet === undefined) throw new Error('no example is a fleet');
    const fleet = { ...found.fleet, clusters: clusters.map(({ cluster }) => cluster) };
    path = join(mkdtempSync(join(tmpdir(), 'playsmith-report-')), 'fleet.html');
    writeFileSync(
      path,
      await pageOf({
        ...{
          cluster: 'fleet',
          written: '2026-11-22T12:00:00Z',
          live: false,
          notes: [],
          history: [],
          versions: [],
        },
        topology: fleetTopology(found, fleet),
        fleet: clusters.map(line),
      }),
    );
  });

  test('shows the mesh and its clusters, first those that need somebody', async () => {
    const { page, errors, requests } = await opened(path);
    expect(await page.locator('.verdict').innerText()).toContain(
      '300 clusters: 298 successful, 1 not known, 1 failed',
    );
    expect(await page.locator('#topology svg').getAttribute('aria-label')).toContain('Clusters: 300');
    const names = await page.locator('#clusters tbody th').allInnerTexts();
    expect(names.slice(0, 3).map((name) => name.split('\n')[0])).toEqual(['edge-7', 'edge-42', 'edge-0']);
    expect(names).toHaveLength(50);
    await page.getByRole('searchbox').fill('tier=canary');
    expect(await page.locator('#clusters tbody tr').count()).toBe(1);
    expect([errors, requests]).toEqual([[], []]);
    await page.close();
  });

  test.each(['light', 'dark'] as const)('is accessible, %s', async (colorScheme) => {
    const { page } = await opened(path, { colorScheme });
    expect(await faults(page)).toEqual([]);
    await page.close();
  });
});
