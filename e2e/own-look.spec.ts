import type { Locator, Page } from '@playwright/test';
import { openWhole, test } from './fixtures/furnished-demo.ts';
import { expect } from './fixtures/test.ts';

/** What makes the console look like itself: its harbour, its instruments, the line of a tested URL, one lamp for a view, and its lists. */

test.describe.configure({ timeout: 300_000 });

const schemes = ['light', 'dark'] as const;

test('the harbour is drawn at the sign-in, on Home and on an empty page, and its light shines by day and by night', async ({
  browser,
  demo: { page, paths },
}) => {
  const baseURL = new URL(page.url()).origin;
  await using context = await browser.newContext({ baseURL, reducedMotion: 'reduce' });
  const stranger = await context.newPage();
  const places = [
    { on: stranger, path: '/login', lines: '#roads-', lit: true },
    { on: page, path: paths.home, lines: '#home-', lit: true },
    { on: page, path: '/server/none', lines: '#spot', lit: false },
  ];
  for (const { on, path, lines, lit } of places)
    for (const colorScheme of schemes) {
      await on.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await on.goto(path);
      const use = on.locator(`use[href*="${lines}"]`);
      const drawing = on.locator('svg', { has: use });
      await expect(drawing).toBeVisible();
      // The lines stand in a file of their own.
      await expect.poll(() => changesWithout(drawing, use), `${path}, ${colorScheme}`).toBe(true);
      const light = drawing.locator('circle[fill^="url("]');
      if (lit) expect(await changesWithout(drawing, light), `light, ${path}, ${colorScheme}`).toBe(true);
    }
  await asTheSystem(page);
});

test('the charts of a server are one instrument: margins, dashes, bands, a legend that reads out, and gaps in words', async ({
  demo: { page, paths },
}) => {
  const series = /\/monitor\/dump\/[^/]+$/;
  await page.route(series, async (route) => {
    const answer = await route.fetch();
    const dump: { timeseries: { all: object[] } } = await answer.json();
    dump.timeseries.all.splice(-9, 5);
    await route.fulfill({ response: answer, json: dump });
  });
  await openWhole(page, paths.server);
  const charts = page.locator('figure', { has: page.locator('[role=img]') });
  await expect(charts).toHaveCount(5);
  const margins = await charts.evaluateAll((all) =>
    all.map((chart) => {
      const [outer, inner] = [chart, chart.querySelector('[role=img]')].map((each) =>
        each?.getBoundingClientRect(),
      );
      if (!outer || !inner) return 'no plot';
      return `${Math.round(inner.left - outer.left)} ${Math.round(outer.right - inner.right)}`;
    }),
  );
  expect(new Set(margins).size, margins.join(', ')).toBe(1);
  for (const name of ['Network Usage', 'Network Latency', 'CPU Load']) {
    const chart = page.getByRole('figure', { name });
    const dashes = await chart
      .locator('svg path[stroke^="var(--series-"]')
      .evaluateAll((strokes) => strokes.map((stroke) => getComputedStyle(stroke).strokeDasharray));
    expect(dashes.length, name).toBeGreaterThan(1);
    expect(new Set(dashes).size, name).toBe(dashes.length);
  }
  const load = page.getByRole('figure', { name: 'CPU Load' });
  for (const share of [/^80\s%$/, /^90\s%$/]) await expect(load.getByText(share)).toBeVisible();
  await expect(load.getByText('no data', { exact: true })).toBeVisible();
  const plot = load.getByRole('img');
  await plot.scrollIntoViewIfNeeded();
  const readOut = () => load.getByText(/^\d\d:\d\d$/).count();
  const atRest = await readOut();
  await plot.hover({ position: { x: 40, y: 40 } });
  // In the legend, and at the crosshair.
  await expect.poll(readOut).toBe(atRest + 2);
  await page.mouse.move(0, 0);
  await page.unroute(series);
});

test('a meter has the notches of a tide staff at 80 and 90', async ({ demo: { page, paths } }) => {
  await openWhole(page, paths.server);
  const notches = await page
    .getByRole('meter')
    .first()
    .evaluate((meter) =>
      ['::before', '::after'].map((notch) => {
        const { left, width } = getComputedStyle(meter, notch);
        const middle = Number.parseFloat(left) + Number.parseFloat(width) / 2;
        return Math.round((100 * middle) / meter.getBoundingClientRect().width);
      }),
    );
  expect(notches).toEqual([80, 90]);
});

test('a tested URL draws its line through the rules that it passes, up to the one that takes it', async ({
  demo: { page, paths },
}) => {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto(paths.proxy);
    const rows = page.getByRole('list', { name: 'Rules' }).getByRole('listitem');
    const mark = await colourOf(page, '--mark');
    const lines = () =>
      rows.evaluateAll((all) =>
        all.map((row) => {
          const { backgroundColor, backgroundImage } = getComputedStyle(row, '::before');
          return backgroundImage === 'none' ? backgroundColor : backgroundImage;
        }),
      );
    await expect(rows.last()).toBeVisible();
    expect((await lines()).filter((line) => line.includes(mark))).toEqual([]);
    await page.getByLabel('Test a URL').fill('/no-rule-is-for-this');
    await expect(rows.last()).toContainText('takes this URL');
    const drawn = await lines();
    expect(drawn.length).toBeGreaterThan(1);
    expect(drawn.filter((line) => !line.includes(mark))).toEqual([]);
    const number = rows.last().locator('[aria-hidden=true]').first();
    await expect(number).toHaveCSS('background-color', mark);
  }
  await asTheSystem(page);
});

test('a view has one lamp: one main button at most, and one entry of the sidebar', async ({
  browser,
  demo: { page, paths },
}) => {
  const baseURL = new URL(page.url()).origin;
  await using context = await browser.newContext({ baseURL, reducedMotion: 'reduce' });
  const stranger = await context.newPage();
  const withLamp = { ...paths, servers: '/servers', apps: '/apps', keys: '/ssh-keys' };
  for (const colorScheme of schemes) {
    for (const each of [page, stranger]) await each.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const [name, path] of Object.entries(withLamp)) {
      await openWhole(page, path);
      const main = await mainButtons(page);
      expect.soft(main.length, `${name}, ${colorScheme}: ${main.join(', ')}`).toBeLessThanOrEqual(1);
    }
    for (const [path, name] of [
      [paths.home, 'New app'],
      [paths.sandbox, 'New app'],
      ['/servers', 'Add server'],
    ] as const) {
      await page.goto(path);
      await expect.poll(() => mainButtons(page)).toEqual([name]);
    }
    await stranger.goto('/login');
    await expect.poll(() => mainButtons(stranger)).toEqual(['Sign in']);

    const lamp = await colourOf(page, '--lamp-strong');
    const entries = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    const lit = await entries.evaluateAll(
      (all, colour) =>
        all
          .filter((entry) => getComputedStyle(entry, '::before').backgroundColor === colour)
          .map((entry) => entry.getAttribute('href')),
      lamp,
    );
    expect(lit).toEqual(['/servers']);
    await expect(page.getByRole('region', { name: 'Server lights' })).toBeVisible();
  }
  await asTheSystem(page);
});

test('the list of servers begins with trouble, a good state is quiet in it, and Home’s sentence names who is away', async ({
  demo: { page, paths },
}) => {
  await page.goto('/servers');
  const rows = page.getByRole('region', { name: 'Servers', exact: true }).locator('tbody tr');
  await expect(rows.getByText('Offline', { exact: true }).first()).toBeVisible();
  const states = await rows.evaluateAll((all) =>
    all.flatMap((row) => /Offline|No data found|Online/.exec(row.textContent ?? '') ?? []),
  );
  const order = ['Offline', 'No data found', 'Online'];
  expect(states).toEqual(states.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
  expect(states).toContain('Online');
  await expect(rows.getByText('Online', { exact: true }).first()).toHaveCSS('border-top-style', 'none');
  await expect(rows.getByText('Offline', { exact: true }).first()).toHaveCSS('border-top-style', 'solid');
  const figures = await rows
    .getByText(/^[\d.,]+ .?B\/s$/)
    .evaluateAll((all) => all.map((figure) => Math.round(figure.getBoundingClientRect().right)));
  expect(figures.length).toBeGreaterThan(1);
  expect(new Set(figures).size).toBe(1);
  const away = await rows.filter({ hasText: 'Offline' }).getByRole('link').allInnerTexts();
  await page.goto(paths.home);
  const named = page
    .getByRole('region', { name: /^Good / })
    .getByRole('paragraph')
    .getByRole('link');
  await expect(named).toBeVisible();
  expect(away).toContain(await named.innerText());
});

/** Whether a picture of `look` is another one without `part`. Two pictures of the same must be alike. */
async function changesWithout(look: Locator, part: Locator): Promise<boolean> {
  const picture = () => look.screenshot({ animations: 'disabled' });
  const [whole, again] = [await picture(), await picture()];
  const show = (visibility: string) =>
    part.evaluateAll((all, value) => {
      for (const each of all) if (each instanceof SVGElement) each.style.visibility = value;
    }, visibility);
  await show('hidden');
  const without = await picture();
  await show('');
  return whole.equals(again) && !whole.equals(without);
}

/** A token of the page's colours as the browser computes it. */
const colourOf = (page: Page, token: string): Promise<string> =>
  page.evaluate((name) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = `var(${name})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, token);

/** The names of what can be seen in the colour of the main button. */
async function mainButtons(page: Page): Promise<string[]> {
  const primary = await colourOf(page, '--primary');
  return page
    .locator('button:visible, a:visible')
    .evaluateAll(
      (all, colour) =>
        all
          .filter((each) => getComputedStyle(each).backgroundColor === colour)
          .map((each) => each.textContent.trim()),
      primary,
    );
}

const asTheSystem = (page: Page) => page.emulateMedia({ colorScheme: null, reducedMotion: 'reduce' });
