import { type Console, startConsole } from './fixtures/console.ts';
import { demoSettings, furnishDemo, pathsOfDemo, verifyOwner } from './fixtures/demo.ts';
import { consoleTest, expect } from './fixtures/test.ts';

// docs/page-layout.md has the same heights. The room is for longer names and for answers of another length.
const room = 1.1;

type Measured = { atMostPx: number; sections: readonly string[] };

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
      'logs',
      'limits',
      'commands',
      'notifications',
      'system',
      'work',
      'manage-app',
    ],
  },
  server: {
    atMostPx: 2_200,
    sections: [
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
    ],
  },
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
      'api-tokens',
      'people',
      'history',
      'security-events',
      'outbox',
      'your-data',
      'danger-zone',
    ],
  },
} as const satisfies Record<string, Measured>;

const test = consoleTest.extend<object, { homeport: Console }>({
  homeport: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
    async ({}, use) => {
      const homeport = await startConsole(demoSettings);
      await use(homeport);
      await homeport.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

test('a page with all its sections is about as high as what it says', async ({ browser, homeport }) => {
  test.setTimeout(300_000);
  await verifyOwner(homeport);
  const context = await browser.newContext({ baseURL: homeport.url, reducedMotion: 'reduce' });
  await context.addCookies(homeport.owner.cookies);
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  await furnishDemo(page, homeport);
  const paths = { ...(await pathsOfDemo(homeport)), profile: '/profile' };
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  for (const [name, { atMostPx, sections }] of Object.entries(pages)) {
    await test.step(name, async () => {
      await page.goto(paths[name as keyof typeof pages]);
      await page.getByRole('heading', { level: 1 }).waitFor();
      // A section asks its server once it is on the screen.
      for (let top = 0; top < (await height()); top += 450)
        await page.evaluate(
          (to) =>
            new Promise((done) => {
              window.scrollTo(0, to);
              requestAnimationFrame(() => requestAnimationFrame(done));
            }),
          top,
        );
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0, { timeout: 60_000 });
      for (const id of sections)
        await expect.soft(page.locator(`[id="${id}"]`), `#${id} of ${name}`).toHaveCount(1);
      // A section that waits for its turn at the server is as high as its skeleton until then.
      await expect
        .poll(height, { message: `the height of ${name}`, timeout: 20_000 })
        .toBeLessThanOrEqual(atMostPx * room);
    });
  }
  await context.close();
});
