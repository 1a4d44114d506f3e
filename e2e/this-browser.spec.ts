import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { expectAccessible } from './fixtures/axe.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expect, test } from './fixtures/test.ts';

/** A person has news sent to this browser. Chromium without its maker's push service has a stand-in for that in the page; its worker is the real one. */

/** The browser of RFC 8291, appendix A. */
const receiver = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

/** What `push.test` in the browser's storage holds is what its push service has given it. */
async function standInForPushService(page: Page): Promise<void> {
  await page.addInitScript((keys) => {
    const name = 'push.test';
    const bytes = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0))
        .buffer;
    const taken = () => {
      const text = localStorage.getItem(name);
      if (text === null) return null;
      const { endpoint, key } = JSON.parse(text) as { endpoint: string; key: number[] };
      return {
        endpoint,
        options: { applicationServerKey: Uint8Array.from(key).buffer },
        getKey: (part: 'p256dh' | 'auth') => bytes(keys[part]),
        unsubscribe: async () => {
          localStorage.removeItem(name);
          return true;
        },
      };
    };
    Object.assign(PushManager.prototype, {
      getSubscription: async () => taken(),
      subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
        const endpoint = `https://push.invalid/${crypto.randomUUID()}`;
        localStorage.setItem(name, JSON.stringify({ endpoint, key: [...applicationServerKey] }));
        return taken();
      },
    });
  }, receiver);
}

/** Hands a message to the page's worker, as the browser does. */
async function push(devtools: CDPSession, origin: string, registrationId: string, data: object) {
  const message = { origin, registrationId, data: JSON.stringify(data) };
  await devtools.send('ServiceWorker.deliverPushMessage', message);
}

const shown = (page: Page) =>
  page.evaluate(async () => {
    const worker = await navigator.serviceWorker.getRegistration('/');
    const all = (await worker?.getNotifications()) ?? [];
    return all.map(({ title, body, tag, data }) => ({ title, body, tag, data: data as unknown }));
  });

const registrations = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);

const width = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

async function chooseThisBrowser(page: Page) {
  await page.goto('/profile#notifications');
  const section = page.locator('#notifications');
  await section.getByRole('button', { name: 'Add destination' }).click();
  const choose = page.getByRole('dialog', { name: 'Add destination', exact: true });
  await choose.getByRole('radio', { name: /^This browser/ }).check();
  await choose.getByRole('button', { name: 'Continue' }).click();
  return { section, add: page.getByRole('dialog', { name: 'Add destination: This browser' }) };
}

const allow = (context: BrowserContext, origin: string) =>
  context.grantPermissions(['notifications'], { origin });

test('this browser is turned on, shows news of one thread in one place, is turned on again, and is removed', async ({
  page,
  context,
  homeport,
}) => {
  await allow(context, homeport.url);
  await standInForPushService(page);
  await signUp(page, newPerson());
  const devtools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    }),
  );
  await devtools.send('ServiceWorker.enable');
  const { section, add } = await chooseThisBrowser(page);
  expect(await registrations(page), 'nothing is registered before the press').toBe(0);
  await expect(add.getByLabel('Name')).toHaveValue('Chrome on Linux');
  await expectAccessible(page, '[role=dialog]');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => width(page), 'as wide as the phone').toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1440, height: 900 });
  await add.getByRole('button', { name: 'Turn on' }).click();
  const lines = section.getByRole('list', { name: 'Destinations of news' }).getByRole('listitem');
  await expect(lines).toHaveCount(2);
  await expect(lines.nth(1)).toContainText('Browser, push.invalid. This browser.');

  const worker = await registered;
  const text = { title: '<b>lantern</b> is offline', body: '@everyone', tag: 'one', path: '/notifications' };
  await push(devtools, homeport.url, worker, { ...text, quiet: false });
  const begun = { title: '<b>lantern</b> is offline', body: '@everyone', tag: 'one', data: '/notifications' };
  await expect.poll(() => shown(page)).toEqual([begun]);
  await push(devtools, homeport.url, worker, {
    ...text,
    title: 'Resolved',
    path: '//evil.example',
    quiet: true,
  });
  await expect.poll(() => shown(page)).toEqual([{ ...begun, title: 'Resolved', data: '/home' }]);

  await section.getByRole('button', { name: 'Open Chrome on Linux' }).click();
  const open = page.getByRole('dialog', { name: 'Chrome on Linux' });
  await expect(open.getByText('This is the browser that you use now.')).toBeVisible();
  await open.getByRole('button', { name: 'Send a test' }).click();
  await expect(open.getByRole('region', { name: 'Deliveries' }).getByRole('listitem')).toContainText(
    'DNS has no address for push.invalid',
  );
  await expectAccessible(page, '[role=dialog]');

  await page.evaluate(() => localStorage.removeItem('push.test'));
  await page.reload();
  await expect(lines.nth(1)).toContainText('Not received');
  await section.getByRole('button', { name: 'Open Chrome on Linux' }).click();
  await expect(open.getByText('This browser has dropped its notifications')).toBeVisible();
  await expectAccessible(page, '[role=dialog]');
  await open.getByRole('button', { name: 'Turn on again' }).click();
  await expect(open.getByText('This is the browser that you use now.')).toBeVisible();

  await open.getByRole('button', { name: 'Remove destination' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove destination' }).click();
  await expect(lines).toHaveCount(1);
  await expect.poll(() => registrations(page)).toBe(0);
  expect(await page.evaluate(() => localStorage.getItem('push.test'))).toBeNull();
});

test('a browser that was turned on with a key that is gone is offered again', async ({
  page,
  context,
  homeport,
}) => {
  await allow(context, homeport.url);
  await standInForPushService(page);
  await signUp(page, newPerson());
  const { section, add } = await chooseThisBrowser(page);
  await add.getByRole('button', { name: 'Turn on' }).click();
  const lines = section.getByRole('list', { name: 'Destinations of news' }).getByRole('listitem');
  await expect(lines.nth(1)).toContainText('This browser.');
  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('push.test') ?? '{}') as object;
    localStorage.setItem('push.test', JSON.stringify({ ...kept, key: [4, 1, 2] }));
  });
  await page.reload();
  await expect(lines.nth(1)).toContainText('Not received');
  await section.getByRole('button', { name: 'Open Chrome on Linux' }).click();
  const open = page.getByRole('dialog', { name: 'Chrome on Linux' });
  await expect(open.getByText('with a key that the console no longer has')).toBeVisible();
  await open.getByRole('button', { name: 'Turn on again' }).click();
  await expect(open.getByText('This is the browser that you use now.')).toBeVisible();
});

test('a browser whose person said no says so, and asks nobody again', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
  });
  await signUp(page, newPerson());
  const { add } = await chooseThisBrowser(page);
  await expect(add.getByText('This browser blocks notifications of this console.')).toBeVisible();
  await expect(add.getByRole('button', { name: 'Turn on' })).toHaveCount(0);
  await expectAccessible(page, '[role=dialog]');
  await add.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('radio', { name: /^This browser/ })).toBeChecked();
});
