import { chromium, type Browser, type Page } from 'playwright-core';

/** Debian's Chromium without a window; as root it runs without its sandbox. */
export const browser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });

export interface Opened {
  readonly page: Page;
  /** Errors of the console and of scripts. */
  readonly errors: readonly string[];
  /** Everything that was asked for besides the page itself. */
  readonly requests: readonly string[];
}

/** Opens a page and waits until it has drawn itself. */
export async function open(
  { newPage }: { readonly newPage: () => Promise<Page> },
  url: string,
): Promise<Opened> {
  const page = await newPage();
  const errors: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('request', (request) => {
    if (!request.isNavigationRequest() && !request.url().startsWith('data:')) requests.push(request.url());
  });
  await page.goto(url);
  await page.waitForSelector('main');
  return { page, errors, requests };
}
