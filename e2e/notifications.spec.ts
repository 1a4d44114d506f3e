import { startMailServer } from '@homeport/api/testing/mail-server';
import { makeKey } from '@homeport/ssh/testing';
import { createApp, greeting, pushApp } from './fixtures/app.ts';
import { expectAccessible } from './fixtures/axe.ts';
import { type Console, startConsole } from './fixtures/console.ts';
import { startHost } from './fixtures/host.ts';
import { importKey, installServer } from './fixtures/server.ts';
import { switchOff } from './fixtures/switch-off.ts';
import { test as base, expect } from './fixtures/test.ts';

/** A console with a mail server: news that nobody asked for arrives, and can be switched off. */

type Mailed = Awaited<ReturnType<typeof startMailServer>>;

const test = base.extend<object, { mailed: Mailed; homeport: Console }>({
  mailed: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
    async ({}, use) => {
      const mailed = await startMailServer();
      await use(mailed);
      await mailed.close();
    },
    { scope: 'worker' },
  ],
  homeport: [
    async ({ mailed }, use) => {
      const homeport = await startConsole({
        HOMEPORT_SMTP_URL: mailed.url,
        HOMEPORT_MAIL_FROM: 'Homeport <console@example.com>',
      });
      await use(homeport);
      await homeport.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

test('a failed deploy is mailed, the page shows what became of the mail, and the switches turn it off', async ({
  ownerPage: page,
  homeport,
  mailed,
}) => {
  const host = await startHost({ pace: 0 });
  try {
    const mails = (subject: RegExp) =>
      mailed.mails.filter(({ headers }) => subject.test(headers.subject ?? ''));
    await expect.poll(() => mails(/Verify your/).length).toBe(1);
    await page.goto(mails(/Verify your/)[0]?.text.match(/http:\S+/)?.[0] ?? '');
    await expect(page.getByRole('heading', { name: 'E-mail verified' })).toBeVisible();

    const [login, push] = [makeKey(), makeKey()];
    await host.authorize(login.publicKeyLine);
    await importKey(page, 'desk', login.privateKeyPem);
    await importKey(page, 'laptop', push.privateKeyPem);
    await installServer(page, host, { name: 'lantern', credential: 'desk' });
    const remote = await createApp(page, 'Signal', { laptop: true, desk: false });
    await expect(page).toHaveURL(/\/app\//);
    const appPage = page.url();
    const section = page.locator('#notifications');
    const byEmail = section.getByRole('heading', { name: /^By e-mail: / });
    await expect(byEmail).toHaveText('By e-mail: 4 kinds on');
    await byEmail.click();
    await expect(section.getByText(`To ${homeport.owner.email}`)).toBeVisible();

    const inList = await page.context().newPage();
    await inList.goto('/notifications');
    await expect(inList.getByRole('heading', { name: 'No news yet' })).toBeVisible();

    await expect(pushApp(remote, push.privateKeyPem, { 'notes.txt': 'nothing to run' })).rejects.toThrow();
    const news = section.getByRole('list', { name: 'News by e-mail' }).getByRole('listitem');
    await expect(news).toHaveCount(1);
    await expect(news).toContainText('A deploy of Signal failed.');
    await expect(news).toContainText('The mail server said: 250');
    const [mail] = mails(/^Deploys of Signal$/);
    expect(mail?.to).toEqual([homeport.owner.email]);
    expect(mail?.text).toContain(`See the page: ${appPage}`);

    // Nobody loads the page of all news again.
    const listed = inList.getByRole('list', { name: 'News, newest first' }).locator('> li');
    await expect(listed).toContainText('A deploy of Signal failed.');
    await listed.getByText('Sent to E-mail.').click();
    await expect(listed.getByRole('listitem')).toContainText('250');
    await inList.getByRole('combobox').and(inList.getByLabel('About')).selectOption('lantern and its apps');
    await expect(listed).toHaveCount(1);
    await inList.close();

    await expectAccessible(page, '#notifications');
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible();
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(width, 'as wide as the phone').toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1440, height: 900 });

    const deploys = section.getByRole('switch', { name: 'A deploy failed' });
    await switchOff(page, deploys);
    await page.reload();
    await expect(byEmail).toHaveText('By e-mail: 3 kinds on');
    await expect(deploys).toBeHidden();
    await byEmail.click();
    await expect(deploys).not.toBeChecked();
    await expect(section.getByRole('switch', { name: 'The app is down, and up again' })).toBeChecked();
    await switchOff(page, section.getByRole('switch', { name: 'E-mail about Signal' }));
    await expect(deploys).toBeDisabled();
    await expect(byEmail).toHaveText('By e-mail: off');

    await page.getByRole('link', { name: /late reports of lantern/ }).click();
    await expect(byEmail).toHaveText('By e-mail: 7 kinds on');
    await byEmail.click();
    const all = section.getByRole('switch', { name: 'E-mail about lantern and its apps' });
    await expect(section.getByRole('switch')).toHaveCount(8);
    await expectAccessible(page, '#notifications');
    await switchOff(page, all);
    await page.goto(appPage);
    await expect(byEmail).toHaveText('By e-mail: off');
    await byEmail.click();
    await expect(section.getByText('No e-mail is sent, because e-mail about')).toBeVisible();
    await expect(section.getByRole('switch')).toHaveCount(0);

    await pushApp(remote, push.privateKeyPem, { 'index.html': greeting });
    await expect(page.locator('#deploy').getByText('Succeeded', { exact: true }).first()).toBeVisible({
      timeout: 90_000,
    });
    expect(mails(/Deploys of Signal/)).toHaveLength(1);
  } finally {
    await page.close();
    await host.stop();
  }
});
