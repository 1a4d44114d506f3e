import type { Page, ViewportSize } from '@playwright/test';
import { startConsole } from './fixtures/console.ts';
import { demoSettings, furnishDemo, pathsOfDemo, verifyOwner } from './fixtures/demo.ts';
import { consoleTest, expect } from './fixtures/test.ts';

// docs/page-layout.md has the same heights. The room is for longer names and for answers of another length.
const room = 1.1;

type Measured = { atMostPx: number; sections: readonly string[] };

const serverSections = [
  'overview',
  'notifications',
  'apps',
  'databases',
  'network-usage',
  'network-latency',
  'cpu-load',
  'ram-swap',
  'disk-usage',
  'top-processes',
  'firewall',
  'settings',
] as const;

const pages = {
  app: {
    atMostPx: 2_400,
    sections: [
      'general',
      'resource-usage',
      'processes',
      'readme',
      'request-times',
      'deploy',
      'databases',
      'environment',
      'schedules',
      'commands',
      'logs',
      'limits',
      'notifications',
      'work',
      'system',
      'manage-app',
    ],
  },
  server: { atMostPx: 2_200, sections: serverSections },
  // It runs Dokku: more settings, also of its apps.
  sandbox: { atMostPx: 2_350, sections: serverSections },
  // With Homeport's plugin on its server, which the demo has.
  database: {
    atMostPx: 1_500,
    sections: ['overview', 'resource-usage', 'logs', 'backups', 'schedule', 'work', 'settings'],
  },
  proxy: { atMostPx: 1_500, sections: ['overview', 'proxy-rules', 'requests', 'notifications', 'settings'] },
  profile: {
    atMostPx: 1_700,
    sections: [
      'you',
      'cloudflare',
      'github',
      'sign-in',
      'password',
      'passkeys',
      'second-step',
      'sessions',
      'programs',
      'people',
      'history',
      'security-events',
      'outbox',
      'your-data',
      'danger-zone',
    ],
  },
} as const satisfies Record<string, Measured>;

/** Pages whose address is the same on each console. */
const everywhere = {
  profile: '/profile',
  home: '/home',
  notifications: '/notifications',
  device: '/device',
  console: '/console',
  domains: '/domains',
  proxies: '/proxies',
};

type Demo = { page: Page; paths: Awaited<ReturnType<typeof pathsOfDemo>> & typeof everywhere };

/** The demo with an app, its scheduled tasks and a database, and a page that is connected to their server. */
const test = consoleTest.extend<object, { demo: Demo }>({
  demo: [
    async ({ browser }, use) => {
      const homeport = await startConsole(demoSettings);
      await verifyOwner(homeport);
      const context = await browser.newContext({ baseURL: homeport.url, reducedMotion: 'reduce' });
      await context.addCookies(homeport.owner.cookies);
      context.setDefaultTimeout(30_000);
      const page = await context.newPage();
      await furnishDemo(page, homeport);
      await use({ page, paths: { ...(await pathsOfDemo(homeport)), ...everywhere } });
      await context.close();
      await homeport.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

test.describe.configure({ timeout: 300_000 });

test('a page with all its sections is about as high as what it says', async ({ demo: { page, paths } }) => {
  for (const [name, { atMostPx, sections }] of Object.entries(pages)) {
    await test.step(name, async () => {
      await openWhole(page, paths[name as keyof typeof pages]);
      for (const id of sections)
        await expect.soft(page.locator(`[id="${id}"]`), `#${id} of ${name}`).toHaveCount(1);
      // A section that waits for its turn at the server is as high as its skeleton until then.
      await expect
        .poll(() => heightOf(page), { message: `the height of ${name}`, timeout: 20_000 })
        .toBeLessThanOrEqual(atMostPx * room);
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

test('on the app’s page the keyboard goes as the eye reads, through the sections in their order', async ({
  demo: { page, paths },
}) => {
  await openWhole(page, paths.app);
  await page.getByRole('heading', { level: 1 }).focus();
  const stops: Stop[] = [];
  // The end of the page's content, long before the bound.
  for (let presses = 0; presses < 400; presses += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(whereFocusIs, pages.app.sections);
    if (stop === null) break;
    stops.push(stop);
  }
  expect(stops.flatMap((stop, at) => backwards(stops[at - 1], stop))).toEqual([]);
  const visited = stops.map(({ section }) => section).filter((id, at, all) => id && id !== all[at - 1]);
  expect(visited.length).toBeGreaterThan(10);
  expect(visited).toEqual(pages.app.sections.filter((id) => visited.includes(id)));
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
        // A tenth of what is called good for a whole page (https://web.dev/articles/cls). A report that comes late has its notice late.
        if (shift.value >= 0.01) shifts.push(`${shift.value.toFixed(4)}: ${moved.join(' | ')}`);
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

const phone = { width: 390, height: 844 };

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
    await expect(failed).toBeVisible({ timeout: 30_000 });
    const box = await failed.boundingBox();
    expect((box?.x ?? Number.NaN) + (box?.width ?? Number.NaN)).toBeLessThan(phone.width);
    await expect(page.locator('#request-times').getByRole('button', { name: 'Try again' })).toBeVisible();
  });
  await page.unroute(apps);
  await page.unroute(bars);
});

/** Afterwards the screen has its usual size again, because the tests share a page. */
async function onScreen(page: Page, size: ViewportSize, look: () => Promise<void>): Promise<void> {
  await page.setViewportSize(size);
  try {
    await look();
  } finally {
    await page.setViewportSize({ width: 1440, height: 900 });
  }
}

/** Opens a page and looks at all of it, because a section asks its server once it is on the screen. */
async function openWhole(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (let top = 0; top < (await heightOf(page)); top += 450)
    await page.evaluate(
      (to) =>
        new Promise((done) => {
          window.scrollTo(0, to);
          requestAnimationFrame(() => requestAnimationFrame(done));
        }),
      top,
    );
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0, { timeout: 60_000 });
}

const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight);

type Stop = {
  section: string | null;
  name: string;
  top: number;
  bottom: number;
  left: number;
  right: number;
};

/** Where the focus is on the page. null: outside of its content. Runs in the browser. */
function whereFocusIs(sections: readonly string[]): Stop | null {
  const focused = document.activeElement;
  if (!focused?.closest('main')) return null;
  let section: string | null = null;
  for (let each: Element | null = focused; each && section === null; each = each.parentElement)
    if (sections.includes(each.id)) section = each.id;
  // The control of a choice is hidden inside its label.
  const { top, bottom, left, right } = (focused.closest('label') ?? focused).getBoundingClientRect();
  const name = focused.getAttribute('aria-label') ?? focused.textContent ?? '';
  return { section, name, top: top + scrollY, bottom: bottom + scrollY, left, right };
}

/** Says so where a stop is read before the one that the keyboard left for it. */
function backwards(from: Stop | undefined, to: Stop): string[] {
  if (!from) return [];
  const above = to.bottom <= from.top + 1 && to.left < from.right;
  const before = to.top < from.bottom && from.top < to.bottom && to.right <= from.left + 1;
  return above || before ? [`${to.name} (${to.section}) after ${from.name} (${from.section})`] : [];
}
