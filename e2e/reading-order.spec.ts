import type { Page } from '@playwright/test';
import { onScreen, openWhole, phone, sectionsOf, test } from './fixtures/furnished-demo.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expect } from './fixtures/test.ts';
import { keepWelcomesClosed } from './fixtures/welcome.ts';

test.describe.configure({ timeout: 300_000 });

/** The other signed-in pages whose address is the same on each console. */
const others = {
  servers: '/servers',
  apps: '/apps',
  'new app': '/apps/new',
  databases: '/databases',
  'new database': '/databases/new',
  'new proxy': '/proxies/new',
  keys: '/ssh-keys',
  'new key': '/ssh-keys/new',
  promos: '/promos',
};

const signedOut = ['/login', '/signup', '/reset-password'];

test('on every page the keyboard goes as the eye reads, on a wide screen and on a phone', async ({
  demo: { page, paths },
}) => {
  const chart = `${paths.server}/chart/cpu`;
  const all = { ...paths, ...others, chart };
  for (const [name, path] of Object.entries(all)) await test.step(name, () => readsOn(page, name, path));
  await onScreen(page, phone, async () => {
    for (const [name, path] of Object.entries(all))
      await test.step(`${name}, on a phone`, () => readsOn(page, `${name}, on a phone`, path));
  });
});

test('on the page of a domain the keyboard goes as the eye reads', async ({ browser, demo: { page } }) => {
  // Somebody else links the domains: with them, the pages of the demo's owner would have other heights.
  const context = await browser.newContext({
    baseURL: new URL(page.url()).origin,
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
  });
  await keepWelcomesClosed(context);
  const theirs = await context.newPage();
  await signUp(theirs, newPerson());
  await theirs.goto('/domains');
  await theirs.getByRole('button', { name: 'Link the demo’s Cloudflare' }).click();
  const domain = theirs.getByRole('main').getByRole('table').getByRole('link').first();
  await expect(domain).toBeVisible({ timeout: 60_000 });
  const path = (await domain.getAttribute('href')) ?? '';
  expect(path).toMatch(/^\/domain\//);
  await readsOn(theirs, 'a domain', path);
  await onScreen(theirs, phone, () => readsOn(theirs, 'a domain, on a phone', path));
  await context.close();
});

test('on the pages of the signed-out the keyboard goes as the eye reads', async ({
  browser,
  demo: { page },
}) => {
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin, reducedMotion: 'reduce' });
  const stranger = await context.newPage();
  for (const path of signedOut) await test.step(path, () => readsOn(stranger, path, path));
  await onScreen(stranger, phone, async () => {
    for (const path of signedOut)
      await test.step(`${path}, on a phone`, () => readsOn(stranger, `${path}, on a phone`, path));
  });
  await context.close();
});

test('the keyboard visits the sections of each long page in their order', async ({
  demo: { page, paths },
}) => {
  for (const name of Object.keys(sectionsOf) as (keyof typeof sectionsOf)[]) {
    await test.step(name, async () => {
      await openWhole(page, paths[name]);
      const visited = (await stopsOn(page, sectionsOf[name]))
        .map(({ section }) => section)
        // A panel of parts goes on after the part that has an anchor.
        .filter((id, at, all) => id !== null && at === all.indexOf(id));
      expect.soft(visited.length, name).toBeGreaterThan(4);
      expect.soft(visited, name).toEqual(sectionsOf[name].filter((id) => visited.includes(id)));
    });
  }
});

async function readsOn(page: Page, name: string, path: string): Promise<void> {
  await openWhole(page, path);
  const stops = await stopsOn(page);
  expect.soft(stops.length, `what the keyboard reaches on ${name}`).toBeGreaterThan(0);
  expect
    .soft(
      stops.flatMap((stop, at) => backwards(stops[at - 1], stop)),
      name,
    )
    .toEqual([]);
}

type Stop = {
  section: string | null;
  name: string;
  top: number;
  bottom: number;
  left: number;
  right: number;
};

/** Where Tab stops, from the title to the end of the page's content. */
async function stopsOn(page: Page, sections: readonly string[] = []): Promise<Stop[]> {
  await page.getByRole('heading', { level: 1 }).evaluate((title: HTMLElement) => {
    title.tabIndex = -1;
    title.focus();
  });
  const stops: Stop[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(whereFocusIs, sections);
    if (stop === null) return stops;
    stops.push(stop);
    // Far more than a page of the demo has.
    expect(stops.length, 'a way out of the content').toBeLessThan(400);
  }
}

/** Where the focus is on the page. null: outside of its content. Runs in the browser. */
function whereFocusIs(sections: readonly string[]): Stop | null {
  const focused = document.activeElement;
  if (!focused?.closest('main')) return null;
  let section: string | null = null;
  for (let each: Element | null = focused; each && section === null; each = each.parentElement)
    if (sections.includes(each.id)) section = each.id;
  // The control of a choice is hidden inside its label.
  const shown = focused.closest('label') ?? focused;
  const { top, bottom, left, right } = shown.getBoundingClientRect();
  // A strip of tabs scrolls to the tab in focus.
  let [x, y] = [0, 0];
  for (let each = shown.parentElement; each; each = each.parentElement) {
    x += each.scrollLeft;
    y += each.scrollTop;
  }
  const name = focused.getAttribute('aria-label') ?? focused.textContent ?? '';
  return { section, name, top: top + y, bottom: bottom + y, left: left + x, right: right + x };
}

/** Says so where a stop is read before the one that the keyboard left for it: above it in its column, or to the left in its row. */
function backwards(from: Stop | undefined, to: Stop): string[] {
  if (!from) return [];
  const above = to.bottom <= from.top + 1 && to.left < from.right;
  const before = to.top < from.bottom && from.top < to.bottom && to.right <= from.left + 1;
  return above || before ? [`“${to.name}” after “${from.name}”`] : [];
}
