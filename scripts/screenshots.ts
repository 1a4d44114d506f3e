// `npm run screenshots`: takes the pictures in docs/screenshots/ from a demo console that this program starts and ends.
// `-- home proxy` takes some of them. `-- --into FOLDER --width 390 /servers /profile` takes whole pages for a look at them.
// `-- --heights` prints the height of each page as well.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { App, DeployInstructions } from '@homeport/contract/apps/schema';
import type { Key } from '@homeport/contract/credentials/schema';
import type { Database } from '@homeport/contract/databases/schema';
import type { Operation } from '@homeport/contract/operations/schema';
import type { ProxySummary } from '@homeport/contract/proxies/schema';
import type { Server } from '@homeport/contract/servers/schema';
import type { Uptime } from '@homeport/contract/uptime/schema';
import { makeKey } from '@homeport/ssh/testing';
import { chromium, expect, type Page } from '@playwright/test';
import { type Console, startConsole } from '../e2e/fixtures/console.ts';
import { createDatabase } from '../e2e/fixtures/database.ts';
import buildStale from '../e2e/global-setup.ts';
import config from '../e2e/playwright.config.ts';
import { ensureInstalled, root } from './install.mjs';
import { ensureSystemPackages } from './install-system.mjs';

const { values: given, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    into: { type: 'string' },
    width: { type: 'string', default: '1440' },
    heights: { type: 'boolean' },
  },
});
/** The pictures of the documentation show what a screen shows. Those for a look show the whole page. */
const folder = given.into ?? join(root, 'docs/screenshots');
const viewport = { width: Number(given.width), height: 900 };
const settings = { HOMEPORT_DEMO: 'true', HOMEPORT_DEMO_FLEET: '7' };
const sandboxName = 'harbour-sandbox';
const appName = 'night ferry';
const databaseName = 'Timetable';
const withinMs = 180_000;
/** Without names, all pictures are taken. */
const isWanted = (name: string) => names.length === 0 || names.includes(name);

type Shot = { name: string; path: string; prepare?: (page: Page) => Promise<void> };

ensureInstalled();
ensureSystemPackages();
buildStale();
mkdirSync(folder, { recursive: true });
const homeport = await startConsole(settings);
const browser = await chromium.launch(config.use?.launchOptions);
try {
  await verifyOwner(homeport);
  const context = await browser.newContext({ baseURL: homeport.url, viewport, locale: 'en-GB' });
  await context.addCookies(homeport.owner.cookies);
  const page = await context.newPage();
  const privateKey = await addKey(page);
  const sandbox = await until('the sandbox takes the key', async () =>
    (await read<Server[]>(homeport, '/api/servers')).find(
      ({ name, credential }) => name === sandboxName && credential !== 'password',
    ),
  );
  const app = await createApp(page, homeport, sandbox);
  await pushProject(homeport, app, privateKey);
  // The open page reads where the app answers, and the checks of its uptime ask there.
  await until('the page has read the address of the app', async () =>
    (await read<App[]>(homeport, '/api/apps')).find(({ url }) => url !== null),
  );
  await createDatabase(page, { name: databaseName, type: 'PostgreSQL' });
  await takePictures(page, homeport, app);
} finally {
  await browser.close();
  await homeport.stop();
}

/** Verifies the owner's address, because otherwise every page asks for that. */
async function verifyOwner({ url, owner, mailsTo }: Console): Promise<void> {
  const mail = await until('the verification message', async () => (await mailsTo(owner.email))[0]);
  const token = /#token=(\S+)/.exec(mail.text)?.[1];
  const answer = await fetch(`${url}/api/auth/verify-email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ token }),
  });
  if (!answer.ok) throw new Error(`Verifying the address answered ${answer.status}.`);
}

/** Adds a keypair through the page like a person. Returns the private half, for git. */
async function addKey(page: Page): Promise<string> {
  const { privateKeyPem } = makeKey();
  await page.goto('/ssh-keys/new');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('Name', { exact: true }).fill('harbour-desk');
  await page.getByLabel('Private key', { exact: true }).fill(privateKeyPem);
  await page.getByRole('main').getByRole('button', { name: 'Add keypair' }).click();
  await until('the key is stored', async () => (await read<Key[]>(homeport, '/api/keys'))[0]);
  return privateKeyPem;
}

async function createApp(page: Page, console: Console, server: Server): Promise<App> {
  await page.goto(`/apps/new?server=${server.key}`);
  await page.getByLabel('App name').fill(appName);
  await page.getByRole('button', { name: 'Create app' }).click();
  await page.getByRole('button', { name: 'Accept and connect' }).click();
  await until('the app is created', async () => {
    const [operation] = await read<Operation[]>(console, '/api/operations');
    if (operation?.state === 'failed') throw new Error(operation.problem?.message);
    return operation?.state === 'succeeded' ? operation : undefined;
  });
  await page.getByRole('dialog').getByRole('button', { name: 'OK', exact: true }).click();
  await page.waitForURL('/app/**');
  const [app] = await read<App[]>(console, '/api/apps');
  if (!app) throw new Error('The app was created and is not listed.');
  return app;
}

/** Pushes by real git to the address that the console names. */
async function pushProject(console: Console, app: App, privateKey: string): Promise<void> {
  const { remoteUrl } = await read<DeployInstructions>(console, `/api/apps/${app.id}/deploy-instructions`);
  const project = mkdtempSync(join(tmpdir(), 'homeport-project-'));
  const keyFile = join(project, '.git-key');
  writeFileSync(
    join(project, 'index.html'),
    '<!doctype html><title>Night ferry</title><h1>Sailing at 22:40</h1>\n',
  );
  writeFileSync(join(project, '.gitignore'), '.git-key\n');
  writeFileSync(keyFile, privateKey, { mode: 0o600 });
  const ssh = `ssh -F none -i ${keyFile} -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null`;
  const author = ['-c', 'user.name=Olive', '-c', 'user.email=olive@example.com'];
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: project,
      stdio: 'ignore',
      env: { ...process.env, GIT_SSH_COMMAND: ssh },
    });
  try {
    git('init', '--initial-branch=main');
    git('add', '.');
    git(...author, 'commit', '-m', 'Timetable');
    git('push', remoteUrl, 'HEAD:main');
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

async function takePictures(page: Page, console: Console, app: App): Promise<void> {
  const servers = await until('every simulated server has reported', async () => {
    const stats = await read<unknown[]>(console, '/monitor/dumps');
    const all = await read<Server[]>(console, '/api/servers');
    return stats.length > Number(settings.HOMEPORT_DEMO_FLEET) ? all : undefined;
  });
  if (isWanted('home') || isWanted('app'))
    await until('the app was found up', async () => {
      const [uptime] = await read<Uptime[]>(console, '/monitor/uptime');
      return uptime?.online ? uptime : undefined;
    });
  const [database] = await read<Database[]>(console, '/api/databases');
  const simulated = servers.find((server) => server.simulated);
  const [proxy] = await read<ProxySummary[]>(console, '/api/proxies');
  const shots: readonly Shot[] = [
    { name: 'home', path: '/home' },
    { name: 'server', path: `/server/${simulated?.key}` },
    { name: 'app', path: `/app/${app.serverKey}/${app.longname}` },
    { name: 'database', path: `/databases/${database?.longname}` },
    { name: 'credentials', path: '/ssh-keys' },
    { name: 'proxy', path: `/proxy/${proxy?.id}` },
    { name: 'proxy-rules', path: `/proxy/${proxy?.id}`, prepare: testUrl },
    { name: 'proxy-rule', path: `/proxy/${proxy?.id}`, prepare: openRule },
  ];
  const paths = names.filter((name) => name.startsWith('/'));
  const wanted = [
    ...shots.filter(({ name }) => isWanted(name)),
    ...paths.map((path): Shot => ({ name: path.slice(1).replaceAll('/', '-'), path })),
  ];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const { name, path, prepare } of wanted) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settles(page, path);
      if (given.into !== undefined) await lookAtAll(page, path);
      await prepare?.(page);
      // Waits for fonts, charts and the first items of streams. Toasts of earlier operations are gone by then.
      await pause(3_000);
      if (given.heights) process.stdout.write(`${name}: ${await heightPx(page)} px\n`);
      await page.screenshot({
        path: join(folder, `${name}-${colorScheme}.png`),
        animations: 'disabled',
        fullPage: given.into !== undefined && !prepare,
      });
    }
  }
}

function heightPx(page: Page): Promise<number> {
  return page.locator('html').evaluate(({ scrollHeight }) => scrollHeight);
}

/** Sections ask their server once they are on the screen, so each comes there. */
async function lookAtAll(page: Page, path: string): Promise<void> {
  // By height, because a section may leave the page when another one has its answer.
  const steps = Math.ceil((await heightPx(page)) / (viewport.height / 2));
  for (let step = 0; step < steps; step += 1) {
    await page.evaluate((top) => window.scrollTo(0, top), (step * viewport.height) / 2);
    await pause(100);
  }
  await settles(page, path);
  await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
}

/** Waits until nothing on the page loads any more. Throws with what still does. */
async function settles(page: Page, path: string): Promise<void> {
  const busy = page.locator('[aria-busy=true]');
  try {
    await expect(busy).toHaveCount(0, { timeout: withinMs });
  } catch {
    const parts = await busy.evaluateAll((all) => all.map((each) => each.outerHTML.slice(0, 200)));
    throw new Error(`${path} still loads after ${withinMs / 1000} s: ${parts.join('; ')}`);
  }
}

/** The rules with a URL that one of them takes. */
async function testUrl(page: Page): Promise<void> {
  await page.getByLabel('Test a URL').fill('/journal/fog');
  await page.getByText('takes this URL').waitFor();
  await page.locator('#proxy-rules').evaluate((section) => section.scrollIntoView());
}

async function openRule(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit rule 1' }).click();
  await page.getByRole('dialog').waitFor();
}

async function read<T>(console: Console, path: string): Promise<T> {
  const cookie = console.owner.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const answer = await fetch(console.url + path, { headers: { cookie } });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return (await answer.json()) as T;
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + withinMs; Date.now() < end; await pause(200)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`Waited ${withinMs / 1000} s without success: ${what}.`);
}
