import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import type { SecurityEvent } from '@homeport/contract/account/schema';
import type { App } from '@homeport/contract/apps/schema';
import { terminalsPerServer, terminalTimes } from '@homeport/contract/terminals/facts';
import type { TerminalEvent, TerminalMessage } from '@homeport/contract/terminals/schema';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bodyOf, password, type TestVisitor } from '../http/testing.ts';
import { deployApp } from '../testing/deploy-app.ts';
import { type LinkedConsole, startLinkedConsole } from '../testing/linked-console.ts';
import { type LivePage, openAsPage, openLivePage, runToEnd, succeeded } from '../testing/page.ts';

const server =
  'require("http").createServer((_, answer) => answer.end("ahoy")).listen(process.env.PORT); console.log("up")';
const patience = { timeout: 60_000, interval: 50 };

/** Changed by tests, and read when a terminal opens. */
const times = { ...terminalTimes } as { -readonly [K in keyof typeof terminalTimes]: number };
let linked: LinkedConsole;
let app: App;
let pages: LivePage[] = [];
beforeAll(async () => {
  linked = await startLinkedConsole(undefined, undefined, { terminalTimes: times });
  app = await deployApp(linked.ines, linked, { 'server.js': server, Procfile: 'web: node server.js\n' });
}, 180_000);
afterEach(async () => {
  Object.assign(times, terminalTimes);
  for (const page of pages) page.close();
  pages = [];
  await expect.poll(() => openTerminals(), patience).toBe(0);
}, 90_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

const allow = (way: 'allow' | 'forbid') =>
  linked.ines.call(`POST /api/servers/${linked.server.id}/commands/${way}`);
const allowShell = async (way: 'allow' | 'forbid') =>
  bodyOf(await linked.ines.call(`POST /api/servers/${linked.server.id}/shell/${way}`), 200);
/** The terminals of this test's host alone. */
const openTerminals = () =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isTerminalOfHost(pid)).length;
const isTerminalOfHost = (pid: string) => {
  try {
    return (
      readFileSync(`/proc/${pid}/comm`, 'utf8') === 'script\n' &&
      readlinkSync(`/proc/${pid}/cwd`).startsWith(realpathSync(linked.host.sandbox.root))
    );
  } catch {
    return false; // It has ended meanwhile.
  }
};
const processesWith = (mark: string) =>
  execFileSync('ps', ['-e', '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(mark));
const events = async () =>
  bodyOf<SecurityEvent[]>(await linked.ines.call('GET /api/security-events'), 200).filter(
    ({ kind }) => kind === 'terminal_opened',
  );

async function openPage(visitor: TestVisitor = linked.ines) {
  const page = await openLivePage(linked.api.url, visitor);
  pages.push(page);
  return page;
}

/** A terminal of a page, whose screen the test reads. The page takes what is shown, from the moment when it `takes` it. */
async function openTerminal(
  query: Record<string, string> = { process: 'web.1' },
  { page, takes = true, at = 'apps' }: { page?: LivePage; takes?: boolean; at?: 'apps' | 'servers' } = {},
) {
  const on = page ?? (await openPage());
  const id = on.subscribe(`GET /api/${at}/:id/terminal`, {
    ...{ params: { id: at === 'apps' ? app.id : linked.server.id }, query },
  });
  const ofThis = () => on.heard.filter((message) => 'id' in message && message.id === id);
  const told = () =>
    ofThis().flatMap((message) => (message.type === 'event' ? [message.data as TerminalEvent] : []));
  const send = (message: TerminalMessage) => on.send(id, message);
  let taken = takes ? 0 : Number.POSITIVE_INFINITY;
  const pieces = () =>
    told().flatMap((event) => (event.type === 'output' ? [Buffer.from(event.data, 'base64')] : []));
  const bytes = () => {
    const shown = pieces().reduce((sum, { length }) => sum + length, 0);
    // One message names at most four windows.
    for (; taken < shown; taken = Math.min(shown, taken + 500_000))
      send({ type: 'taken', bytes: Math.min(shown - taken, 500_000) });
    return shown;
  };
  const screen = () => {
    bytes();
    return Buffer.concat(pieces()).toString('utf8');
  };
  return {
    ...{ page: on, id, told, send, screen, bytes },
    takes: () => {
      taken = 0;
    },
    type: (text: string) => send({ type: 'input', data: Buffer.from(text).toString('base64') }),
    /** As the screen answers a program, without a person. */
    screenAnswers: (text: string) =>
      send({ type: 'input', data: Buffer.from(text).toString('base64'), byPerson: false }),
    shows: (text: string) => expect.poll(screen, patience).toContain(text),
    isReady: () => expect.poll(() => told().map(({ type }) => type), patience).toContain('ready'),
    /** `ready`, or the code of the refusal. */
    answer: async () => {
      const first = () => ofThis().find(({ type }) => type === 'event' || type === 'failed');
      await expect.poll(first, patience).toBeDefined();
      const message = first();
      return message?.type === 'failed' ? message.problem.code : 'ready';
    },
    failure: async () => {
      await expect.poll(() => ofThis().map(({ type }) => type), patience).toContain('failed');
      const failed = ofThis().find((message) => message.type === 'failed');
      return failed?.type === 'failed' ? failed.problem : null;
    },
    ended: async () => {
      await expect.poll(() => ofThis().map(({ type }) => type), patience).toContain('end');
      return told().find((event) => event.type === 'ended');
    },
  };
}

/** As `openTerminal`, once the terminals of the tests before have left their places, which they do when the server has tidied up. */
async function openFree(...asked: Parameters<typeof openTerminal>) {
  const opened: Awaited<ReturnType<typeof openTerminal>>[] = [];
  const ask = async () => {
    const next = await openTerminal(...asked);
    opened.unshift(next);
    return next.answer();
  };
  await expect.poll(ask, patience).not.toBe('limit_reached');
  const [last] = opened;
  if (!last) throw new Error('No terminal was asked for.');
  return last;
}

test('no terminal opens until the owner of the server has allowed it, and none over HTTP', async () => {
  const { failure } = await openFree();
  expect(await failure()).toMatchObject({
    code: 'not_allowed',
    message: expect.stringContaining('Commands and terminals are not allowed in the apps of'),
  });
  await allow('allow');
  expect((await linked.ines.call(`GET /api/apps/${app.id}/terminal`)).status).toBe(404);
  expect(await events()).toEqual([]);
});

test('another account reaches no terminal of the app, and none of another page', async () => {
  const eve = await linked.api.signUp('eve');
  const { failure } = await openFree(undefined, { page: await openPage(eve) });
  expect(await failure()).toMatchObject({ code: 'not_found' });
  const mine = await openFree();
  await mine.isReady();
  // The ids of subscriptions belong to a socket, so this names nothing.
  const hers = await openPage(eve);
  const answered = hers.subscribe('GET /api/events');
  await expect
    .poll(() => hers.heard.some((message) => message.type === 'opened' && message.id === answered), patience)
    .toBe(true);
  hers.send(mine.id, { type: 'input', data: Buffer.from('touch stolen\n').toString('base64') });
  mine.type('echo "stolen: $(ls | grep -c stolen)"\n');
  await mine.shows('stolen: 0');
}, 90_000);

test('a shell in the running container shows nothing of its opening, has the size and the variables, and its event holds no key', async () => {
  const { isReady, type, shows, screen, send, ended } = await openFree({
    ...{ process: 'web.1', columns: '101', rows: '33' },
  });
  await isReady();
  type('stty size; echo "$TERM on $DYNO"\n');
  await shows('33 101');
  await shows('xterm-256color on web.1');
  send({ type: 'resize', columns: 120, rows: 40 });
  // Between the server's terminal and the one in the container stands a program that hears of a size by a signal, later than of a key.
  const screenAfterAsking = () => {
    type('stty size\n');
    return screen();
  };
  await expect.poll(screenAfterAsking, { ...patience, interval: 500 }).toContain('40 120');
  for (const opening of ['TMOUT', 'printf', 'command -v']) expect(screen()).not.toContain(opening);
  type('exit 4\n');
  expect(await ended()).toEqual({ type: 'ended', why: 'exited', exitCode: 4 });
  const subject = new RegExp(
    `^web.1 of ${app.name} on ${linked.server.name}: \\d+ s, \\d+ B typed, \\d+ k?B shown$`,
  );
  await expect.poll(async () => (await events())[0]?.subject, patience).toMatch(subject);
  expect(JSON.stringify(await events())).not.toContain('stty');
  expect(linked.api.logged.join('\n')).not.toContain('stty');
}, 90_000);

test('a page that goes leaves no process, not even one that ignores the hang-up', async () => {
  const mark = `stubborn-${process.pid}`;
  const { page, isReady, type, shows } = await openFree();
  await isReady();
  type(`setsid sh -c "trap '' HUP TERM; while :; do sleep 600; done" ${mark} &\n`);
  type(`sh -c "trap '' HUP TERM; echo u''p; while :; do sleep 600; done" ${mark}\n`);
  await shows('up');
  expect(processesWith(mark).length).toBeGreaterThan(1);
  page.close();
  await expect.poll(() => processesWith(mark), patience).toEqual([]);
}, 90_000);

test('a page that goes before its terminal is open leaves no process', async () => {
  for (const query of [{ process: 'web.1' }, {}]) {
    const { page } = await openTerminal(query as Record<string, string>);
    // The sandbox starts the shell's terminal some time before the console hears from it.
    await expect.poll(openTerminals, { ...patience, interval: 1 }).toBeGreaterThan(0);
    page.close();
    await expect.poll(openTerminals, patience).toBe(0);
  }
}, 120_000);

test('what a shell left behind ends with it', async () => {
  const mark = `behind-${process.pid}`;
  const { isReady, type, shows, ended } = await openFree();
  await isReady();
  type(`setsid sh -c "trap '' HUP TERM; while :; do sleep 600; done" ${mark} &\n`);
  type('sleep 0; echo be""gun\n');
  await shows('begun');
  type('exit\n');
  expect(await ended()).toMatchObject({ why: 'exited' });
  await expect.poll(() => processesWith(mark), patience).toEqual([]);
}, 90_000);

test('a new container goes with its terminal', async () => {
  const mark = `new-${process.pid}`;
  const { page, isReady, type, shows } = await openFree({});
  await isReady();
  type(`echo "on $DYNO"; sh -c "trap '' HUP; echo u''p; while :; do sleep 600; done" ${mark}\n`);
  await shows('on run.');
  await shows('up');
  page.close();
  await expect.poll(() => processesWith(mark), patience).toEqual([]);
  const listed = async () =>
    bodyOf<{ commands: unknown[] }>(await linked.ines.call(`GET /api/apps/${app.id}/commands`), 200).commands;
  await expect.poll(listed, patience).toEqual([]);
}, 90_000);

test('a right that is taken back ends the terminal, and what runs in it', async () => {
  const mark = `forbidden-${process.pid}`;
  const { isReady, type, shows, ended } = await openFree();
  await isReady();
  type(`sh -c "echo u''p; while :; do sleep 600; done" ${mark}\n`);
  await shows('up');
  await allow('forbid');
  expect(await ended()).toEqual({ type: 'ended', why: 'forbidden', exitCode: null });
  await expect.poll(() => processesWith(mark), patience).toEqual([]);
  await allow('allow');
}, 90_000);

test('work that replaces the containers is announced', async () => {
  const { isReady, told, page } = await openFree();
  await isReady();
  succeeded(await runToEnd(linked.ines, `POST /api/apps/${app.id}/restart`));
  await expect.poll(() => told().map(({ type }) => type), patience).toContain('replacing');
  page.close();
}, 120_000);

test('a terminal at which nobody types ends after a warning, and one whose time is over does', async () => {
  Object.assign(times, { idleMs: 3_000, warningMs: 2_900 });
  const idle = await openFree();
  await idle.isReady();
  // A program may ask the screen again and again where its cursor is.
  const answers = setInterval(() => idle.screenAnswers('\x1b[1;1R'), 200);
  expect(await idle.ended().finally(() => clearInterval(answers))).toEqual({
    type: 'ended',
    why: 'idle',
    exitCode: null,
  });
  expect(idle.told()).toContainEqual(expect.objectContaining({ type: 'time', soon: 'idle' }));
  Object.assign(times, { ...terminalTimes, stretchMs: 3_000, warningMs: 2_900 });
  const over = await openFree();
  expect(await over.ended()).toEqual({ type: 'ended', why: 'time', exitCode: null });
  expect(over.told()).toContainEqual(expect.objectContaining({ type: 'time', soon: 'time' }));
}, 120_000);

test('a page that takes nothing holds the output up, and gets every byte when it goes on', async () => {
  const all = 3_000_000;
  const { isReady, type, bytes, takes } = await openFree(undefined, { takes: false });
  await isReady();
  type(`stty -echo -opost; head -c ${all} /dev/zero\n`);
  await expect.poll(bytes, patience).toBeGreaterThan(128 * 1024);
  // The console, the connection and the server hold some windows, however much the program prints.
  let before = -1;
  const stands = () => {
    const now = bytes();
    const same = now === before;
    before = now;
    return same;
  };
  await expect.poll(stands, { ...patience, interval: 500 }).toBe(true);
  expect(bytes()).toBeLessThan(1_000_000);
  takes();
  await expect.poll(bytes, patience).toBeGreaterThanOrEqual(all);
}, 120_000);

test('a server has a number of terminals at once, and a place is free again when one has ended', async () => {
  const page = await openPage();
  const open = [];
  for (let at = 0; at < terminalsPerServer; at += 1) open.push(await openFree(undefined, { page }));
  for (const { isReady } of open) await isReady();
  const { failure } = await openTerminal();
  expect(await failure()).toMatchObject({
    code: 'limit_reached',
    message: `This server has ${terminalsPerServer} terminals open, which is the most for one server. This one was not opened; the others go on.`,
  });
  const [first] = open;
  first?.type('exit\n');
  await first?.ended();
  const next = await openFree();
  await next.isReady();
}, 120_000);

test('a page whose messages are no terminal’s is cut off, and so is one that sends without end', async () => {
  const { page, id, isReady } = await openFree();
  await isReady();
  page.send(id, { type: 'resize', columns: 0, rows: 10_000 });
  expect(await page.closed).toMatchObject({ code: 1008 });
  const flood = await openFree();
  await flood.isReady();
  for (let at = 0; at < 3_000; at += 1) flood.send({ type: 'taken', bytes: 1 });
  expect(await flood.page.closed).toMatchObject({ code: 1008, reason: 'The page sends too much.' });
}, 90_000);

test('a sign-in that ends takes its terminals along, and what runs in them', async () => {
  const mark = `signed-out-${process.pid}`;
  const other = linked.api.visitor();
  bodyOf(await other.call('POST /api/auth/sign-in/email', { email: linked.ines.email, password }), 200);
  const { sshd, signer } = linked.host;
  const login = { id: linked.server.id, user: sshd.user };
  const last = await openAsPage(linked.api.url, other, login, signer, sshd.hostKeyFingerprint);
  expect(last.type).toBe('ready');
  const { page, isReady, type, shows } = await openFree(undefined, { page: await openPage(other) });
  await isReady();
  type(`sh -c "trap '' HUP TERM; echo u''p; while :; do sleep 600; done" ${mark}\n`);
  await shows('up');
  bodyOf(await other.call('POST /api/auth/sign-out'), 200);
  await page.closed;
  await expect.poll(() => processesWith(mark), patience).toEqual([]);
}, 90_000);

test('a shell on the server itself has a right of its own, is the account’s own, and ends with its page', async () => {
  const mark = `own-${process.pid}`;
  const refused = await openFree({}, { at: 'servers' });
  expect(await refused.failure()).toMatchObject({
    ...{ code: 'not_allowed', message: `Terminals are not allowed on ${linked.server.name} itself.` },
  });
  await allowShell('allow');
  const { page, isReady, type, shows } = await openFree({ columns: '91', rows: '29' }, { at: 'servers' });
  await isReady();
  type('stty size; echo "I am $(id -un) at $PWD"\n');
  await shows('29 91');
  await shows(`I am ${linked.server.username} at /`);
  type(`sh -c "echo u''p; while :; do sleep 600; done" ${mark}\n`);
  await shows('up');
  page.close();
  await expect.poll(() => processesWith(mark), patience).toEqual([]);
  const subject = new RegExp(
    `^${linked.server.username} on ${linked.server.name}: \\d+ s, \\d+ B typed, \\d+ k?B shown$`,
  );
  await expect.poll(async () => (await events())[0]?.subject, patience).toMatch(subject);
}, 90_000);

test('another account reaches no shell of the server, and a right that is taken back ends one', async () => {
  await allowShell('allow');
  const eve = await linked.api.signUp('eve-too');
  const hers = await openFree({}, { at: 'servers', page: await openPage(eve) });
  expect(await hers.failure()).toMatchObject({ code: 'not_found' });
  const { isReady, ended } = await openFree({}, { at: 'servers' });
  await isReady();
  await allowShell('forbid');
  expect(await ended()).toEqual({ type: 'ended', why: 'forbidden', exitCode: null });
  const kinds = bodyOf<SecurityEvent[]>(await linked.ines.call('GET /api/security-events'), 200).map(
    ({ kind }) => kind,
  );
  expect(kinds).toEqual(expect.arrayContaining(['shell_allowed', 'shell_forbidden']));
}, 90_000);

test('fifty terminals whose pages went leave no process', async () => {
  await allow('allow');
  let opened = 0;
  while (opened < 50) {
    const page = await openPage();
    // The places of the pages before are free when the server has ended their terminals.
    const open = () => openTerminal(undefined, { page }).then(({ answer }) => answer());
    for (let at = 0; at < terminalsPerServer; at += 1) {
      await expect.poll(open, patience).toBe('ready');
      opened += 1;
    }
    page.close();
  }
  await expect.poll(openTerminals, patience).toBe(0);
}, 600_000);
