import type { Page } from '@playwright/test';
import { expect, test } from './fixtures/test.ts';

for (const path of [
  '/home',
  '/apps',
  '/apps/new',
  '/databases',
  '/databases/new',
  '/servers',
  '/ssh-keys',
  '/profile',
]) {
  test(`${path} reads nothing twice when it opens`, async ({ ownerPage: page }) => {
    // A page that opens within seconds of a change reads everything again, so the first visits may repeat.
    await expect(async () => expect(await readsOf(page, path)).toEqual([])).toPass({ timeout: 90_000 });
  });
}

/** The addresses that the page asked for more than once until it was live and had nothing under way. */
async function readsOf(page: Page, path: string): Promise<string[]> {
  const reads: string[] = [];
  const note = (request: { method(): string; url(): string }) => {
    const { pathname, search } = new URL(request.url());
    if (/^\/(api|monitor)\//.test(pathname)) reads.push(`${request.method()} ${pathname}${search}`);
  };
  page.on('request', note);
  await page.goto(path);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await page.waitForLoadState('networkidle');
  page.off('request', note);
  expect(reads, 'what the page reads first').toContain('GET /api/session');
  return reads.filter((read, index) => reads.indexOf(read) !== index);
}
