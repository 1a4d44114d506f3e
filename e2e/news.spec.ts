import { startReceiver } from '@homeport/api/testing/webhook-receiver';
import type { Destination } from '@homeport/contract/destinations/schema';
import { notificationRules } from '@homeport/contract/notifications/kinds';
import type { NewsPage, NewsPiece } from '@homeport/contract/notifications/news-page';
import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/axe.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { expect, test } from './fixtures/test.ts';

/** The page of all news, with answers that a test gives in place of the console's. What real news looks like is in notifications.spec.ts. */

const hostile = '<b>*_[x](y)@everyone';
const at = Date.parse('2026-11-22T10:13:00Z');
const server = { id: '5f0c1f0e-7a43-4c0a-9c4b-0f6f6a1c2d3e', of: 'server', name: hostile } as const;

const piece = (number: number, changes: Partial<NewsPiece> = {}): NewsPiece => ({
  ...{
    id: crypto.randomUUID(),
    incident: crypto.randomUUID(),
    acknowledged: null,
    muted: false,
    serverId: null,
    appId: null,
    kind: 'app.down',
    text: `Shop ${number} is down.`,
    at: at + number,
    since: at,
  },
  ...{ state: 'firing', severity: 'critical', overAt: null, page: '/servers', told: [], ...changes },
});

async function answer(page: Page, of: (query: URLSearchParams) => NewsPage): Promise<void> {
  await page.route(/\/api\/notifications(?:\?.*)?$/, (route) =>
    route.fulfill({ json: of(new URL(route.request().url()).searchParams) }),
  );
}

const rows = (page: Page) => page.getByRole('list', { name: 'News, newest first' }).locator('> li');

test('without news the page says what will stand there; the search and the profile lead to it', async ({
  page,
}) => {
  await signUp(page, newPerson());
  await page.goto('/profile#notifications');
  await page.getByRole('link', { name: 'All news so far' }).click();
  await expect(page.getByRole('heading', { name: 'No news yet' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Where news goes' }).click();
  await expect(page).toHaveURL(/\/profile#notifications$/);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('notific');
  await page.getByRole('option', { name: 'Notifications' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible();
});

test('a piece says whether it is over, where it went and what was answered, also on a phone', async ({
  page,
}) => {
  await signUp(page, newPerson());
  const told = {
    destinationId: crypto.randomUUID(),
    ...({ kind: 'webhook', name: hostile, state: 'refused' } as const),
    ...{
      endedAt: at + 9_000,
      dueAt: null,
      attempts: 3,
      together: false,
      repeatedAt: null,
      answer: 'It answered 400 Bad Request.',
    },
  } as const;
  const mailed = { ...told, destinationId: crypto.randomUUID(), kind: 'email', name: 'E-mail' } as const;
  const pager = { destinationId: crypto.randomUUID(), name: 'Pager' };
  const shown: NewsPage = {
    news: [
      piece(3, {
        told: [
          { ...mailed, state: 'sent', attempts: 1, answer: '250 OK', repeatedAt: at + 3_600_000 },
          told,
          { ...told, ...pager, state: 'gathering', endedAt: null, dueAt: at + 300_000, answer: null },
        ],
      }),
      piece(2, { overAt: at + 240_000, text: `${hostile.repeat(8)} is down.` }),
      piece(1, { state: 'resolved', text: 'Shop 1 is up again after 4 min.' }),
    ],
    next: null,
    subjects: [server],
    muted: [],
  };
  await answer(page, () => shown);
  await page.goto('/notifications');
  await expect(rows(page)).toHaveCount(3);
  const [first, second, third] = [rows(page).nth(0), rows(page).nth(1), rows(page).nth(2)];
  await expect(first).toContainText('Open');
  await expect(second).toContainText('over after 4 min');
  await expect(second).not.toContainText('Open');
  await expect(third).toContainText('It was sent nowhere');
  await first.getByText(`Not taken by ${hostile}. Not sent to Pager yet. Sent to E-mail.`).click();
  const destinations = first.getByRole('list', { name: 'Destinations' }).getByRole('listitem');
  await expect(destinations.nth(0)).toContainText('250 OK Repeated ');
  await expect(destinations.nth(1)).toContainText('after 3 tries. It answered 400 Bad Request.');
  await expect(destinations.nth(2)).toContainText('if it still goes on and nobody has acknowledged it');
  await expect(page.getByRole('link', { name: 'Shop 3 is down.' })).toHaveAttribute('href', '/servers');
  await expectAccessible(page);
  await expectFitsPhone(page);
});

test('beside the news stand the destinations, what came of the last message, and the button that tries each', async ({
  page,
}) => {
  await signUp(page, newPerson());
  const destination = (name: string, changes: Partial<Destination>): Destination => ({
    ...{ id: crypto.randomUUID(), kind: 'webhook', name, shown: 'hooks.example', state: 'on' },
    ...{ problem: null, version: 1, createdAt: at, previousUntil: null, quietHours: null },
    ...{ perHour: 20, afterMinutes: 0, repeatHours: null, device: null, latest: null, ...changes },
  });
  const took = { sent: true, at, answer: '250 OK' };
  const refused = { sent: false, at, answer: 'It answered 410 Gone.' };
  await page.route(/\/api\/destinations$/, (route) =>
    route.fulfill({
      json: [
        destination('E-mail', { kind: 'email', shown: 'ines@example.com', latest: took }),
        destination(hostile, { latest: refused }),
        destination('Pager', { state: 'off' }),
        destination('Ops', { state: 'broken', problem: 'It takes nothing any more.', latest: refused }),
      ],
    }),
  );
  await answer(page, () => ({ news: [piece(1)], next: null, subjects: [server], muted: [] }));
  await page.goto('/notifications');
  const lines = page.getByRole('list', { name: 'Destinations of news' }).getByRole('listitem');
  await expect(lines).toHaveCount(4);
  await expect(lines.nth(0)).toContainText('Last sent');
  await expect(lines.nth(1)).toContainText('It answered 410 Gone.');
  await expect(lines.nth(2)).toContainText('Off: nothing is sent.');
  await expect(lines.nth(3)).toContainText('It takes nothing any more.');
  await expect(page.getByRole('link', { name: 'Change destinations' })).toHaveAttribute(
    'href',
    '/profile#notifications',
  );
  await expectAccessible(page);
  await page.screenshot({ path: test.info().outputPath('destinations.png'), fullPage: true });
  await expectFitsPhone(page);
  await page.screenshot({ path: test.info().outputPath('destinations-phone.png'), fullPage: true });
});

test('a test of a destination is sent from its line, and the page says what came of it', async ({
  ownerPage: page,
  homeport,
}) => {
  await using hook = await startReceiver();
  const added = await page.request.post('/api/destinations', {
    headers: { origin: homeport.url },
    data: { name: 'Hook', target: { kind: 'webhook', url: hook.url } },
  });
  expect(added.status()).toBe(201);
  await page.goto('/notifications');
  const line = page
    .getByRole('list', { name: 'Destinations of news' })
    .getByRole('listitem')
    .filter({ hasText: 'Hook' });
  await expect(line).toContainText('Nothing sent yet.');
  await line.getByRole('button', { name: 'Send a test' }).click();
  await expect(line).toContainText('Last sent');
});

test('whoever is on call says so on the page, by the keyboard alone, and every other page shows it', async ({
  page,
}) => {
  const { id, other } = { id: crypto.randomUUID(), other: crypto.randomUUID() };
  await signUp(page, newPerson());
  let acknowledged: NewsPiece['acknowledged'] = null;
  await answer(page, (query) => ({
    news: [
      piece(2, { id: other, incident: id, acknowledged, text: `${hostile} is down.` }),
      ...(query.has('incident') ? [] : [piece(1)]),
    ],
    ...{ next: null, subjects: [server], muted: [] },
  }));
  await page.route(new RegExp(`/api/notifications/${id}/acknowledgement$`), async (route) => {
    const asked = route.request().postDataJSON() as { acknowledged: boolean };
    acknowledged = asked.acknowledged ? { by: hostile, at } : null;
    await route.fulfill({ json: { acknowledged } });
  });
  // The address in a message.
  await page.goto(`/notifications?incident=${id}`);
  await expect(page.getByRole('heading', { name: 'One incident' })).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await expectAccessible(page);
  const act = rows(page)
    .first()
    .getByRole('button', { name: /^(Acknowledge|Not mine)/ });
  await expect(act).toHaveAccessibleName(/^Acknowledge/);
  await expect(act).toContainText(`: ${hostile} is down.`);
  await act.press('Enter');
  await expect(rows(page).first()).toContainText(`Acknowledged by ${hostile}`);
  await expect(act).toHaveAccessibleName(/^Not mine after all/);
  await expect(act, 'the keyboard stays where it was').toBeFocused();
  await expectAccessible(page);
  await expectFitsPhone(page);
  await page.screenshot({ path: test.info().outputPath('acknowledged-phone.png'), fullPage: true });
  await act.press('Enter');
  await expect(act).toHaveAccessibleName(/^Acknowledge/);
  await page.getByRole('link', { name: 'All news' }).click();
  await expect(page).toHaveURL(/\/notifications$/);
  await expect(rows(page)).toHaveCount(2);
});

test('an incident, or its server, is muted for a while from its row, and unmuted above the news', async ({
  page,
}) => {
  const id = crypto.randomUUID();
  await signUp(page, newPerson());
  let muted: NewsPage['muted'] = [];
  const asked: unknown[] = [];
  await answer(page, () => ({
    news: [piece(1, { id, incident: id, serverId: server.id, muted: muted.length > 0 })],
    ...{ next: null, subjects: [server], muted },
  }));
  await page.route(new RegExp(`/api/servers/${server.id}/mute$`), async (route) => {
    const { minutes } = route.request().postDataJSON() as { minutes: number | null };
    asked.push(minutes);
    const until = minutes === null ? null : Date.now() + minutes * 60_000;
    muted = until === null ? [] : [{ of: 'server', id: server.id, name: hostile, until }];
    await route.fulfill({ json: { mutedUntil: until } });
  });
  await page.goto('/notifications');
  const more = rows(page).getByRole('button', { name: 'More about: Shop 1 is down.' });
  await more.press('Enter');
  await expect(page.getByRole('menuitem')).toHaveCount(6);
  await expectAccessible(page, '[role=menu]');
  await page.getByRole('menuitem', { name: `Mute ${hostile} and its apps for 8 hours` }).press('Enter');
  const list = page.getByRole('list', { name: 'Muted now' }).getByRole('listitem');
  await expect(list).toContainText(`${hostile} and its apps`);
  await expect(rows(page)).toContainText('Muted');
  await expect(rows(page)).toContainText('It was muted, and went nowhere.');
  await expect(more, 'the keyboard stays where it was').toBeFocused();
  await expectAccessible(page);
  await expectFitsPhone(page);
  await page.screenshot({ path: test.info().outputPath('muted-phone.png'), fullPage: true });
  await list.getByRole('button', { name: `Unmute ${hostile} and its apps` }).press('Enter');
  await expect(list).toHaveCount(0);
  expect(asked).toEqual([480, null]);
});

test('the link of a message asks whoever is signed out to sign in, and leads on from there', async ({
  page,
}) => {
  const id = crypto.randomUUID();
  await page.goto(`/notifications?incident=${id}`);
  await expect(page).toHaveURL(/\/login\b/);
  expect(new URL(page.url()).searchParams.get('next')).toBe(`/notifications?incident=${id}`);
});

test('filters and older pages have addresses, and a filter without news offers the way back', async ({
  page,
}) => {
  await signUp(page, newPerson());
  const { pageOfNews } = notificationRules;
  await answer(page, (query) => {
    const older = query.has('before');
    const news = query.get('kind') === 'destination' ? [] : [piece(older ? 1 : pageOfNews + 1)];
    return { news, next: older ? null : 2, subjects: [server], muted: [] };
  });
  await page.goto('/notifications');
  await page.getByRole('link', { name: 'Older' }).click();
  await expect(rows(page)).toContainText('Shop 1 is down.');
  await expect(page).toHaveURL(/\?before=2$/);
  await page.getByRole('link', { name: 'Newest' }).click();
  await expect(rows(page)).toContainText(`Shop ${pageOfNews + 1} is down.`);
  await page.getByRole('combobox').and(page.getByLabel('About')).selectOption(`${hostile} and its apps`);
  await expect(page).toHaveURL(new RegExp(`about=${server.id}`));
  await page.getByLabel('Kind').selectOption('Broken destination');
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/\/notifications$/);
});

test('what loads slowly says that it loads, and what cannot be loaded comes with Try again', async ({
  page,
  failures,
}) => {
  failures.allow(/status of 503 .*\/api\/notifications\)$/);
  failures.allow(/Loading failed \[notifications, GET \/api\/notifications\b/);
  await signUp(page, newPerson());
  let go = () => {};
  const asked = new Promise<void>((resolve) => {
    go = resolve;
  });
  let isFailing = true;
  await page.route(/\/api\/notifications$/, async (route) => {
    await asked;
    await (isFailing
      ? route.fulfill({ status: 503, json: { code: 'unavailable', message: 'The store is away.' } })
      : route.continue());
  });
  await page.goto('/notifications');
  const news = page
    .locator('main section[aria-busy=true]')
    .filter({ hasNot: page.getByRole('heading', { name: 'Destinations' }) });
  await expect(news).toBeVisible();
  go();
  await expect(page.getByRole('heading', { name: 'The news could not be loaded' })).toBeVisible();
  await expectAccessible(page);
  isFailing = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'No news yet' })).toBeVisible();
});

test('without a network the page says that nothing could be loaded, and goes on by itself', async ({
  page,
  context,
  failures,
}) => {
  failures.mayCome(/ERR_INTERNET_DISCONNECTED|WebSocket|Loading failed/);
  await signUp(page, newPerson());
  await page.goto('/notifications?kind=app.down');
  const clear = page.getByRole('button', { name: 'Clear filter' });
  await expect(clear).toBeVisible();
  await context.setOffline(true);
  await clear.click();
  await expect(page.getByRole('heading', { name: 'The news could not be loaded' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'No news yet' })).toBeVisible();
});
