import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import {
  bodyOf,
  deployApp,
  linkServer,
  signUp,
  startSandboxServer,
  type TestVisitor,
} from '@homeport/api/testing';
import type { App } from '@homeport/contract/apps/schema';
import type { Browser, Tab } from '../../e2e/engines/browser.ts';
import { startFirefox } from '../../e2e/engines/firefox.ts';
import { type Console, startConsole } from '../../e2e/fixtures/console.ts';
import { asAnotherMachine } from '../another-machine.ts';
import { figure, figureAtMost, median } from '../figure.ts';
import { startChromium } from './chromium.ts';

const tabs = 30;
const usableMsAtMost = 2_000;
const heardMsAtMost = 2_000;
/** A request that waits for a connection waits for seconds. This bound is far below that, and far above the time of an answer. */
const queuedMsAtMost = 500;
const giveUpMs = 60_000;

const program = `import { createServer } from 'node:http';
createServer((_request, answer) => answer.end('ok')).listen(process.env.PORT);
let beat = 0;
setInterval(() => console.log('beat ' + ++beat), 100);
`;

/** Measures one person with thirty tabs, two of them with logs, on the console of `npm start`. */
async function main(): Promise<void> {
  await using host = await startSandboxServer({ beforeEach: asAnotherMachine });
  const homeport = await startConsole();
  try {
    const person = await signUp(homeport.url, 'tabs');
    const link = await linkServer(homeport.url, person, host);
    await link.connect();
    const app = await deployApp(person, link, { Procfile: 'web: node server.mjs\n', 'server.mjs': program });
    for (const start of [startChromium, startFirefox]) {
      const browser = await start();
      if (!browser) {
        console.log('Firefox is not installed, so its figures are missing. See the message above.');
        continue;
      }
      try {
        await measure(browser, homeport, person, app, link.connect);
      } finally {
        await browser.close();
      }
    }
  } finally {
    await homeport.stop();
  }
}

async function measure(
  browser: Browser,
  homeport: Console,
  person: TestVisitor,
  app: App,
  connect: () => Promise<void>,
): Promise<void> {
  const { name } = browser;
  await connect();
  await browser.setCookies(cookiesOf(person, homeport.url));
  const pid = await processOf(homeport);
  const warm = await browser.newTab();
  await open(warm, `${homeport.url}/home`);
  await pause(2_000);
  const before = await readProcess(pid);
  const places = [`/app/${app.serverKey}/${app.longname}`, '/home', '/apps'];
  const opened: Tab[] = [];
  const usable: number[] = [];
  for (let index = 0; index < tabs; index += 1) {
    const tab = await browser.newTab();
    const place = index < 2 ? places[0] : places[1 + (index % 2)];
    usable.push(await open(tab, `${homeport.url}${place}`));
    opened.push(tab);
  }
  for (const tab of opened) await until(tab, `document.body.innerText.includes('Live')`);
  for (const tab of opened.slice(0, 2)) {
    // The page opens the log when somebody looks at it.
    await tab.evaluate(`document.querySelector('#logs')?.scrollIntoView()`);
    await until(tab, `(document.querySelector('#logs [role=log]')?.innerText ?? '').includes('beat')`);
  }
  await pause(2_000);
  const after = await readProcess(pid);
  figureAtMost(
    `${name}: ${tabs} tabs one after the other, time until usable, worst`,
    Math.max(...usable),
    usableMsAtMost,
    'ms',
  );
  figure({ what: `${name}: the same, median`, value: `${median(usable).toFixed(0)} ms` });

  const heard: number[] = [];
  for (const word of ['foghorn', 'lamp', 'buoy'])
    heard.push(await changeAndHear(opened, person, app.id, word));
  figureAtMost(
    `${name}: from a change until all ${tabs} tabs show it, worst of three`,
    Math.max(...heard),
    heardMsAtMost,
    'ms',
  );

  const queued = Number(
    await opened.at(-1)?.evaluate(`(async () => {
      const { href } = new URL('/api/servers?asked=' + Math.random(), location.href);
      await (await fetch(href)).text();
      const [timing] = performance.getEntriesByName(href);
      return timing.requestStart - timing.startTime;
    })()`),
  );
  figureAtMost(`${name}: request ${tabs + 1}, time before it was sent`, queued, queuedMsAtMost, 'ms');
  const sockets = (after.sockets - before.sockets) / tabs;
  figure({ what: `${name}: sockets of the console per tab`, value: sockets.toFixed(2) });
  figure({
    what: `${name}: memory of the console per tab`,
    value: `${((after.kilobytes - before.kilobytes) / tabs).toFixed(0)} kB`,
  });
  await person.call(`PATCH /api/apps/${app.id}`, {
    version: await versionOf(person, app.id),
    name: app.name,
  });
}

/** The time from the request of the address until the page shows its own data and answers to a key. */
async function open(tab: Tab, url: string): Promise<number> {
  const begin = performance.now();
  await tab.goto(url);
  await until(
    tab,
    `location.href !== 'about:blank' && /ledger|foghorn|lamp|buoy/.test(document.querySelector('#main')?.innerText ?? '') &&
      !document.querySelector('[inert] #main')`,
  );
  return performance.now() - begin;
}

/** Renames the app over HTTP, and asks each tab when it showed the new name. All clocks are this machine's. */
async function changeAndHear(
  opened: readonly Tab[],
  person: TestVisitor,
  id: string,
  word: string,
): Promise<number> {
  await Promise.all(
    opened.map((tab) =>
      tab.evaluate(`window.heard = new Promise((resolve) => {
        const look = () => document.querySelector('#main').innerText.includes('${word}') && resolve(Date.now());
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
      }); true`),
    ),
  );
  const version = await versionOf(person, id);
  const begin = Date.now();
  bodyOf(await person.call(`PATCH /api/apps/${id}`, { version, name: word }), 200);
  const times = await Promise.all(
    opened.map((tab) =>
      tab.evaluate(
        `Promise.race([window.heard, new Promise((resolve) => setTimeout(resolve, 30000, Infinity))])`,
      ),
    ),
  );
  return Math.max(...times.map(Number)) - begin;
}

async function versionOf(person: TestVisitor, id: string): Promise<number> {
  return bodyOf<App>(await person.call(`GET /api/apps/${id}`), 200).version;
}

async function until(tab: Tab, condition: string): Promise<void> {
  const deadline = performance.now() + giveUpMs;
  while (performance.now() < deadline) {
    // A page that is being replaced cannot run a script.
    if (await tab.evaluate(`Boolean(${condition})`).catch(() => false)) return;
    await pause(20);
  }
  throw new Error(`A tab did not come to: ${condition}`);
}

const cookiesOf = (person: TestVisitor, url: string) =>
  person
    .cookie()
    .split('; ')
    .map((pair) => {
      const at = pair.indexOf('=');
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url };
    });

/** Finds the console's own process by its data folder in the command line (proc(5)). */
async function processOf({ folder, url }: Console): Promise<{ pid: number; port: string }> {
  for (const name of await readdir('/proc')) {
    const words = /^\d+$/.test(name) && (await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => ''));
    if (words && [folder, 'start.mjs'].every((word) => words.includes(word)))
      return { pid: Number(name), port: new URL(url).port };
  }
  throw new Error('The console has no process.');
}

/** The number of open connections of the console's port (net/tcp), and the memory of its process. */
async function readProcess({ pid, port }: { pid: number; port: string }) {
  const wanted = `:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`;
  const established = '01';
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n');
  const sockets = lines.filter((line) => {
    const [, local = '', , state] = line.trim().split(/\s+/);
    return local.endsWith(wanted) && state === established;
  }).length;
  const memory = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return { sockets, kilobytes: Number(/^Pss:\s+(\d+) kB$/m.exec(memory)?.[1]) };
}

await main();
