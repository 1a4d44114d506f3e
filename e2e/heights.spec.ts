import { heightOf, onScreen, openWhole, phone, sectionsOf, test } from './fixtures/furnished-demo.ts';
import { expect } from './fixtures/test.ts';

// docs/page-layout.md has the same heights. The room is for longer names and for answers of another length.
const room = 1.1;

/** What a page may have in height, at 1440 px. */
const atMostPx = {
  app: 2_400,
  server: 2_200,
  sandbox: 2_200,
  // With Homeport's plugin on its server, which the demo has.
  database: 1_500,
  proxy: 1_500,
  profile: 1_700,
} as const satisfies Record<keyof typeof sectionsOf, number>;

test.describe.configure({ timeout: 300_000 });

test('a page with all its sections is about as high as what it says', async ({ demo: { page, paths } }) => {
  for (const name of Object.keys(atMostPx) as (keyof typeof atMostPx)[]) {
    await test.step(name, async () => {
      await openWhole(page, paths[name]);
      for (const id of sectionsOf[name])
        await expect.soft(page.locator(`[id="${id}"]`), `#${id} of ${name}`).toHaveCount(1);
      // A section that waits for its turn at the server is as high as its skeleton until then.
      await expect
        .poll(() => heightOf(page), { message: `the height of ${name}`, timeout: 90_000 })
        .toBeLessThanOrEqual(atMostPx[name] * room);
    });
  }
});

test('an app that the console made says once when it was created', async ({ demo: { page, paths } }) => {
  await openWhole(page, paths.app);
  const system = page.locator('#system');
  await expect(system.getByText('Containers', { exact: true })).toBeVisible();
  await expect(system.getByText('Created', { exact: true })).toBeVisible();
  await expect(system.getByText('Created there', { exact: true })).toHaveCount(0);
});

test('a page stays where it is while its parts arrive, on a wide screen and on a phone', async ({
  demo: { page, paths },
}) => {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as (PerformanceEntry & {
        value: number;
        sources: { node: Node | null }[];
      })[]) {
        // A log that is written moves its own last line.
        const nodes = shift.sources.map(({ node }) => node);
        if (nodes.length > 0 && nodes.every((node) => node?.parentElement?.closest('[role=log]'))) continue;
        const moved = nodes.map((node) => node?.textContent?.trim().slice(0, 40));
        // A hundredth of what is called good for a whole page (https://web.dev/articles/cls).
        if (shift.value >= 0.001) shifts.push(`${shift.value.toFixed(4)}: ${moved.join(' | ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const stays = async (name: string, path: string) => {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0, { timeout: 60_000 });
    const shifts = await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
    expect.soft(shifts, `what moved on ${name}`).toEqual([]);
  };
  for (const [name, path] of Object.entries(paths)) await test.step(name, () => stays(name, path));
  await onScreen(page, phone, async () => {
    for (const [name, path] of Object.entries(paths))
      await test.step(`${name}, on a phone`, () => stays(`${name}, on a phone`, path));
  });
});

test('Schedules and Commands share a line where half a page holds one', async ({ demo: { page, paths } }) => {
  await openWhole(page, paths.app);
  const commands = page.locator('#commands');
  /** How far Commands begins below Schedules, both read at one moment. */
  const below = () =>
    page.evaluate(
      (ids) =>
        ids
          .map((id) => document.getElementById(id)?.getBoundingClientRect().top ?? Number.NaN)
          .reduce((schedules, top) => top - schedules),
      ['schedules', 'commands'],
    );
  // A panel that nobody looks at asks its server for nothing.
  await page.locator('#schedules').scrollIntoViewIfNeeded();
  await expect(page.locator('#schedules')).toContainText(/2 tasks, next in /);
  await expect(commands.getByRole('link', { name: 'Server settings' })).toBeVisible();
  await expect.poll(below).toBe(0);
  await page.getByRole('button', { name: 'Show tasks' }).click();
  await expect(page.locator('#schedules').getByRole('listitem')).toHaveCount(2);
  await expect.poll(below).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Hide tasks' }).click();
  await expect.poll(below).toBe(0);
  await onScreen(page, { width: 1100, height: 900 }, () => expect.poll(below).toBeGreaterThan(0));
});

test('the window of finished work shows the result first, and scrolls in one place', async ({
  demo: { page, paths },
}) => {
  await openWhole(page, paths.app);
  const work = page.locator('#work');
  await work.getByRole('button', { name: /^Show/ }).click();
  await work.getByRole('button', { name: 'Log of Creation of night ferry' }).click();
  const dialog = page.getByRole('dialog', { name: 'night ferry is created' });
  await expect(dialog.getByRole('button', { name: 'OK' })).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Steps' })).toHaveCount(0);
  await dialog.getByText('Commands that ran').click();
  await expect(dialog.getByText('exit code 0').first()).toBeVisible();
  await dialog.getByText(/^\d of \d steps.*Show log$/).click();
  await expect(dialog.getByRole('list', { name: 'Steps' })).toBeAttached();
  const scrollers = () =>
    dialog.evaluate(
      (window) =>
        [...window.querySelectorAll('*')].filter(
          (each) =>
            ['auto', 'scroll'].includes(getComputedStyle(each).overflowY) &&
            each.scrollHeight > each.clientHeight + 1,
        ).length,
    );
  await expect.poll(scrollers).toBe(1);
  await page.keyboard.press('Escape');
});

test('a firewall without rules is one line, and keeps its row while its answer is shown', async ({
  demo: { page, paths },
}) => {
  await openWhole(page, paths.sandbox);
  const panel = page.locator('#firewall');
  await panel.scrollIntoViewIfNeeded();
  await expect(panel).toContainText('The firewall is off', { timeout: 60_000 });
  const widthOf = (id: string) =>
    page.locator(`[id="${id}"]`).evaluate((section) => section.getBoundingClientRect().width);
  const whole = await widthOf('overview');
  expect((await panel.boundingBox())?.height).toBeLessThan(80);
  expect([await widthOf('firewall'), await widthOf('settings')]).toEqual([whole, whole]);
  await panel.getByRole('button', { name: 'Show the answer' }).press('Enter');
  await expect(panel.getByText('Status: inactive')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Hide the answer' })).toBeFocused();
  expect([await widthOf('firewall'), await widthOf('settings')]).toEqual([whole, whole]);
});

const rules = ['22/tcp', '80/tcp', '443/tcp', '22/tcp (v6)', '80/tcp (v6)'];
const nineLines = `Status: active

To                         Action      From
--                         ------      ----
${rules.map((port) => `${port.padEnd(27)}ALLOW       Anywhere`).join('\n')}
`;

test('a firewall of nine lines shows its first rules, and the page of its server stays within its height', async ({
  demo: { page, paths },
}) => {
  const reading = /\/api\/servers\/[^/]+\/firewall$/;
  await page.route(reading, async (route) => {
    const answer = await route.fetch();
    const json = answer.ok() ? { ...(await answer.json()), state: 'active', text: nineLines } : undefined;
    await route.fulfill({ response: answer, ...(json && { json }) });
  });
  await openWhole(page, paths.sandbox);
  const panel = page.locator('#firewall');
  await panel.scrollIntoViewIfNeeded();
  await expect(panel.getByText('Active', { exact: true })).toBeVisible({ timeout: 60_000 });
  const text = panel.getByLabel('Firewall status text');
  await expect(text).toContainText('443/tcp');
  await expect(text).not.toContainText('(v6)');
  // Only a sandbox has this banner.
  const banner = await page
    .getByRole('status')
    .filter({ hasText: 'This server runs the Dokku sandbox' })
    .evaluate(({ parentElement }) => {
      if (!parentElement) return Number.NaN;
      return parentElement.offsetHeight + Number.parseFloat(getComputedStyle(parentElement).marginBottom);
    });
  expect((await heightOf(page)) - banner).toBeLessThanOrEqual(atMostPx.sandbox * room);
  const all = panel.getByRole('button', { name: 'Show all 5 rules' });
  await all.press('Enter');
  for (const port of rules) await expect(text).toContainText(port);
  await expect(text).toContainText('Status: active');
  const first = panel.getByRole('button', { name: 'Show the first rules' });
  await expect(first).toBeFocused();
  await first.press('Enter');
  await expect(text).not.toContainText('(v6)');
  await page.unroute(reading);
});

test('gaps in the stats are known later than the page is drawn, and move nothing', async ({
  demo: { page, paths },
}) => {
  const series = /\/monitor\/dump\/[^/]+$/;
  for (const size of [{ width: 1440, height: 900 }, phone]) {
    await onScreen(page, size, async () => {
      let goOn = () => {};
      const drawn = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      await page.route(series, async (route) => {
        await drawn;
        const answer = await route.fetch();
        const dump: { timeseries: { all: object[] } } = await answer.json();
        dump.timeseries.all.splice(5, 3);
        await route.fulfill({ response: answer, json: dump });
      });
      await page.goto(paths.server);
      const panel = page.locator('#notifications');
      await expect(panel.getByText(/^By e-mail: /)).toBeVisible();
      const before = await panel.boundingBox();
      goOn();
      const gap = panel.getByRole('button', { name: /^\d+ gaps? in stats$/ });
      await expect(gap).toBeVisible();
      expect(await panel.boundingBox()).toEqual(before);
      await gap.press('Enter');
      await expect(panel.getByText(/^No stats from .* to /).first()).toBeVisible();
      await page.unroute(series);
    });
  }
});

test('of two dialogs above each other, the upper one alone darkens the page', async ({
  demo: { page, paths },
}) => {
  await openWhole(page, paths.app);
  await page.getByRole('button', { name: 'Add variable' }).click();
  await page.getByRole('dialog', { name: 'Add variable' }).getByLabel('Name').fill('MOTTO');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
  await expect(question).toBeVisible();
  /** How much each layer over the whole window darkens what is below. */
  const scrims = () =>
    page.locator('#layers').evaluate((layers) =>
      [...layers.querySelectorAll('*')]
        .map((layer) => getComputedStyle(layer))
        .filter(
          ({ position, backgroundColor }) => position === 'fixed' && backgroundColor !== 'rgba(0, 0, 0, 0)',
        )
        .map(({ opacity }) => opacity),
    );
  await expect.poll(scrims).toEqual(['0', '1']);
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect.poll(scrims).toEqual(['1']);
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the tabs of an app and of a server fit on one line of a wide screen', async ({
  demo: { page, paths },
}) => {
  await onScreen(page, { width: 1440, height: 900 }, async () => {
    for (const path of [paths.app, paths.server]) {
      await page.goto(path);
      const tabs = page.getByRole('navigation', { name: 'Sections' }).getByRole('list');
      await expect(tabs.getByRole('link').last()).toBeInViewport({ ratio: 1 });
      expect(await tabs.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
    }
  });
});

test('on a phone, what needs attention is within the first two screens', async ({
  demo: { page, paths },
}) => {
  await onScreen(page, phone, async () => {
    await page.goto(paths.home);
    const panel = page.getByRole('region', { name: 'Needs attention' });
    await expect(panel.getByText(/ is offline$/)).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0, { timeout: 60_000 });
    const box = await panel.boundingBox();
    expect((box?.y ?? Number.NaN) + (box?.height ?? Number.NaN)).toBeLessThanOrEqual(2 * phone.height);
  });
});

test('on a phone, what is done with a variable stands beside its name', async ({ demo: { page, paths } }) => {
  await onScreen(page, phone, async () => {
    await openWhole(page, paths.app);
    const row = page.locator('#environment tbody tr').first();
    const copy = row.getByRole('button', { name: /^Copy/ });
    const stands = () =>
      copy.evaluate((button) => {
        const name = button.closest('tr')?.querySelector('td')?.getBoundingClientRect();
        const { left, top } = button.getBoundingClientRect();
        return name && { after: left >= name.right, below: top >= name.bottom };
      });
    await expect.poll(stands).toEqual({ after: true, below: false });
  });
});

test('on a phone, a long message keeps the width of the page: what is pressed stands below', async ({
  demo: { page, paths },
}) => {
  const [apps, bars] = [/\/api\/apps$/, /\/monitor\/uptime\/[^/]+\/bars/];
  await page.route(apps, async (route) => {
    const answer = await route.fetch();
    const all: object[] = await answer.json();
    await route.fulfill({ response: answer, json: all.map((app) => ({ ...app, missingSince: Date.now() })) });
  });
  await page.route(bars, (route) => route.fulfill({ status: 503 }));
  await onScreen(page, phone, async () => {
    await page.goto(paths.app);
    const gone = page.getByRole('alert').getByText(/no longer has this app/);
    await expect(gone).toBeVisible();
    expect((await gone.boundingBox())?.width).toBeGreaterThan(200);
    const failed = page.locator('#request-times').getByText('The console answered with status 503.');
    await expect(failed).toBeVisible();
    const box = await failed.boundingBox();
    expect((box?.x ?? Number.NaN) + (box?.width ?? Number.NaN)).toBeLessThan(phone.width);
    await expect(page.locator('#request-times').getByRole('button', { name: 'Try again' })).toBeVisible();
  });
  await page.unroute(apps);
  await page.unroute(bars);
});
