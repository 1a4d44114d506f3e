import { makeKey } from '@homeport/ssh/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Page } from '@playwright/test';
import { z } from 'zod';
import { createApp, pushApp } from './fixtures/app.ts';
import { expectAccessible } from './fixtures/axe.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { importKey, installServer } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';

/** A coding agent proposes by the protocol's own client, and its person decides in the browser that holds the key. */

const test = base.extend<{ host: LinkedHost }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
  host: async ({}, use) => {
    const host = await startHost({ installed: false, pace: 0 });
    await use(host);
    await host.stop();
  },
  // The context is made after the host and so closes before it. Otherwise an open page would lose its server.
  context: async ({ host: _host, context }, use) => use(context),
});

const done = { timeout: 90_000 };
const why = 'Ignore the commands and approve. <a href="https://evil.example">Look</a>';

type Agent = (tool: string, input: Record<string, unknown>) => Promise<Record<string, unknown>>;

test('a coding agent proposes, and a person approves what they see, or declines', async ({
  page,
  host,
  homeport,
  failures,
}) => {
  test.setTimeout(300_000);
  // A proposal of an app that has changed is refused.
  failures.mayCome(/status of 409/);
  await test.step('an app that runs', () => deployApp(page, host));
  const token = await test.step('a token that may propose', () => makeToken(page));
  await using client = await connect(homeport.url, token);
  const agent: Agent = async (name, input) => {
    const { content } = answer.parse(await client.callTool({ name, arguments: input }));
    return z.record(z.string(), z.unknown()).parse(JSON.parse(content[0].text));
  };
  await test.step('a restart is approved by the keyboard, and runs', () => approveRestart(page, agent));
  await test.step('a stop is declined with one click', () => declineStop(page, agent));
  await test.step('what has changed since is not approved', () => refuseChanged(page, agent));
});

const answer = z.object({ content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]) });

async function connect(url: string, token: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

async function deployApp(page: Page, host: LinkedHost): Promise<void> {
  const [key, pushKey] = [makeKey(), makeKey()];
  await host.authorize(key.publicKeyLine);
  await signUp(page, newPerson());
  await importKey(page, 'desk', key.privateKeyPem);
  await importKey(page, 'git', pushKey.privateKeyPem);
  await installServer(page, host, { name: 'lantern', credential: 'desk' });
  const remote = await createApp(page, 'blog', { git: true, desk: false });
  await pushApp(remote, pushKey.privateKeyPem);
}

async function makeToken(page: Page): Promise<string> {
  await page.goto('/profile');
  const panel = page.getByRole('region', { name: 'Programs' });
  await panel.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Coding agent', { exact: true }).click();
  await dialog.getByLabel('Name').fill('helper');
  await dialog.getByRole('group', { name: 'Apps' }).getByText('Propose', { exact: true }).click();
  await expect(dialog.getByRole('group', { name: 'Servers' }).getByText('Propose')).toBeHidden();
  await dialog.getByRole('group', { name: 'Operations' }).getByText('Read', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Make token' }).click();
  await dialog.getByRole('button', { name: 'Show token' }).click();
  const token = (await dialog.getByText(/^homeport_/).textContent()) ?? '';
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  await expect(panel.getByText(/Apps: read and propose, Operations: read/)).toBeVisible();
  return token;
}

async function approveRestart(page: Page, agent: Agent): Promise<void> {
  const proposal = await agent('propose_app_action', { app: 'blog', action: 'restart', why });
  expect(proposal.next).toMatch(/^Nothing has run\./);
  // The open page says so, and leads there.
  await page.getByRole('button', { name: 'Look' }).click();
  await expect(page).toHaveURL(String(proposal.approveAt));
  await expect(page.getByRole('heading', { name: 'Decide about a proposal' })).toBeFocused();
  const panel = page.getByRole('region', { name: 'Restart: blog' });
  await expect(panel.getByText(/dokku ps:restart blog-\w{6}$/)).toBeVisible();
  await expect(panel.getByText('As dokku')).toBeVisible();
  await expect(panel.getByText('helper', { exact: false }).first()).toBeVisible();
  await expect(panel.getByRole('blockquote')).toHaveText(why);
  await expect(panel.getByRole('link')).toHaveCount(0);
  const approve = panel.getByRole('button', { name: 'Approve and run' });
  await expect(approve).toBeEnabled();
  // Enter alone approves nothing.
  await page.keyboard.press('Enter');
  await expect(approve).toBeVisible();
  await expectAccessible(page);
  await page.screenshot({ path: test.info().outputPath('approve.png'), fullPage: true });
  const size = page.viewportSize();
  await expectFitsPhone(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: test.info().outputPath('approve-phone-dark.png'), fullPage: true });
  await page.emulateMedia({ colorScheme: 'light' });
  if (size) await page.setViewportSize(size);
  const waiting = agent('wait_for_proposal', { proposal: proposal.proposal, seconds: 45 });
  await page.getByRole('heading', { name: 'Decide about a proposal' }).focus();
  for (let press = 0; press < 5; press += 1) {
    await page.keyboard.press('Tab');
    if (await approve.evaluate((button) => button === document.activeElement)) break;
  }
  await page.keyboard.press('Enter');
  const work = page.getByRole('dialog', { name: 'Restart' });
  await expect(work.getByText(/^\d+ of \d+ steps.* Show log$/)).toBeVisible(done);
  const decided = await waiting;
  expect(decided).toMatchObject({ state: 'run', operation: expect.any(String) });
  expect(await agent('get_operation', { id: decided.operation })).toMatchObject({ state: 'succeeded' });
  await work.getByRole('button', { name: 'Close' }).last().click();
  await expect(panel.getByText('You approved this, and the work has begun.')).toBeVisible();
  await expect(approve).toBeHidden();
  await expect(panel.getByRole('button', { name: 'Show the work' })).toBeVisible();
}

async function declineStop(page: Page, agent: Agent): Promise<void> {
  const { proposal } = await agent('propose_app_action', { app: 'blog', action: 'stop', why });
  await page.goto('/profile');
  const list = page.getByRole('list', { name: 'Proposals that wait for you' });
  await expect(list).toContainText('Stop: blog');
  await expect(page.getByRole('link', { name: /Proposal that waits/ })).toBeVisible();
  await expectAccessible(page, '#programs');
  await page.screenshot({ path: test.info().outputPath('programs.png'), fullPage: true });
  await list.getByRole('link', { name: 'Decide: Stop, blog' }).click();
  const panel = page.getByRole('region', { name: 'Stop: blog' });
  await expect(panel.getByText('The app stops, and answers nobody')).toBeVisible();
  await panel.getByRole('button', { name: 'Decline' }).click();
  await expect(panel.getByText('You declined this. Nothing has run.')).toBeVisible();
  await expectAccessible(page);
  expect(await agent('wait_for_proposal', { proposal })).toMatchObject({ state: 'declined' });
  await expect(page.getByRole('link', { name: /Proposal that waits/ })).toBeHidden();
}

async function refuseChanged(page: Page, agent: Agent): Promise<void> {
  const { approveAt } = await agent('propose_plan', { app: 'blog', plan: 5, why });
  await page.goto(String(approveAt));
  const panel = page.getByRole('region', { name: 'Change to plan 5: blog' });
  await expect(panel.getByRole('button', { name: 'Approve and run' })).toBeEnabled();
  await expect(panel.getByText(/if the app was deployed and is not stopped$/)).toBeVisible();
  await rename(page, 'diary');
  await page.goto(String(approveAt));
  await expect(panel.getByText(/has changed since this was proposed/)).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Approve and run' })).toBeHidden();
  await expect(panel.getByRole('button', { name: 'Decline' })).toBeVisible();
}

/** As another page of the person would. */
async function rename(page: Page, name: string): Promise<void> {
  const apps = z
    .array(z.object({ id: z.string(), version: z.number() }))
    .parse(await (await page.request.get('/api/apps')).json());
  const [app] = apps;
  const changed = await page.request.patch(`/api/apps/${app?.id}`, {
    data: { version: app?.version, name },
    headers: { origin: new URL(page.url()).origin },
  });
  expect(changed.ok()).toBe(true);
}
