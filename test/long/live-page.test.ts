import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { profile } from '../../generators/definition/profiles/profiles.ts';
import type { Server } from '../../tasks/runtime/server.ts';
import { begin, locally, value } from '../support/server/ansible-server.ts';
import { browser, open } from '../support/browser.ts';
import { localHost, playbookBundle } from '../support/definitions/bundles.ts';
import { project, type Project, type Running } from '../support/project.ts';

let chromium: Browser;
let home: string;
let here: Project;
let server: Server;
const usual = process.env['HOME'];

beforeAll(async () => {
  chromium = await browser();
});
afterAll(async () => {
  await chromium.close();
});
beforeEach(async () => {
  // `ansibleServer: local` keeps its files in ~/playsmith.
  home = mkdtempSync(join(tmpdir(), 'playsmith-home-'));
  process.env['HOME'] = home;
  here = await project(definition());
  server = await locally('~/playsmith');
});
afterEach(async () => {
  await server.close();
  await here.remove();
  process.env['HOME'] = usual;
  rmSync(home, { recursive: true, force: true });
});

const definition = (): string =>
  profile('single', {
    name: 'try',
    ansibleServer: 'local',
    network: { nodeSubnet: '192.0.2.0/24' },
    ssh: { user: 'ops', privateKey: '~/.ssh/id_ed25519' },
    machines: [{ name: 'one', roles: ['control-plane', 'worker'], address: '192.0.2.10' }],
  });

/** Goes on when a file is there. */
const playbook = (path: string): string => `---
- name: Wait for a sign
  hosts: all
  gather_facts: false
  tasks:
    - name: Say <b>that</b> it began
      ansible.builtin.debug:
        msg: it began
    - name: Wait for the file
      ansible.builtin.wait_for:
        path: ${path}
        timeout: 120
    - name: Write another
      ansible.builtin.copy:
        content: "done\\n"
        dest: ${path}-{{ inventory_hostname }}
        mode: "0644"
`;

async function attached(): Promise<{
  readonly attach: Running;
  readonly url: string;
  readonly go: () => void;
}> {
  const sign = join(home, 'sign');
  value(await begin(server, playbookBundle(playbook(sign), { one: localHost, two: localHost })));
  const attach = here.begin('attach', '--web', '--json');
  const note = await attach.seen((event) => event.type === 'note' && event.text.startsWith('page: '));
  const [url = ''] = /http:\S+/.exec(note.type === 'note' ? note.text : '') ?? [];
  const go = (): void => {
    writeFileSync(sign, '');
  };
  return { attach, url, go };
}

const answered = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

describe('attach --web', () => {
  test('shows the run while it goes on, then how it ended, and closes', async () => {
    const { attach, url, go } = await attached();
    const { page, errors } = await open({ newPage: () => chromium.newPage() }, url);
    await page.getByText('following').waitFor();
    await page.locator('.verdict').getByText('running').waitFor();
    await page.locator('.chart canvas').waitFor();
    go();
    await page.getByText('the run is over').waitFor();
    expect(await page.locator('.verdict').innerText()).toContain('successful');
    expect(await page.locator('#changes').textContent()).toContain('Write another');
    const { status, said } = await attach.ended;
    expect(status, said).toBe(0);
    expect(errors).toEqual([]);
    await expect(answered(url)).rejects.toThrow('ECONNREFUSED');
    await page.close();
  });

  test('lets in whoever comes first, on loopback, under its own name, and nobody else', async () => {
    const { attach, url, go } = await attached();
    expect(new URL(url).hostname).toBe('127.0.0.1');
    const root = new URL('/live/', url).href;
    expect(await answered(root)).toBe(403);
    expect(await answered(new URL('/live/events', url).href)).toBe(403);
    expect(await answered(url, { host: 'evil.example' })).toBe(421);
    const { page } = await open({ newPage: () => chromium.newPage() }, url);
    expect(await answered(url)).toBe(403);
    expect(await answered(root, { cookie: 'playsmith=wrong' })).toBe(403);
    await page.reload();
    await page.getByText('following').waitFor();
    go();
    expect((await attach.ended).status).toBe(0);
    await page.close();
  });

  test('closes when the run is left', async () => {
    const { attach, url, go } = await attached();
    const { page } = await open({ newPage: () => chromium.newPage() }, url);
    await page.getByText('following').waitFor();
    attach.process.kill('SIGINT');
    expect((await attach.ended).status).toBe(24);
    await expect(answered(url)).rejects.toThrow('ECONNREFUSED');
    go();
    await page.close();
  });

  test.each([
    [['--from', '3'], 'do not go together'],
    [['--web-listen', 'localhost:80'], 'has to be an address and a port'],
    [['--web-listen', '127.0.0.1:99999'], 'has to be an address and a port'],
  ])('%j is refused', async (words, why) => {
    const { status, stderr } = await here.task('attach', '--web', ...words);
    expect(status).toBe(2);
    expect(stderr).toContain(why);
  });
});
