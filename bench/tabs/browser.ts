import { chromium } from '@playwright/test';
import config from '../../e2e/playwright.config.ts';

export type Cookie = { name: string; value: string; url: string };

export type Tab = {
  /** Begins to load a page, and does not wait for it. */
  goto(url: string): Promise<void>;
  /** The value of a script: a number, a text or a boolean. Awaits a promise. */
  evaluate(expression: string): Promise<unknown>;
};

/** The functions of a browser that the bench needs, the same for each browser. */
export type Browser = {
  name: string;
  setCookies(cookies: readonly Cookie[]): Promise<void>;
  newTab(): Promise<Tab>;
  close(): Promise<void>;
};

export async function startChromium(): Promise<Browser> {
  const browser = await chromium.launch(config.use?.launchOptions);
  const context = await browser.newContext();
  return {
    name: 'Chromium',
    setCookies: (cookies) => context.addCookies([...cookies]),
    async newTab() {
      const page = await context.newPage();
      return {
        goto: async (url) => {
          await page.goto(url, { waitUntil: 'commit', timeout: 60_000 });
        },
        evaluate: (expression) => page.evaluate(expression),
      };
    },
    close: () => browser.close(),
  };
}
