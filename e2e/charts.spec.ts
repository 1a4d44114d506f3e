import { readFile } from 'node:fs/promises';
import { expectAccessible } from './fixtures/axe.ts';
import { type Console, startConsole } from './fixtures/console.ts';
import { demoSettings, pathsOfDemo, verifyOwner } from './fixtures/demo.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { expect, test as pageTest } from './fixtures/test.ts';

/** Large charts of simulated servers, which have reports of three hours, hours of one day and days of a month. */

const test = pageTest.extend<object, { homeport: Console }>({
  homeport: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
    async ({}, use) => {
      const homeport = await startConsole(demoSettings);
      await use(homeport);
      await homeport.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});
test.use({ actionTimeout: 30_000 });

test('a chart opens large at its own address, and shows any range by presets, keys, mouse and typing', async ({
  ownerPage: page,
  homeport,
}) => {
  await verifyOwner(homeport);
  const { server } = await pathsOfDemo(homeport);
  await page.goto(server);
  await page.getByRole('link', { name: 'CPU Load over any range' }).click();
  await expect(page).toHaveURL(`${server}/chart/cpu`);
  const plot = page.getByRole('img', { name: /^CPU, / });
  await expect(plot).toHaveAccessibleName(/average .* highest/);
  await expect(page.getByText('one point is one report')).toBeVisible();
  // From here on, a share is a warning, and a danger.
  for (const share of [/^80\s%$/, /^90\s%$/]) await expect(plot.getByText(share)).toBeVisible();

  // The page chooses once its address has changed, a moment after the press.
  await page.getByRole('radio', { name: '1 y' }).click();
  await expect(page).toHaveURL(/\?last=1y$/);
  await expect(page.getByText('one point is 24 h')).toBeVisible();
  // The link opens the same view.
  await page.reload();
  await expect(page.getByRole('radio', { name: '1 y' })).toBeChecked();
  await expect(page.getByText('one point is 24 h')).toBeVisible();

  // Arrows move, with Shift they select, Enter shows, Escape goes back.
  await plot.focus();
  await plot.press('End');
  for (let presses = 0; presses < 5; presses += 1) await plot.press('Shift+ArrowLeft');
  await expect(page.getByText(/^Selected: .*Enter shows it\.$/)).toBeAttached();
  await plot.press('Enter');
  await expect(page).toHaveURL(/\?from=.*Z&to=.*Z$/);
  await expect(page.getByText('one point is 1 h')).toBeVisible();
  await plot.focus();
  await plot.press('Escape');
  await expect(page).toHaveURL(/\?last=1y$/);
  await expect(page.getByText('one point is 24 h')).toBeVisible();

  const box = await plot.boundingBox();
  if (!box) throw new Error('The plot is not drawn.');
  await page.mouse.move(box.x + box.width * 0.9, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.95, box.y + 120, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/\?from=.*&to=/);
  await page.getByRole('button', { name: 'Back to now' }).click();
  await expect(page).not.toHaveURL(/from=/);

  await page.getByRole('button', { name: 'From and to' }).click();
  await page.getByLabel('From', { exact: true }).fill('2026-01-02T10:00');
  await page.getByLabel('To', { exact: true }).fill('2026-01-02T09:00');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(page.getByText('The end has to be after the begin.')).toBeVisible();
});

test('two servers stand in one chart, which is a table, a file and a picture too', async ({
  ownerPage: page,
  homeport,
}) => {
  await verifyOwner(homeport);
  const { server } = await pathsOfDemo(homeport);
  await page.goto(`${server}/chart/cpu?last=90d`);
  const readings = page.getByRole('table').first();
  await expect(readings.getByRole('rowheader')).toHaveCount(1);
  await page.getByLabel('Compare with').selectOption({ index: 2 });
  await expect(page).toHaveURL(/with=/);
  await expect(readings.getByRole('rowheader')).toHaveCount(2);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expectAccessible(page);

  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ]);
  expect(csv.suggestedFilename()).toMatch(/-cpu-\d{4}-\d\d-\d\d\.csv$/);
  const rows = (await readFile(await csv.path(), 'utf8')).trim().split('\r\n');
  expect(rows[0]).toBe('time,name,average (percent),lowest (percent),highest (percent)');
  expect(rows.length).toBeGreaterThan(40);
  const [png] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'PNG' }).click(),
  ]);
  const bytes = await readFile(await png.path());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(bytes.length).toBeGreaterThan(10_000);

  await page.getByRole('button', { name: 'Show as a table' }).click();
  const table = page.getByRole('region', { name: /as a table$/ });
  await expect(table.getByRole('columnheader')).toHaveCount(3);
  await expect(table.getByRole('row').nth(1)).toContainText(/% \(.* to .*\)/);
  await page.getByRole('button', { name: 'Show as a chart' }).click();
  await page.getByRole('button', { name: /^Take .* out$/ }).click();
  await expect(page).not.toHaveURL(/with=/);
  await expectFitsPhone(page);
});

test('a chart says when nothing was measured, and when its figures cannot be read', async ({
  ownerPage: page,
  homeport,
  failures,
}) => {
  await verifyOwner(homeport);
  const { server } = await pathsOfDemo(homeport);
  await page.goto(`${server}/chart/cpu?from=2015-01-01T00:00:00Z&to=2015-01-02T00:00:00Z`);
  await expect(page.getByText('Nothing was measured in this range.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^CSV/ })).toHaveAttribute('aria-disabled', 'true');
  failures.allow(/500|Failed to load resource/);
  await page.route('**/series?**', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.goto(`${server}/chart/disk?last=7d`);
  await expect(page.getByRole('heading', { name: 'The chart could not be loaded' })).toBeVisible({
    timeout: 60_000,
  });
  await page.unroute('**/series?**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('img', { name: /^Disk, / })).toBeVisible();
  await page.goto('/server/none/chart/cpu');
  await expect(page.getByRole('heading', { name: 'No server here' })).toBeVisible();
});
