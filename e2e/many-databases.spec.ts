import type { Database } from '@homeport/contract/databases/schema';
import { databaseTypeNames } from '@homeport/contract/databases/types/database-types';
import type { Page } from '@playwright/test';
import { mostRowsDuring } from './fixtures/most-rows.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expect, test } from './fixtures/test.ts';

/** The page’s own work on a long list of databases. */

const count = 200;
/** So many rows are drawn whole (`allRowsAtMost` of the page’s tables): `ledger 1`, on the way to `ledger 199`, finds as many. */
const drawnWhole = 100;

const databases: Database[] = Array.from({ length: count }, (_each, at) => {
  const number = String(at).padStart(3, '0');
  const type = databaseTypeNames[at % databaseTypeNames.length] ?? 'postgres';
  return {
    id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    name: `ledger ${number}`,
    longname: `ledger-${number}-abcdef`,
    type,
    serverId: `00000000-0000-4000-9000-${String(at % 12).padStart(12, '0')}`,
    serverKey: `key${at % 12}`,
    serverName: `harbour ${at % 12}`,
    stopped: at % 7 === 0,
    state: at % 7 === 0 ? 'paused' : 'running',
    ending: null,
    imageVersion: '18.4',
    ports: at % 5 === 0 ? [{ containerPort: 5432, address: '127.0.0.1', hostPort: 20_000 + at }] : [],
    exposureFails: false,
    memoryBytes: null,
    dataBytes: 1_000_000 * at,
    links: Array.from({ length: at % 4 }, (_link, app) => ({
      appLongname: `app-${app}`,
      appId: null,
      appName: null,
      variable: 'DATABASE_URL',
    })),
    backupProblem: null,
    imported: false,
    readAt: Date.now(),
    createdAt: Date.UTC(2026, 0, 1) + at,
    version: 1,
  };
});

const named = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

test('a list of 200 databases is filtered, sorted and scrolled with only the rows in sight drawn', async ({
  page,
}) => {
  await signUp(page, newPerson());
  await page.route('**/api/databases', (route) => route.fulfill({ json: databases }));
  await page.goto('/databases');
  const rows = page.getByRole('table').getByRole('row');
  await expect(named(page, 'ledger 000')).toBeVisible();
  expect(await rows.count()).toBeLessThan(count / 2);

  const mostRows = await mostRowsDuring(page, async () => {
    await test.step('filters while a person types', async () => {
      const filter = page.getByRole('searchbox', { name: /Filter databases/ });
      await filter.pressSequentially('ledger 199');
      await expect(rows).toHaveCount(2);
      await filter.fill('');
      await expect(named(page, 'ledger 000')).toBeVisible();
    });
    await test.step('filters by status and type', async () => {
      await page.getByText('Paused 29', { exact: true }).click();
      await expect(rows).toHaveCount(30);
      await page.getByText(`All ${count}`, { exact: true }).click();
      await page.getByLabel('Type').selectOption('Redis');
      await expect(named(page, 'ledger 000')).toBeHidden();
      await page.getByLabel('Type').selectOption('All types');
    });
    await test.step('sorts', async () => {
      await page.getByRole('button', { name: 'Database', exact: true }).click();
      await expect(named(page, 'ledger 199')).toBeVisible();
    });
    await test.step('scrolls to the end', async () => {
      await named(page, 'ledger 199').focus();
      await page.keyboard.press('End');
      await expect(named(page, 'ledger 000')).toBeInViewport();
      expect(await rows.count()).toBeLessThan(count / 2);
    });
  });
  expect(mostRows).toBeLessThanOrEqual(drawnWhole + 1);
});
