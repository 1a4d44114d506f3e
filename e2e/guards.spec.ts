import { expect, test } from '@playwright/test';
import { expectAccessible } from './fixtures/axe.ts';
import { watchFailures } from './fixtures/failures.ts';

/** Shows that the guards of all other tests can fail. These tests need no console. */

test('the report has an uncaught exception and a console error', async ({ context, page }) => {
  const failures = watchFailures(context);
  expect(failures.report()).toEqual([]);
  const error = context.waitForEvent('weberror');
  await page.evaluate(() => {
    console.error('written to the console');
    setTimeout(() => {
      throw new Error('thrown by the page');
    });
  });
  await error;
  expect(failures.report()).toEqual([
    expect.stringContaining('written to the console'),
    expect.stringContaining('thrown by the page'),
  ]);
});

test('the report has an allowed error that does not come', async ({ context, page }) => {
  const failures = watchFailures(context);
  failures.allow(/provoked/);
  expect(failures.report()).toEqual(['was expected and did not come: /provoked/']);
  await page.evaluate(() => console.error('provoked'));
  expect(failures.report()).toEqual([]);
});

test('the scan finds a button in the browser’s own style', async ({ page }) => {
  const withButton = (style: string) => `<!doctype html><html lang="en"><title>Plain</title>
    <main><h1>Plain</h1><button type="button" style="${style}">Choose</button></main></html>`;
  await page.setContent(withButton('border: 0'));
  await expectAccessible(page);
  await page.setContent(withButton(''));
  await expect(expectAccessible(page)).rejects.toThrow(/Choose/);
});

test('the scan finds a colour that is too faint only in dark', async ({ page }) => {
  await page.setContent(`<!doctype html><html lang="en"><title>Faint</title>
    <style>:root { color-scheme: light dark; color: light-dark(#111, #444); background: light-dark(#fff, #222) }</style>
    <main><h1>Faint</h1></main></html>`);
  await expect(expectAccessible(page)).rejects.toThrow(/color-contrast/);
});
