import { chromium } from '@playwright/test';
import type { Browser } from '../../e2e/engines/browser.ts';
import config from '../../e2e/playwright.config.ts';

/** Chromium with the functions of the browsers that are driven over the W3C's protocols. */
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
