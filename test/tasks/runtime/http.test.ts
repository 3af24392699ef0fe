import { afterEach, expect, test } from 'vitest';
import { askForDocument, isPage } from '../../../tasks/runtime/http.ts';
import { failure, value } from '../../support/server/ansible-server.ts';
import { drip, showPage, startAnswering, type AnsweringServer } from '../../support/server/answering.ts';

let server: AnsweringServer;
afterEach(() => {
  server.close();
});

test('a document is its bytes, and how it was answered', async () => {
  server = await startAnswering((response) => response.writeHead(200, { 'x-word': 'a' }).end('v1.36.6\n'));
  const { status, headers, bytes } = value(await askForDocument(server.url));
  expect([status, headers.get('x-word'), bytes.toString()]).toEqual([200, 'a', 'v1.36.6\n']);
});

test.each([
  ['drips', drip],
  ['says nothing', () => undefined],
  ['is busy without an end', (response) => response.writeHead(503).end()],
] satisfies [string, Parameters<typeof startAnswering>[0]][])(
  'a server that %s is left in time',
  async (_, respond) => {
    server = await startAnswering(respond);
    const began = performance.now();
    const { kind, message } = failure(await askForDocument(`${server.url}/list?token=x`, { within: 1 }));
    expect(kind).toBe('connection');
    expect(message).toMatch(
      new RegExp(`^cannot fetch ${server.url}/list: (it did not end within 1 s|status 503)$`),
    );
    expect(performance.now() - began).toBeLessThan(3000);
  },
);

test('one that sends more than anybody reads is left', async () => {
  server = await startAnswering((response) => {
    response.writeHead(200);
    const more = (): void => void response.write('x'.repeat(1000), more);
    more();
  });
  const { message } = failure(await askForDocument(server.url, { most: 5000, within: 30 }));
  expect(message).toContain('it has more than 5000 bytes');
});

test('one that breaks off is told', async () => {
  server = await startAnswering((response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half');
    setTimeout(() => response.destroy(), 20);
  });
  expect(failure(await askForDocument(server.url)).message).toContain('it broke off');
});

test('a page in the place of a document is told', async () => {
  server = await startAnswering(showPage);
  const { message, next } = failure(await askForDocument(server.url, { next: 'Log in' })) as {
    readonly message: string;
    readonly next: string;
  };
  expect([message, next]).toEqual([expect.stringContaining('a page for people came in its place'), 'Log in']);
});

test.each([
  ['<html>', true],
  ['\uFEFF\n <!-- proxy --><!doctype HTML><title>', true],
  ['<HTML lang="en">', true],
  ['v1.36.6', false],
  ['{"html": "<html>"}', false],
  ['<htmlish>', false],
  ['', false],
])('%j is a page: %s', (text, is) => {
  expect(isPage(Buffer.from(text))).toBe(is);
});
